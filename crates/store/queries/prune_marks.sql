DELETE FROM log_mark WHERE instance = $1 AND id NOT IN (SELECT log_head FROM instance WHERE instance.id = $1)
