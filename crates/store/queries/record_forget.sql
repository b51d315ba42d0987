DELETE FROM record WHERE learner = $1 AND kind = $2 AND key = $3 AND body = $4
