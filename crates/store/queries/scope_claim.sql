-- Locks a scope that has no row yet: a second transaction waits, and then finds the scope changed.
INSERT INTO scope (learner, name, version)
VALUES ($1, $2, 0)
ON CONFLICT (learner, name) DO UPDATE SET version = scope.version
