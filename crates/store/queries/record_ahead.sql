SELECT due_at, count(*)
FROM record
WHERE learner = $1 AND kind = $2 AND scope <> $3 AND due_at + 0 > $4
GROUP BY due_at
ORDER BY due_at
LIMIT $5
