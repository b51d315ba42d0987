SELECT id, nid, ord, CASE odid WHEN 0 THEN did ELSE odid END, type, queue, due, ivl, factor, reps, lapses, odue, data
FROM cards
ORDER BY id
