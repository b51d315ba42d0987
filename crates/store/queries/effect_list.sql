SELECT key, instance, kind, payload, status, attempts, not_before, last_error, created_at, done_at, lease_owner, lease_until
FROM effect
WHERE instance = $1
ORDER BY created_at, key
LIMIT $2
