SELECT law_hash, flow, law_version, COUNT(*)
FROM instance
WHERE outcome IS NULL
GROUP BY law_hash, flow, law_version
ORDER BY flow, law_version, law_hash
LIMIT $1
