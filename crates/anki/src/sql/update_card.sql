UPDATE cards
SET
    mod = ?2, usn = -1, type = ?3, queue = ?4, due = ?5, ivl = ?6, factor = ?7, reps = ?8, lapses = ?9, data = ?10, "left" = 0,
    did = CASE odid WHEN 0 THEN did ELSE odid END, odid = 0, odue = 0
WHERE id = ?1
