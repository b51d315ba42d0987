SELECT version, event FROM log WHERE instance = $1 AND request = $2
