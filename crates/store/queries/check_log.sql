-- Flows whose log does not lead to their version: the last entry is missing or has another version, or an entry in
-- between is missing. A pruned log has only its last entry.
SELECT instance.id, instance.version, COALESCE(entries.last, 0), COALESCE(entries.number, 0)
FROM instance LEFT JOIN (SELECT instance, MAX(version) AS last, COUNT(*) AS number FROM log GROUP BY instance) AS entries
    ON entries.instance = instance.id
WHERE
    COALESCE(entries.last, 0) <> instance.version
    OR (entries.number <> instance.version AND NOT (instance.outcome IS NOT NULL AND entries.number = 1))
ORDER BY instance.id
LIMIT $1
