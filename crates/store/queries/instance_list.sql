-- One page, newest first. A mark disables each filter that is not set, so that a set one can use its index. The index of
-- open instances is used only if its condition is repeated. A learner has few of all flows, so a query with a learner
-- must use the index of learners: the text hides the indexes of flows and of open instances. Without good statistics a
-- planner might choose any of them.
SELECT id, flow, law_hash, law_version, learner, state, version, counters, outcome, created_at, updated_at, data
FROM instance
WHERE (created_at, id) < ($1, $2)
  AND (flow /*one learner: || ''*/ = $3 /*any flow: OR CAST($3 AS TEXT) IS NULL*/)
  AND (state = $4 /*any state: OR CAST($4 AS TEXT) IS NULL*/)
  AND (learner = $5 /*any learner: OR CAST($5 AS TEXT) IS NULL*/)
  AND ((outcome IS NULL) = $6 /*any open: OR CAST($6 AS BOOLEAN) IS NULL*/)
  /*only open: AND outcome IS NULL*/
ORDER BY created_at DESC, id DESC
LIMIT $7
