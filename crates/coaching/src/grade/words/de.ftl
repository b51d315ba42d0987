# Was eine Bewertung zu einer Antwort sagt.

grade-misspelt = Achte auf die Schreibweise.
grade-wrong = Noch nicht.
grade-wrong-because = Noch nicht. { $says }
grade-no-answer = Noch keine Antwort. Rate ruhig: Dann zeigt sich, was zu erklären ist.
grade-order-wrong = Die Reihenfolge stimmt noch nicht.
grade-order-nearly = Fast: Zwei benachbarte Schritte sind vertauscht.
grade-only-words = Diese Wörter gehören zum Thema. Sag in einem Satz, wie sie zusammenhängen.
grade-missing = Noch nicht. Das gehört in die Antwort: { $ideas }.
grade-partly = Zum Teil richtig. Es fehlt noch: { $ideas }.
grade-contradicts = Ein Teil passt nicht zum Rest. { $says }
grade-gaps = { $right } von { $all } Lücken stimmen.
grade-cut = Gelesen wurden nur die ersten { $chars } Zeichen.
grade-and-cut = { $feedback } Gelesen wurden nur die ersten { $chars } Zeichen.

# Nachgefragt, statt zu bewerten.
grade-asked = Das ist eine Frage. Antworte mit einer Aussage, oder beginne mit `?`, wenn du selbst etwas fragen willst.
grade-name-one = Welche Möglichkeit meinst du? Antworte mit einer von { $labels }.
grade-name-all = Nenne { $labels } je einmal, in der richtigen Reihenfolge.
