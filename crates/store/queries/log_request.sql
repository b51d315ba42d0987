SELECT version FROM log WHERE instance = $1 AND request = $2
