-- `delivers` never returns to false: of two programs that store a law at the same time, one may deliver.
INSERT INTO law (hash, flow, version, source, delivers, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO UPDATE SET delivers = law.delivers OR excluded.delivers
