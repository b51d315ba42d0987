SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE learner = $1 AND (kind, key) > ($2, $3)
ORDER BY kind, key
LIMIT $4
