SELECT value, version FROM kv WHERE key = $1
