SELECT id, config FROM notetypes
