SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE learner = $1 AND kind = $2 AND key = $3
