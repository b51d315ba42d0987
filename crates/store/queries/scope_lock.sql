-- Keeps other transactions from changing the documents of this scope until this one ends. SQLite has only one writer anyway.
SELECT version FROM scope WHERE learner = $1 AND name = $2 /*postgres: FOR UPDATE*/
