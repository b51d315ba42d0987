DELETE FROM log_mark WHERE instance IN (SELECT id FROM instance WHERE learner = $1)
