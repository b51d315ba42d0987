-- When a law was first met, whatever constants it was bound with: its text is how all of its sources begin.
SELECT MIN(created_at) FROM law WHERE flow = $1 AND substr(source, 1, length(CAST($2 AS TEXT))) = $2
