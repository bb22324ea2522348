"""Words the data of a verification: documents of a case, of many, and of a calibration.

`document_of` makes the document of one case. Each other module words one subject of it.
"""
