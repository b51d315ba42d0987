SELECT 1 FROM revlog WHERE id = ?1
