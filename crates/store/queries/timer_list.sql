SELECT instance, event, due_at, version
FROM timer
WHERE instance = $1
ORDER BY due_at, event
LIMIT $2
