"""The File Manager, the volume it shows, and Standard File."""
