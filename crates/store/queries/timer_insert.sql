INSERT INTO timer (instance, event, due_at, version)
VALUES ($1, $2, $3, $4)
