SELECT id, flow, law_hash, law_version, learner, state, version, counters, outcome, created_at, updated_at, data
FROM instance
WHERE outcome IS NOT NULL AND updated_at < $1 AND version > 1 AND id > $2
ORDER BY id
LIMIT $3
