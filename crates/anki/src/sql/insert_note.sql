INSERT INTO notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data)
VALUES (?1, ?2, ?3, ?4, -1, ?5, ?6, ?7, 0, 0, '')
