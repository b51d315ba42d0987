DELETE FROM effect WHERE instance = $1 AND status = 'done'
