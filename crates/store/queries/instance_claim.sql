-- In a partitioned table, no index keeps two learners from taking the same id. So only one transaction at a time may check
-- whether an id is free.
SELECT CAST(pg_advisory_xact_lock(hashtextextended($1, 7300)) AS TEXT)
