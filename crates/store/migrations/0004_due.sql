-- Days begin for many at the same moment: those that are due together are found in their order without sorting them.
DROP INDEX record_due;
CREATE INDEX record_due ON record (kind, due_at, learner, key) WHERE due_at IS NOT NULL;
