DELETE FROM log WHERE instance = $1 AND version < $2
