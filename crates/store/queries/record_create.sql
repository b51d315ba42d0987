INSERT INTO record (learner, kind, key, body, due_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (learner, kind, key) DO NOTHING
