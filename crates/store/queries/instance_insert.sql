INSERT INTO instance (id, flow, law_hash, law_version, learner, state, version, counters, outcome, created_at, updated_at, born, data)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (id) DO NOTHING
