-- One page, newest first. A filter that is not set is opened by its mark, so that one that is set can use its index;
-- the index of open instances is only found by the words that define it. A learner has few flows beside all others:
-- where one is named, their index is the one to use, and those of flows and of open instances are out of reach. Without
-- statistics, or with old ones, a planner would take any of them.
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
