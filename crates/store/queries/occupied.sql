-- The records of `etude doctor` do not count as data.
SELECT EXISTS (SELECT 1 FROM instance) OR EXISTS (SELECT 1 FROM record WHERE kind <> 'doctor')
