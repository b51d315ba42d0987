UPDATE log SET previous = NULL WHERE id = (SELECT log_head FROM instance WHERE instance.id = $1)
