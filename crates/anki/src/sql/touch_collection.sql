UPDATE col SET mod = ?1
