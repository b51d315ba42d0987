-- The compare-and-set of a turn: nothing changes unless the instance still stands where the turn found it and is no
-- later one of the same name, the client's request was not answered before, the program knows the schema, and the
-- documents the turn was decided with are as they were. One that left out the actions of its law has the hash of that
-- law; it is refused if somebody performs them. Where the log is a chain, the instance already names the last of the
-- entries that follow, one for each version.
UPDATE instance
SET
    law_hash = $1, law_version = $2, state = $3, version = $4, counters = $5, outcome = $6, updated_at = $7, data = $8
    /*chained: , log_previous = log_head, log_head = (SELECT COALESCE(MAX(id), 0) FROM log) + $4 - version*/
WHERE id = $9 AND version = $10 AND state = $11 AND created_at = $12
  AND NOT EXISTS (SELECT 1 FROM log WHERE log.instance = $9 AND log.request = $13)
  AND NOT EXISTS (SELECT 1 FROM law WHERE law.hash = $14 AND law.delivers)
  AND (SELECT MAX(migration.version) FROM migration) <= $15
/*seen:
  AND COALESCE((SELECT scope.version FROM scope WHERE scope.learner = $16 AND scope.name = $17), 0) = $18
  AND COALESCE((SELECT body FROM record WHERE record.learner = $16 AND record.kind = $19 AND record.key = $20), '') = $21
*/
