-- Deletes the effects of the learner's flows, of the learner, and of the learner's channels.
DELETE FROM effect
WHERE
    instance IN (SELECT id FROM instance WHERE learner = $1)
    OR instance IN ('learner/' || CAST($1 AS TEXT), 'learner/' || CAST($1 AS TEXT) || '/mail', 'learner/' || CAST($1 AS TEXT) || '/chat')
    OR instance IN (SELECT 'chat/' || key FROM record WHERE learner = '' AND kind = 'chat' AND scope = 'learner/' || CAST($1 AS TEXT))
