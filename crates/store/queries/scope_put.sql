INSERT INTO scope (learner, name, version)
VALUES ($1, $2, $3)
ON CONFLICT (learner, name) DO UPDATE SET version = excluded.version
