DELETE FROM log WHERE instance IN (SELECT id FROM instance WHERE learner = $1)
