-- Like a lock, for a scope that nobody has written to: whoever comes second waits, and then finds it changed.
INSERT INTO scope (learner, name, version)
VALUES ($1, $2, 0)
ON CONFLICT (learner, name) DO UPDATE SET version = scope.version
