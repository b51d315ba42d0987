-- Why a compare-and-set changed nothing: where the instance stands, the version that answered the same request,
-- and whether the change is there already because this very commit arrived before its connection was lost.
SELECT
    (SELECT version FROM instance WHERE id = $1),
    (SELECT state FROM instance WHERE id = $1),
    (SELECT version FROM log WHERE instance = $1 AND request = $2),
    EXISTS (SELECT 1 FROM log WHERE instance = $1 AND version = $3 AND commit_id = $4)
        OR EXISTS (SELECT 1 FROM instance WHERE id = $1 AND born = $4)
