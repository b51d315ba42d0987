INSERT INTO revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type)
VALUES (?1, ?2, -1, ?3, ?4, ?5, ?6, ?7, ?8)
