SELECT ntid, name FROM fields ORDER BY ntid, ord
