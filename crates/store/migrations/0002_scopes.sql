-- A document may belong to something larger, such as a map of concepts, and stand somewhere within it.
ALTER TABLE record ADD COLUMN scope TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN standing TEXT;
CREATE INDEX record_scope ON record (learner, scope, kind, standing, updated_at) WHERE scope <> '';

-- Every flow as a plain key-value store. What a flow keeps under `desk` is its own business.
DROP VIEW kv;
CREATE VIEW kv AS
SELECT
    'flow:' || id AS key,
    /*sqlite: json_remove(data, '$.desk')*/ /*postgres: (CAST(data AS jsonb) - 'desk')::text*/ AS value,
    version
FROM instance;
