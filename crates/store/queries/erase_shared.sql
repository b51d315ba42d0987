-- Deletes documents without a learner that are about this learner, a chat or a flow of theirs, or the cost of their flows.
DELETE FROM record
WHERE
    learner = ''
    AND (
        scope IN ('learner/' || CAST($1 AS TEXT), 'learner/' || CAST($1 AS TEXT) || '/mail', 'learner/' || CAST($1 AS TEXT) || '/chat')
        OR scope IN (SELECT 'chat/' || key FROM record WHERE learner = '' AND kind = 'chat' AND scope = 'learner/' || CAST($1 AS TEXT))
        OR (scope <> '' AND scope IN (SELECT id FROM instance WHERE instance.learner = $1))
        OR (kind = 'ledger' AND key IN (SELECT 'flow/' || id FROM instance WHERE instance.learner = $1))
    )
