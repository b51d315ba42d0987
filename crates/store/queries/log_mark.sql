-- Marks the entry that was just written.
INSERT INTO log_mark (instance, version, id)
SELECT instance, version, id FROM log WHERE id = (SELECT MAX(id) FROM log)
