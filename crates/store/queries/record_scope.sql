SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE learner = $1 AND scope = $2 AND scope <> ''
ORDER BY kind, key
LIMIT $3
