-- The compare-and-set of a turn: nothing changes unless the instance still stands where the turn found it, the
-- client's request was not answered before, and the documents it was decided with are as they were. Where the log is
-- a chain, the instance already names the last of the entries that follow, one for each version.
UPDATE instance
SET
    law_hash = $1, law_version = $2, state = $3, version = $4, counters = $5, outcome = $6, updated_at = $7, data = $8
    /*chained: , log_previous = log_head, log_head = (SELECT COALESCE(MAX(id), 0) FROM log) + $4 - version*/
WHERE id = $9 AND version = $10 AND state = $11
  AND NOT EXISTS (SELECT 1 FROM log WHERE log.instance = $9 AND log.request = $12)
/*seen:
  AND COALESCE((SELECT scope.version FROM scope WHERE scope.learner = $13 AND scope.name = $14), 0) = $15
  AND COALESCE((SELECT body FROM record WHERE record.learner = $13 AND record.kind = $16 AND record.key = $17), '') = $18
*/
