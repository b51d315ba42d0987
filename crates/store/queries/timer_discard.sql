DELETE FROM timer WHERE instance = $1 AND event = $2 AND due_at = $3 AND version = $4
