SELECT id, name FROM decks
