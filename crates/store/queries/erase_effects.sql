DELETE FROM effect
WHERE
    instance IN (SELECT id FROM instance WHERE learner = $1)
    OR instance = 'learner/' || CAST($1 AS TEXT)
