-- Every turn writes to this table first: turns under way end before the deletion, later ones wait for it.
LOCK TABLE instance IN SHARE ROW EXCLUSIVE MODE
