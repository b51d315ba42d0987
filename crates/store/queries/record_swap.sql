UPDATE record
SET body = $1, updated_at = $2
WHERE learner = $3 AND kind = $4 AND key = $5 AND body = $6
