SELECT cid, id, ease, ivl, time, type FROM revlog ORDER BY id
