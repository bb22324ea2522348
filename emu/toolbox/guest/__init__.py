"""Guest memory as the Toolbox sees it: its types, its low memory, its layout."""
