SELECT crt, ver, models, decks FROM col LIMIT 1
