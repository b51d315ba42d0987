UPDATE record
SET body = $1, due_at = $2, updated_at = $3
WHERE learner = $4 AND kind = $5 AND key = $6 AND body = $7
