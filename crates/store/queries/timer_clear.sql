DELETE FROM timer WHERE instance = $1
