WITH picked AS MATERIALIZED (
    SELECT instance, event, due_at
    FROM timer
    WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
    ORDER BY due_at
    LIMIT $2
    /*postgres: FOR UPDATE SKIP LOCKED*/
)
UPDATE timer
SET lease_owner = $3, lease_until = $4
WHERE (instance, event, due_at) IN (SELECT instance, event, due_at FROM picked)
RETURNING instance, event, due_at, version
