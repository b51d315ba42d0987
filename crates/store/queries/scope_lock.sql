-- Until the transaction ends nobody else changes the documents of this scope. SQLite has one writer anyway.
SELECT version FROM scope WHERE learner = $1 AND name = $2 /*postgres: FOR UPDATE*/
