-- The compare-and-set of a turn. Nothing changes unless the instance has the version and state that the turn found and
-- is not a later one of the same name, the client's request was not answered before, and the documents that the turn
-- rests on are unchanged. A turn that left out the actions of its law is refused if they have been performed by now.
-- Where the log is a chain, the instance already names the last of the entries that follow, one for each version. An
-- outcome is final. On SQLite only the turn that sets it mentions the column, because SQLite writes every index whose
-- columns are mentioned.
UPDATE instance
SET
    law_hash = $1, law_version = $2, state = $3, version = $4, counters = $5, updated_at = $6, data = $7
    /*ending: , outcome = COALESCE($8, outcome)*/
    /*chained: , log_previous = log_head, log_head = (SELECT COALESCE(MAX(id), 0) FROM log) + $4 - version*/
WHERE id = $9 AND version = $10 AND state = $11 AND created_at = $12
  AND NOT EXISTS (SELECT 1 FROM log WHERE log.instance = $9 AND log.request = $13)
/*undelivered:
  AND NOT EXISTS (SELECT 1 FROM law WHERE law.hash = $1 AND law.delivers)
*/
/*seen:
  AND COALESCE((SELECT scope.version FROM scope WHERE scope.learner = $14 AND scope.name = $15), 0) = $16
  AND COALESCE((SELECT body FROM record WHERE record.learner = $14 AND record.kind = $17 AND record.key = $18), '') = $19
*/
