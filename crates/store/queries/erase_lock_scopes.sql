-- Turns lock a scope before they touch a flow, and so does a deletion.
SELECT version FROM scope WHERE learner = $1 ORDER BY name /*postgres: FOR UPDATE*/
