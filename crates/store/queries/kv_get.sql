-- Like the view `kv`, but with the `desk`, which the caller removes: PostgreSQL cannot parse all JSON.
SELECT data, version FROM instance WHERE ('flow:' || id) = $1
