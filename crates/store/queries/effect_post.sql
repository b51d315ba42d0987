INSERT INTO effect (key, instance, kind, payload, status, attempts, not_before, last_error, created_at, done_at, lease_owner, lease_until)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT DO NOTHING
