-- One turn of a client on its own instance: a compare-and-set and a log entry in one transaction.
BEGIN;
UPDATE instance SET state = 'PING', version = :version + 1, data = '{}', updated_at = 0 WHERE id = :client_id AND version = :version AND state = 'PING';
INSERT INTO log (instance, version, at, event, from_state, to_state) VALUES (:client_id, :version + 1, 0, 'turn', 'PING', 'PING');
COMMIT;
\set version :version + 1
