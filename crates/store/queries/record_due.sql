SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE kind = $1 AND due_at <= $2
ORDER BY due_at, learner, key
LIMIT $3
