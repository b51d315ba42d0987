-- Where a table is spread over partitions, no index keeps two learners from the same id. So only one of them at a time may
-- look whether it is free.
SELECT CAST(pg_advisory_xact_lock(hashtextextended($1, 7300)) AS TEXT)
