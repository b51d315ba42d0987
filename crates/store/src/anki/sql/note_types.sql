SELECT id, config FROM notetypes NOT INDEXED
