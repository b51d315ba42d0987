UPDATE effect
SET
    not_before = $1,
    last_error = $2,
    lease_owner = NULL,
    lease_until = NULL,
    attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
WHERE key = $3 AND status = 'pending' AND (lease_owner IS NULL OR lease_owner = $4)
