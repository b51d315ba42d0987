SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE learner = $1 AND kind = $2
ORDER BY rank NULLS LAST, key
LIMIT $3
