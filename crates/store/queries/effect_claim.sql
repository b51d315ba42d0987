-- Materialises the picked rows before the update reads them: PostgreSQL would otherwise be free to pick again. The kinds are
-- written into the text, because a planner uses a partial index only where its condition is repeated. The second test of the
-- kind keeps PostgreSQL from joining `earlier`, after which it might sort all pending effects.
WITH picked AS MATERIALIZED (
    SELECT key
    FROM effect
    WHERE
        status = 'pending' AND not_before <= $1 AND (lease_until IS NULL OR lease_until <= $1)
        /*all but: AND kind NOT IN ({kinds})*/
        /*in order:
        AND kind = {kinds}
        AND (
            kind <> {kinds}
            OR NOT EXISTS (
                SELECT 1
                FROM effect AS earlier
                WHERE
                    earlier.instance = effect.instance AND earlier.status = 'pending' AND earlier.kind = {kinds}
                    AND earlier.created_at <= effect.created_at
                    AND (
                        earlier.created_at < effect.created_at
                        OR length(earlier.key) < length(effect.key)
                        OR (length(earlier.key) = length(effect.key) AND earlier.key < effect.key)
                    )
            )
        )
        */
    ORDER BY not_before
    LIMIT $2
    /*postgres: FOR UPDATE SKIP LOCKED*/
)
UPDATE effect
SET lease_owner = $3, lease_until = $4, attempts = attempts + 1
WHERE key IN (SELECT key FROM picked)
RETURNING key, instance, kind, payload, status, attempts, not_before, last_error, created_at, done_at, lease_owner, lease_until
