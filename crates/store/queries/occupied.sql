-- What the doctor writes is no data.
SELECT EXISTS (SELECT 1 FROM instance) OR EXISTS (SELECT 1 FROM record WHERE kind <> 'doctor')
