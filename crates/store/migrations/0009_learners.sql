-- Whose flow a row belongs to, so that everything of a learner can be placed together: see `partitions.sql`. SQLite is one
-- place. Rows from before this migration get their learner when they are placed.
/*postgres:
ALTER TABLE log ADD COLUMN learner TEXT NOT NULL DEFAULT '';
ALTER TABLE effect ADD COLUMN learner TEXT NOT NULL DEFAULT '';
ALTER TABLE timer ADD COLUMN learner TEXT NOT NULL DEFAULT '';
*/
