SELECT id, flow, law_hash, law_version, learner, state, version, counters, outcome, created_at, updated_at, data
FROM instance
WHERE id = $1
