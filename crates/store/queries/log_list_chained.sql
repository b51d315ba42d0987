WITH RECURSIVE chain (id, version, previous) AS (
    SELECT log.id, log.version, log.previous
    FROM instance JOIN log ON log.id = instance.log_head
    WHERE instance.id = $1 AND log.version > $2
    UNION ALL
    SELECT log.id, log.version, log.previous
    FROM chain JOIN log ON log.id = chain.previous
    WHERE log.version > $2
)
SELECT instance, log.version, at, event, source, payload, from_state, to_state, changes, facts, outcome, request
FROM chain JOIN log ON log.id = chain.id
ORDER BY chain.version
LIMIT $3
