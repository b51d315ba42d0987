SELECT DISTINCT learner
FROM instance
WHERE flow = $1 AND created_at >= $2 AND learner > $3
ORDER BY learner
LIMIT $4
