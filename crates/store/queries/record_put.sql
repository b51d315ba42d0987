INSERT INTO record (learner, kind, key, body, due_at, rank, scope, standing, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (learner, kind, key) DO UPDATE
SET
    body = excluded.body,
    due_at = excluded.due_at,
    rank = excluded.rank,
    scope = excluded.scope,
    standing = excluded.standing,
    updated_at = excluded.updated_at
