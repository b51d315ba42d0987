-- Whether the actions of a law are performed. A turn that left them out because they were not is refused once they
-- are, so this has to be found without reading the text of the law.
ALTER TABLE law ADD COLUMN delivers BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE law SET delivers = TRUE WHERE source LIKE '%"delivers":true}';
