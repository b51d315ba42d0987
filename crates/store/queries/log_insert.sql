INSERT INTO log (instance, version, at, event, source, payload, from_state, to_state, changes, facts, outcome, request, commit_id, learner)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
