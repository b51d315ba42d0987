-- Restored entries have no links; this chains those of each flow again, and marks them.
UPDATE log
SET previous = chain.previous
FROM (SELECT id, LAG(id) OVER (PARTITION BY instance ORDER BY version) AS previous FROM log) AS chain
WHERE chain.id = log.id AND chain.previous IS NOT NULL;
UPDATE instance
SET log_head = heads.id
FROM (SELECT instance, MAX(version) AS version, id FROM log GROUP BY instance) AS heads
WHERE heads.instance = instance.id;
DELETE FROM log_mark;
INSERT INTO log_mark SELECT instance, version, id FROM log WHERE version % 64 = 0;
