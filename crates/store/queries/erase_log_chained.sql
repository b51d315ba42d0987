WITH RECURSIVE chain (id, previous) AS (
    SELECT log.id, log.previous
    FROM instance JOIN log ON log.id = instance.log_head
    WHERE instance.learner = $1
    UNION ALL
    SELECT log.id, log.previous
    FROM chain JOIN log ON log.id = chain.previous
)
DELETE FROM log WHERE id IN (SELECT id FROM chain)
