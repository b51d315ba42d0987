DELETE FROM timer WHERE instance IN (SELECT id FROM instance WHERE learner = $1)
