-- The sums keep SQLite from using the index of all learners' due dates.
SELECT due_at + 0, count(*)
FROM record
WHERE learner = $1 AND kind = $2 AND scope <> $3 AND due_at + 0 > $4
GROUP BY due_at + 0
ORDER BY due_at + 0
LIMIT $5
