UPDATE effect
SET status = 'dead', last_error = $1, lease_owner = NULL, lease_until = NULL
WHERE key = $2 AND status = 'pending' AND (lease_owner IS NULL OR lease_owner = $3)
