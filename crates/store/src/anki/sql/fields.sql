SELECT ntid, name FROM fields NOT INDEXED ORDER BY ntid, ord
