# Was eine Bewertung zu einer Antwort sagt.

grade-misspelt = Achte auf die Schreibweise.
grade-wrong = Noch nicht.
grade-wrong-because = Noch nicht. { $says }
grade-no-answer = Keine Antwort, das macht nichts. Rate beim nächsten Mal ruhig: Dann zeigt sich, was zu erklären ist.
grade-order-wrong = Die Reihenfolge stimmt noch nicht.
grade-order-nearly = Fast: Zwei benachbarte Schritte sind vertauscht.
grade-only-words = Diese Wörter gehören zum Thema. Sag in einem Satz, wie sie zusammenhängen.
grade-missing = Noch nicht. Das gehört in die Antwort: { $ideas }.
grade-partly = Zum Teil richtig. Es fehlt noch: { $ideas }.
grade-loose = Die richtigen Wörter sind da, aber der Satz sagt nicht, was er sagen soll.
grade-doubt = Das kann richtig sein, nur mit anderen Worten. Vergleiche es mit einer guten Antwort.
grade-contradicts = Ein Teil passt nicht zum Rest. { $says }
grade-gaps = { $right } von { $all } Lücken stimmen.
grade-cut = Gelesen wurden nur die ersten { $chars } Zeichen.
grade-and-cut = { $feedback } Gelesen wurden nur die ersten { $chars } Zeichen.

# Nachgefragt, statt zu bewerten.
grade-asked = Das ist eine Frage. Antworte mit einer Aussage, oder beginne mit `?`, wenn du selbst etwas fragen willst.
grade-name-one = Welche Möglichkeit meinst du? Antworte mit einer von { $labels }.
grade-name-all = Nenne { $labels } je einmal, in der richtigen Reihenfolge.

# Im Zweifel vergleicht der Lernende.
grade-compare = Hier bin ich mir nicht sicher, also entscheidest du. Du hast geschrieben:
  
  > { $own }
  
  Eine gute Antwort:
  
  > { $good }
  
  Welche dieser Gedanken hatte deine Antwort? Nenne die Buchstaben, `alle` oder `keine`.
grade-with-entries = { $ask }{ $entries }
grade-had-all = Dann zählt es als 3, auf dein Wort hin.
grade-had-some = Ein Teil war dabei.
grade-had-none = Danke für die ehrliche Antwort.
grade-name-had = Nenne die Gedanken, die deine Antwort hatte: einige von { $labels }, `alle` oder `keine`.

# Zahlen und Abfragen.
grade-number-rounded = Der Weg stimmt, aber das ist zu stark gerundet: { $answer }.
grade-give-number = Gib eine Zahl an, zum Beispiel 0,25, 1/4 oder 25 %.
grade-give-one-number = Ich sehe mehrere Zahlen. Welche ist deine Antwort?
grade-query-failed = Die Datenbank lehnt das ab: { $says }
grade-query-differs = Es läuft, liefert aber andere Zeilen. { $says }
grade-query-columns = Das Ergebnis hat { $given ->
        [one] eine Spalte
       *[other] { $given } Spalten
    } statt { $wanted }.
grade-query-rows = Es { $given ->
        [one] ist eine Zeile
       *[other] sind { $given } Zeilen
    } statt { $wanted }.
grade-query-order = Die Zeilen stimmen, aber ihre Reihenfolge nicht.
grade-query-row = Diese Zeile gehört nicht dazu: { $row }.
grade-query-no-rows = Diese Anweisung liefert keine Zeilen. Ein SELECT tut das.
grade-query-more-rows = Diese Anweisung liefert mehr als { $most } Zeilen.
grade-query-more-statements = Das sind mehr als { $most } Anweisungen.
grade-query-takes-too-long = Das dauert zu lange.
grade-query-forbidden = Diese Anweisung ist hier nicht erlaubt.
grade-query-hidden = Es passt zu den Zeilen, die du siehst, aber nicht zu anderen Zeilen in denselben Tabellen.
grade-unchecked = Das kann ich hier nicht ausführen.
grade-program-failed = { $passed } von { $all } Tests bestanden. { $first }
grade-program-difference = Bei { $input } ergibt es { $actual } statt { $expected }.
grade-program-said = { $verdict ->
        [compile_error] Es lässt sich nicht übersetzen: { $says }
        [time_limit] Es dauert zu lange.
        [memory_limit] Es braucht zu viel Speicher.
        [output_limit] Es gibt zu viel aus.
       *[other] Es bricht mit einem Fehler ab: { $says }
    }
