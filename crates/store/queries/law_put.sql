INSERT INTO law (hash, flow, version, source, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (hash) DO UPDATE SET source = excluded.source
