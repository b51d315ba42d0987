SELECT
    (SELECT COUNT(*) FROM instance WHERE outcome IS NULL),
    (SELECT COUNT(*) FROM effect WHERE status = 'pending'),
    (SELECT COUNT(*) FROM effect WHERE status = 'dead'),
    (SELECT COUNT(*) FROM timer WHERE due_at <= $1)
