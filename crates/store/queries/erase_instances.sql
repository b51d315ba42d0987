DELETE FROM instance WHERE learner = $1
