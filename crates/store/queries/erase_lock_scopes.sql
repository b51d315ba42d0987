-- Locks scopes before flows, in the order that turns take their locks.
SELECT version FROM scope WHERE learner = $1 ORDER BY name /*postgres: FOR UPDATE*/
