UPDATE effect
SET status = 'pending', attempts = 0, not_before = $1
WHERE key = $2 AND status = 'dead'
