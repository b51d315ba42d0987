-- Where a chained log is entered in its middle: one mark for every 64 entries of a flow. A page of a long log then costs
-- the same everywhere, and of 64 turns only one writes to this index.
/*sqlite:
CREATE TABLE log_mark (
    instance TEXT NOT NULL,
    version BIGINT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (instance, version)
) WITHOUT ROWID;
INSERT INTO log_mark SELECT instance, version, id FROM log WHERE version % 64 = 0;
*/
