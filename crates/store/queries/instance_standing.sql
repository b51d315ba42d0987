-- Explains why a compare-and-set changed nothing: the version and state of the instance, the version that answered the
-- same request, and whether this very commit arrived before its connection was lost.
SELECT
    (SELECT version FROM instance WHERE id = $1),
    (SELECT state FROM instance WHERE id = $1),
    (SELECT version FROM log WHERE instance = $1 AND request = $2),
    CASE
        WHEN CAST($3 AS BIGINT) IS NULL THEN FALSE
        ELSE EXISTS (SELECT 1 FROM log WHERE commit_id = $3 AND instance = $1 AND version = $4)
            OR EXISTS (SELECT 1 FROM instance WHERE id = $1 AND born = $3)
    END
