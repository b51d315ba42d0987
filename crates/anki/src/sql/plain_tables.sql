-- Tables that only have stored columns: no views, no virtual tables, nothing computed on reading.
SELECT listed.name
FROM pragma_table_list AS listed, pragma_table_xinfo(listed.name) AS columns
WHERE listed.schema = 'main' AND listed.type = 'table'
GROUP BY listed.name
HAVING max(columns.hidden) = 0
