-- The sums keep SQLite from walking through what all learners have due in its order.
SELECT due_at + 0, count(*)
FROM record
WHERE learner = $1 AND kind = $2 AND scope <> $3 AND due_at + 0 > $4
GROUP BY due_at + 0
ORDER BY due_at + 0
LIMIT $5
