-- Names are sorted by a rule only Anki has, so the index on them must stay untouched.
SELECT id, name FROM decks NOT INDEXED
