-- The previous entry is the newest in the log if that belongs to the same flow, otherwise the one that the flow named before.
INSERT INTO log (
    instance, version, at, event, source, payload, from_state, to_state, changes, facts, outcome, request, commit_id, previous
)
VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    COALESCE(
        (SELECT id FROM log WHERE id = (SELECT MAX(id) FROM log) AND instance = $1),
        (SELECT log_previous FROM instance WHERE instance.id = $1)
    )
)
