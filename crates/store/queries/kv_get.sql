-- Reads like the view `kv`, but leaves the `desk` in, which the caller removes: PostgreSQL cannot parse all JSON.
SELECT data, version FROM instance WHERE ('flow:' || id) = $1
