"""Objects in a grid of sectors: four shifts (1994), corrected and tried out; adjacent sectors."""
