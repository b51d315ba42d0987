SELECT id, guid, mid, tags, flds FROM notes ORDER BY id
