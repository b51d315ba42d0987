INSERT INTO timer (instance, event, due_at, version /*postgres: , learner*/)
VALUES ($1, $2, $3, $4 /*postgres: , $5*/)
