-- As the view `kv` shows it, but for what its owner keeps to itself: PostgreSQL cannot take apart all that JSON can write.
SELECT data, version FROM instance WHERE ('flow:' || id) = $1
