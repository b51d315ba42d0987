-- The time when the store first met a law, with any constants: each stored source of a law begins with its text.
SELECT MIN(created_at) FROM law WHERE flow = $1 AND substr(source, 1, length(CAST($2 AS TEXT))) = $2
