UPDATE effect SET lease_owner = NULL, lease_until = NULL WHERE status = 'pending' AND lease_owner = $1
