-- How often turns have changed the documents of a scope. A turn that rests on them is refused if they have changed
-- since.
CREATE TABLE scope (
    learner TEXT NOT NULL,
    name TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (learner, name)
) /*postgres: WITH (fillfactor = 70)*/;

INSERT INTO scope (learner, name, version)
SELECT DISTINCT learner, scope, 1 FROM record WHERE scope <> '';
