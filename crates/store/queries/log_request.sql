SELECT instance, version, at, event, source, payload, from_state, to_state, changes, facts, outcome, request
FROM log
WHERE instance = $1 AND request = $2
