-- What is known about a law is only added to: of two programs that meet it at the same moment one may deliver.
INSERT INTO law (hash, flow, version, source, delivers, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO UPDATE SET delivers = law.delivers OR excluded.delivers
