SELECT learner, kind, key, body, due_at, rank, scope, standing, updated_at
FROM record
WHERE learner = $1 AND scope = $2 AND scope <> '' AND kind = $3 AND standing = $4
ORDER BY updated_at DESC, key DESC
LIMIT $5
