UPDATE effect
SET not_before = $1, last_error = $2, lease_owner = NULL, lease_until = NULL
WHERE key = $3 AND status = 'pending' AND (lease_owner IS NULL OR lease_owner = $4)
