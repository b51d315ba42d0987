WITH RECURSIVE chain (id, previous) AS (
    SELECT log.id, log.previous
    FROM log
    WHERE log.id = (SELECT last.previous FROM instance JOIN log AS last ON last.id = instance.log_head WHERE instance.id = $1)
    UNION ALL
    SELECT log.id, log.previous
    FROM chain JOIN log ON log.id = chain.previous
)
DELETE FROM log WHERE id IN (SELECT id FROM chain)
