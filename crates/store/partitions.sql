-- Spreads the tables of a PostgreSQL database over hash partitions by learner. Everything of a learner is then in
-- partitions of the same number, which can lie on disks of their own. Run it once, while no server runs:
--
--   psql ADDRESS -v ON_ERROR_STOP=1 -c 'SET etude.partitions = 16' -f partitions.sql
--
-- Laws belong to no learner and stay in one table. A distributed database distributes rows by the same column, `learner`.
DO $$
DECLARE
    parts INT := COALESCE(NULLIF(current_setting('etude.partitions', TRUE), ''), '8')::INT;
    spread TEXT;
    part INT;
BEGIN
    UPDATE log SET learner = instance.learner FROM instance WHERE instance.id = log.instance AND log.learner = '';
    UPDATE effect SET learner = instance.learner FROM instance WHERE instance.id = effect.instance AND effect.learner = '';
    UPDATE timer SET learner = instance.learner FROM instance WHERE instance.id = timer.instance AND timer.learner = '';
    DROP VIEW kv;
    FOREACH spread IN ARRAY ARRAY['instance', 'log', 'effect', 'timer', 'record', 'scope'] LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', spread, spread || '_whole');
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (learner)', spread, spread || '_whole');
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s) WITH (fillfactor = 70)',
                spread || '_' || part, spread, parts, part
            );
        END LOOP;
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', spread, spread || '_whole');
        EXECUTE format('DROP TABLE %I', spread || '_whole');
    END LOOP;
END
$$;

ALTER TABLE instance ADD PRIMARY KEY (learner, id);
CREATE INDEX instance_id ON instance (id);
CREATE INDEX instance_newest ON instance (created_at, id);
CREATE INDEX instance_flow ON instance (flow, created_at, id);
CREATE INDEX instance_learner ON instance (learner, created_at, id);
CREATE INDEX instance_open ON instance (created_at, id) WHERE outcome IS NULL;
CREATE INDEX instance_kv ON instance (('flow:' || id));
CREATE VIEW kv AS SELECT 'flow:' || id AS key, (CAST(data AS jsonb) - 'desk')::text AS value, version FROM instance;

ALTER TABLE log ADD PRIMARY KEY (learner, instance, version);
CREATE INDEX log_instance ON log (instance, version);
CREATE UNIQUE INDEX log_request ON log (instance, request, learner) WHERE request IS NOT NULL;

ALTER TABLE effect ADD PRIMARY KEY (learner, key);
CREATE INDEX effect_key ON effect (key);
CREATE INDEX effect_instance ON effect (instance, created_at);
CREATE INDEX effect_pending ON effect (not_before) WHERE status = 'pending';
CREATE INDEX effect_dead ON effect (created_at) WHERE status = 'dead';
CREATE INDEX effect_unsent ON effect (instance, created_at) WHERE status = 'pending' AND kind = 'notify';

ALTER TABLE timer ADD PRIMARY KEY (learner, instance, event, due_at);
CREATE INDEX timer_instance ON timer (instance, event, due_at);
CREATE INDEX timer_due ON timer (due_at);

ALTER TABLE record ADD PRIMARY KEY (learner, kind, key);
CREATE INDEX record_due ON record (kind, due_at, learner, key) WHERE due_at IS NOT NULL;
CREATE INDEX record_scope ON record (learner, scope, kind, standing, updated_at) WHERE scope <> '';

ALTER TABLE scope ADD PRIMARY KEY (learner, name);
