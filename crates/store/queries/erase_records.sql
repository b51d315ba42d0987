DELETE FROM record WHERE learner = $1
