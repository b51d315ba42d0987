-- Starts at the first mark after the page, or at the end of the log, and walks back to the beginning of the page.
WITH RECURSIVE chain (id, version, previous) AS (
    SELECT log.id, log.version, log.previous
    FROM log
    WHERE
        log.id = COALESCE(
            (
                SELECT log_mark.id
                FROM log_mark
                WHERE log_mark.instance = $1 AND log_mark.version >= $2 + $3
                ORDER BY log_mark.version
                LIMIT 1
            ),
            (SELECT log_head FROM instance WHERE instance.id = $1)
        )
        AND log.version > $2
    UNION ALL
    SELECT log.id, log.version, log.previous
    FROM chain JOIN log ON log.id = chain.previous
    WHERE log.version > $2
)
SELECT instance, log.version, at, event, source, payload, from_state, to_state, changes, facts, outcome, request
FROM chain JOIN log ON log.id = chain.id
ORDER BY chain.version
LIMIT $3
