-- Flows whose chained log is cut: the flow does not name its last entry, or an entry does not name the one before it.
SELECT instance.id, instance.version, COALESCE(log.version, 0), 0
FROM instance LEFT JOIN log ON log.id = instance.log_head AND log.instance = instance.id
WHERE log.version IS NULL OR log.version <> instance.version
UNION ALL
SELECT log.instance, log.version, COALESCE(earlier.version, 0), 0
FROM log LEFT JOIN log AS earlier ON earlier.id = log.previous AND earlier.instance = log.instance
WHERE log.previous IS NOT NULL AND (earlier.version IS NULL OR earlier.version <> log.version - 1)
ORDER BY 1
LIMIT $1
