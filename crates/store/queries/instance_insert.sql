-- Leaves an existing flow unchanged. The casts are for PostgreSQL, which would take every parameter for text.
INSERT INTO instance (
    id, flow, law_hash, law_version, learner, state, version, counters, outcome, created_at, updated_at, data, born
    /*chained: , log_head*/
)
SELECT
    $1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $8, $9, CAST($10 AS BIGINT), CAST($11 AS BIGINT), $12, CAST($13 AS BIGINT)
    /*chained: , (SELECT COALESCE(MAX(id), 0) FROM log) + $7*/
WHERE TRUE
/*postgres:
  AND NOT EXISTS (SELECT 1 FROM instance AS taken WHERE taken.id = $1)
*/
/*seen:
  AND COALESCE((SELECT scope.version FROM scope WHERE scope.learner = $14 AND scope.name = $15), 0) = $16
  AND COALESCE((SELECT body FROM record WHERE record.learner = $14 AND record.kind = $17 AND record.key = $18), '') = $19
*/
ON CONFLICT DO NOTHING
