SELECT lease_owner FROM effect WHERE status = 'pending' AND lease_owner IS NOT NULL
UNION
SELECT lease_owner FROM timer WHERE lease_owner IS NOT NULL
LIMIT $1
