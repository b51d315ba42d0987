UPDATE effect
SET lease_until = $1
WHERE instance = $2 AND lease_owner = $3 AND status = 'pending'
RETURNING key
