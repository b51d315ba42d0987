-- Whether somebody performs the actions of a law. A turn that left its actions out because nobody did is refused once
-- somebody does, so this has to be found without reading the text of the law.
ALTER TABLE law ADD COLUMN delivers BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE law SET delivers = TRUE WHERE source LIKE '%"delivers":true}';
