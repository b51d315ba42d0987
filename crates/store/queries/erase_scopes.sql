DELETE FROM scope WHERE learner = $1
