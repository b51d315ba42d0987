SELECT key, instance, kind, payload, status, attempts, not_before, last_error, created_at, done_at, lease_owner, lease_until
FROM effect
WHERE status = 'dead'
ORDER BY created_at DESC, key DESC
LIMIT $1
