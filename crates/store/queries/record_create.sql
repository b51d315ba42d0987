INSERT INTO record (learner, kind, key, body, updated_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (learner, kind, key) DO NOTHING
