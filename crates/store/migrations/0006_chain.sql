-- SQLite writes whole pages, and an index of the log by flow has a page for every flow that takes turns: most of what a
-- batch of turns writes would be an index that is seldom read. So there the log only grows at its end: each entry names
-- the one before it, and each flow its last. PostgreSQL writes rows, not pages, and keeps its index.
/*sqlite:
CREATE TABLE chain (
    id INTEGER PRIMARY KEY,
    previous INTEGER,
    instance TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    source TEXT NOT NULL,
    payload TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    changes TEXT NOT NULL,
    facts TEXT NOT NULL,
    outcome TEXT,
    request TEXT,
    commit_id BIGINT
);
INSERT INTO chain
SELECT
    rowid, LAG(rowid) OVER (PARTITION BY instance ORDER BY version), instance, version, at, event, source, payload,
    from_state, to_state, changes, facts, outcome, request, commit_id
FROM log
ORDER BY rowid;
ALTER TABLE instance ADD COLUMN log_head INTEGER;
ALTER TABLE instance ADD COLUMN log_previous INTEGER;
UPDATE instance
SET log_head = (SELECT log.rowid FROM log WHERE log.instance = instance.id ORDER BY log.version DESC LIMIT 1);
DROP TABLE log;
ALTER TABLE chain RENAME TO log;
CREATE UNIQUE INDEX log_request ON log (instance, request) WHERE request IS NOT NULL;
*/
