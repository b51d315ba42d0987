-- Until the transaction ends, no other changes the documents of this scope. SQLite has only one writer anyway.
SELECT version FROM scope WHERE learner = $1 AND name = $2 /*postgres: FOR UPDATE*/
