INSERT INTO migration (version, name) VALUES ($1, $2)
