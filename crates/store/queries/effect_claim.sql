-- The picked rows are settled before the update reads them: PostgreSQL would otherwise be free to pick again.
-- A message waits until those that its flow wrote before it are sent or given up.
WITH picked AS MATERIALIZED (
    SELECT key
    FROM effect
    WHERE
        status = 'pending' AND not_before <= $1 AND (lease_until IS NULL OR lease_until <= $1)
        /*only messages: AND kind = 'notify'*/ /*no messages: AND kind <> 'notify'*/ /*no actions: AND kind <> 'action'*/
        AND (
            kind <> 'notify'
            OR NOT EXISTS (
                SELECT 1
                FROM effect AS earlier
                WHERE
                    earlier.instance = effect.instance AND earlier.status = 'pending' AND earlier.kind = 'notify'
                    AND earlier.created_at <= effect.created_at
                    AND (
                        earlier.created_at < effect.created_at
                        OR length(earlier.key) < length(effect.key)
                        OR (length(earlier.key) = length(effect.key) AND earlier.key < effect.key)
                    )
            )
        )
    ORDER BY not_before
    LIMIT $2
    /*postgres: FOR UPDATE SKIP LOCKED*/
)
UPDATE effect
SET lease_owner = $3, lease_until = $4, attempts = attempts + 1
WHERE key IN (SELECT key FROM picked)
RETURNING key, instance, kind, payload, status, attempts, not_before, last_error, created_at, done_at, lease_owner, lease_until
