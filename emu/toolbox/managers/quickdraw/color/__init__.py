"""Color QuickDraw: ports, colours, palettes, devices, offscreen worlds."""
