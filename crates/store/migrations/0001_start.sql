-- Where every running or finished flow stands. `born` is the commit that created the row: see `log.commit_id`.
-- A turn rewrites its row in place, so PostgreSQL keeps room for that on every page.
CREATE TABLE instance (
    id TEXT NOT NULL PRIMARY KEY,
    flow TEXT NOT NULL,
    law_hash TEXT NOT NULL,
    law_version TEXT NOT NULL,
    learner TEXT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    counters TEXT NOT NULL,
    outcome TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    born BIGINT,
    data TEXT NOT NULL
) /*postgres: WITH (fillfactor = 70)*/;

-- Lists are read newest first; none of these columns changes before the last turn, so the others touch no index here.
CREATE INDEX instance_newest ON instance (created_at, id);
CREATE INDEX instance_flow ON instance (flow, created_at, id);
CREATE INDEX instance_learner ON instance (learner, created_at, id);
CREATE INDEX instance_open ON instance (created_at, id) WHERE outcome IS NULL;
CREATE INDEX instance_kv ON instance (('flow:' || id));

-- Every flow as a plain key-value store, for readers that know nothing else about it.
CREATE VIEW kv AS SELECT 'flow:' || id AS key, data AS value, version FROM instance;

-- What happened, one row per transition. `commit_id` is drawn by the writing node: after a connection is lost in the
-- middle of COMMIT it tells "my commit arrived" from "another writer was first".
CREATE TABLE log (
    instance TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    source TEXT NOT NULL,
    payload TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    changes TEXT NOT NULL,
    facts TEXT NOT NULL,
    outcome TEXT,
    request TEXT,
    commit_id BIGINT,
    PRIMARY KEY (instance, version)
);
CREATE UNIQUE INDEX log_request ON log (instance, request) WHERE request IS NOT NULL;

-- What still has to be done in the world, and what was.
CREATE TABLE effect (
    key TEXT NOT NULL PRIMARY KEY,
    instance TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'done', 'dead')),
    attempts BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    last_error TEXT,
    created_at BIGINT NOT NULL,
    done_at BIGINT,
    lease_owner TEXT,
    lease_until BIGINT
);
CREATE INDEX effect_instance ON effect (instance, created_at);
CREATE INDEX effect_pending ON effect (not_before) WHERE status = 'pending';
CREATE INDEX effect_dead ON effect (created_at) WHERE status = 'dead';

-- Events that time will bring.
CREATE TABLE timer (
    instance TEXT NOT NULL,
    event TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    lease_owner TEXT,
    lease_until BIGINT,
    PRIMARY KEY (instance, event, due_at)
);
CREATE INDEX timer_due ON timer (due_at);

-- Documents about a learner that outlive any one flow: items, reviews and their like.
CREATE TABLE record (
    learner TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    due_at BIGINT,
    rank DOUBLE PRECISION,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (learner, kind, key)
);
CREATE INDEX record_due ON record (kind, due_at) WHERE due_at IS NOT NULL;

-- The exact text of every law an instance was ever started under.
CREATE TABLE law (
    hash TEXT NOT NULL PRIMARY KEY,
    flow TEXT NOT NULL,
    version TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
