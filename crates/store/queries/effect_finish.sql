UPDATE effect
SET status = 'done', done_at = $1, lease_owner = NULL, lease_until = NULL
WHERE key = $2 AND status <> 'done'
