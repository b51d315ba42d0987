SELECT version FROM scope WHERE learner = $1 AND name = $2
