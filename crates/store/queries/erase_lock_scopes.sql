-- Turns lock a scope before they touch a flow, and so does whoever deletes both.
SELECT version FROM scope WHERE learner = $1 ORDER BY name /*postgres: FOR UPDATE*/
