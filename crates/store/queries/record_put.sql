INSERT INTO record (learner, kind, key, body, due_at, rank, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (learner, kind, key) DO UPDATE
SET body = excluded.body, due_at = excluded.due_at, rank = excluded.rank, updated_at = excluded.updated_at
