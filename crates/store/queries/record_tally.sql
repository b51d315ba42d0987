SELECT scope, standing, count(*)
FROM record
WHERE learner = $1 AND kind = $2 AND scope <> '' AND standing IS NOT NULL
GROUP BY scope, standing
ORDER BY scope, standing
LIMIT $3
