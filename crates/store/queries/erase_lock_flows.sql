-- Every turn writes to this table first, so turns under way end before the deletion, and later ones wait for it.
LOCK TABLE instance IN SHARE ROW EXCLUSIVE MODE
