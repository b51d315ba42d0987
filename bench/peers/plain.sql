-- The minimum for durable turns, without any of Etude's own tables: the state of each instance, and a log.
CREATE TABLE instance (
    id BIGINT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    data TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE log (
    instance BIGINT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    PRIMARY KEY (instance, version)
);
