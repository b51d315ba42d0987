-- When the store first met a law, with whatever constants: all of its sources begin with its text.
SELECT MIN(created_at) FROM law WHERE flow = $1 AND substr(source, 1, length(CAST($2 AS TEXT))) = $2
