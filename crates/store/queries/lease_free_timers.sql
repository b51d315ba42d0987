UPDATE timer SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1
