attempt-about = Löse eine Programmieraufgabe in fünf Schritten: erklären, planen, schreiben, testen, zurückblicken.

attempt-verb-open = Aufgabe beginnen
    .help = Der Coach stellt dir eine Programmieraufgabe.
attempt-verb-mode = Modus wählen
    .help = Anfänger (BEGINNER) oder Experte (EXPERT), bevor du etwas abgibst.
attempt-verb-explain = Aufgabe erklären
    .help = Sag mit eigenen Worten, was verlangt ist.
attempt-verb-follow_up = Frage beantworten
    .help = Beantworte die Frage des Coachs zu deiner Erklärung.
attempt-verb-suggest = Welche Muster könnten passen?
    .help = Du siehst zwei oder drei Muster. Ihre Reihenfolge verrät nichts.
attempt-verb-discover = Muster durch Fragen finden
    .help = Grenze die Muster ein, Frage für Frage.
attempt-verb-choose = Muster wählen
    .help = Nenne ein Muster, wie sicher du bist (1 bis 5), und was immer gilt.
attempt-verb-submit = Programm abgeben
    .help = Füge dein Programm ein und schließe mit einer Zeile ab, in der nur ein Punkt steht; oder tippe edit.
attempt-verb-hint = Tipp holen
    .help = Verbrauche einen deiner Tipps.
attempt-verb-run = Tests ausführen
    .help = Die Testumgebung prüft dein Programm mit allen Tests.
attempt-verb-explain_failure = Warum schlägt er fehl?
    .help = Sag, was deiner Meinung nach im fehlgeschlagenen Test schiefgeht, und bekomm Hilfe bei der Suche.
attempt-verb-trace = Zeile für Zeile ansehen
    .help = Sieh deinem Programm bei einem Fall zu, der fehlschlägt: Zeile für Zeile, mit seinen Variablen.
attempt-verb-retry = Programm ändern
    .help = Zurück zu deinem Programm.
attempt-verb-challenge = Herausforderung annehmen
    .help = Beantworte die Frage zur geänderten Aufgabe.
attempt-verb-reflect = Zurückblicken
    .help = Halte fest, woran du so eine Aufgabe erkennst, und schließe ab.
attempt-verb-skip_reflection = Ohne Rückblick abschließen
    .help = Die Aufgabe ist gelöst; schließe hier ab.
attempt-verb-skip = Schritt überspringen
    .help = Experten dürfen ohne Erklärung oder Plan weitergehen.
attempt-verb-abandon = Aufgeben
    .help = Beende diesen Versuch endgültig.

attempt-step = { $step ->
    [UNDERSTAND] Verstehen
    [PLAN] Planen
    [IMPLEMENT] Schreiben
    [VERIFY] Testen
    [REFLECT] Zurückblicken
   *[other] Fertig
}
attempt-steps = Schritt
attempt-hints-used = Tipps
attempt-constraints =
    { "**Grenzen**" }

    { $limits }
attempt-head-call = Aufruf
attempt-head-result = Ergebnis
attempt-head-why = Warum

attempt-ask-explanation = Erkläre die Aufgabe so, dass eine Zwölfjährige sie versteht.
attempt-field = { $field ->
    [explanation] Die Aufgabe, in deinen eigenen Worten
    [inputOutputDescription] Was hineingeht und was herauskommt
    [constraintsDescription] Welche Grenzen wichtig sind
    [exampleWalkthrough] Ein Beispiel, Schritt für Schritt, mit Werten und Ergebnis
   *[wrongApproach] Ein Ansatz, der nicht funktioniert oder zu langsam ist, und warum
}
attempt-mode-set = { $mode ->
    [EXPERT] Du arbeitest jetzt als Experte: Der Coach verlangt weniger, und du darfst Schritte überspringen.
   *[BEGINNER] Du arbeitest jetzt als Anfänger: Der Coach fragt nach jedem Schritt.
}
attempt-understood = Du hast die Aufgabe verstanden. Mach jetzt einen Plan.
attempt-not-understood-yet = Bevor du planst, fehlt noch etwas.
attempt-strength = „{ $words }“ zählt als: { $idea }.
attempt-gap-missing = { $field ->
    [explanation] Es fehlt noch eine Erklärung der Aufgabe.
    [inputOutputDescription] Sag, was hineingeht und was herauskommt.
    [constraintsDescription] Sag, welche Grenzen wichtig sind.
    [exampleWalkthrough] Geh ein Beispiel mit seinen Werten durch.
   *[wrongApproach] Nenne einen Ansatz, der nicht funktioniert, und sag, warum.
}
attempt-gap-thin = { $field ->
    [explanation] Die Erklärung ist zu kurz für jemanden, der die Aufgabe nicht kennt.
    [inputOutputDescription] Sag mehr darüber, was hineingeht und was herauskommt.
    [constraintsDescription] Sag mehr über die Grenzen.
    [exampleWalkthrough] Dein Gang durch das Beispiel ist zu kurz, um ihm zu folgen.
   *[wrongApproach] Sag mehr über den Ansatz, der nicht funktioniert.
}
attempt-gap-copied = Das sind vor allem die Worte der Aufgabe. Sag es mit deinen eigenen Worten.
attempt-gap-language = { $language ->
    [en] Ohne Modell versteht der Coach Erklärungen nur in der Sprache der Aufgabe. Erklär sie bitte auf Englisch.
    [de] Ohne Modell versteht der Coach Erklärungen nur in der Sprache der Aufgabe. Erklär sie bitte auf Deutsch.
   *[other] Ohne Modell versteht der Coach Erklärungen nur in der Sprache der Aufgabe.
}
attempt-gap-heap = Das sind Wörter, aber keine Sätze. Erklär es so, wie du es einer Freundin erklären würdest.
attempt-gap-task = Die Grenzen sind klar, aber noch nicht, was zu tun ist und was herauskommt.
attempt-gap-opposite = „{ $words }“ scheint das Gegenteil von dem zu sagen, was die Aufgabe verlangt. Lies diese Stelle noch einmal.
attempt-gap-misread = Du schreibst „{ $words }“. { $says }
attempt-gap-no-example = Das Beispiel gehört nicht zu dieser Aufgabe. Nimm die Werte eines Beispiels aus der Aufgabe oder andere, die zu ihr passen, und nenne das Ergebnis.
attempt-gap-wrong-result = Das Beispiel hat eine Eingabe dieser Aufgabe, aber nicht ihr Ergebnis.
attempt-gap-approach = Es ist nicht klar, warum dieser Ansatz scheitert oder zu langsam ist. Sag, warum.
attempt-gap-right-approach = Dieser Ansatz könnte durchaus funktionieren. Nenne einen, der das nicht tut.
attempt-gap-ideas = { $count ->
    [one] In deiner Erklärung fehlt noch ein Punkt, auf den es in dieser Aufgabe ankommt.
   *[other] In deiner Erklärung fehlen noch { $count } Punkte, auf die es in dieser Aufgabe ankommt.
}
attempt-gap-named = Das sagt deine Erklärung noch nicht: { $ideas }.
attempt-ask-sample = Im Beispiel ergibt { $call } das Ergebnis { $result }. Warum genau das?
attempt-ask-edge = Was soll hier geschehen: { $edge }?
attempt-ask-limit = „{ $limit }“ – was bedeutet diese Grenze für eine Lösung?

attempt-ask-pattern = Welches Muster nimmst du? `vorschlag` nennt ein paar, `fragen` findet eines durch Fragen.
attempt-field-pattern = Das Muster
attempt-field-confidence = Wie sicher bist du, von 1 bis 5?
attempt-field-invariant = Was in jeder Runde gilt (die Invariante)
attempt-ask-invariant = Jetzt deine Invariante: Was gilt in jeder Runde?
attempt-field-template = Fülle die Lücken, oder sag es mit deinen Worten: { $template }
attempt-field-complexity = Wie lange es dauert, zum Beispiel O(n)
attempt-suggested = Diese könnten passen. Ihre Reihenfolge verrät nichts.
attempt-suggest-next = Probier jedes von Hand an einem Beispiel aus, wähl dann eines und sag, was immer gilt.
attempt-fits = { $name } passt zu dieser Aufgabe.
attempt-may-fit = { $name } kann hier funktionieren. Achte darauf, was es vorher braucht.
attempt-unsure = Bei { $name } bist du unsicher, und es gibt etwas, das besser passt. Was würde es mit { $call } zuerst tun?
attempt-warned = { $name } passt kaum. Es ist deine Entscheidung; probier es an { $call } aus, bevor du viel schreibst.
attempt-counter-example = Probier { $name } von Hand an { $call } aus. Wo bleibt es stecken?
attempt-no-invariant = Sag auch, was in jeder Runde gilt: Das hilft am meisten, wenn du die Schleife schreibst.
attempt-invariant-holds = Deine Invariante gilt.
attempt-invariant-slots = Prüf deine Invariante vor der ersten und nach der letzten Runde, vor allem: { $slots }.
attempt-invariant-asked = Gilt deine Invariante vor der ersten Runde, und ergibt sie nach der letzten das Ergebnis? { $question }
attempt-complexity-fits = Der Aufwand passt zu den Grenzen.
attempt-complexity-asked = Zähl noch einmal, wie oft der innerste Schritt bei der größten Eingabe läuft. { $question }
attempt-discovery = Mit ein paar Fragen grenzen wir es ein.
attempt-discovered = { $count ->
    [one] Übrig bleibt: { $patterns }. Probier es an einem Beispiel aus und wähl dann.
   *[other] Übrig bleiben: { $patterns }. Probier jedes an einem Beispiel aus und wähl dann.
}

attempt-ask-program = Schreib `{ $function }` in { $language }.
attempt-ask-run = Dein Programm ist gespeichert. Führ die Tests aus.
attempt-ask-after-failure = { $trace ->
    [yes] Sag, was deiner Meinung nach schiefgeht, sieh es dir Zeile für Zeile an (`ablauf`), oder ändere das Programm (`zurück`).
    [untested] Führ die Tests noch einmal aus (`test`), oder ändere das Programm (`zurück`).
   *[no] Sag, was deiner Meinung nach schiefgeht, oder ändere das Programm (`zurück`).
}
attempt-running = Die Testumgebung prüft dein Programm.
attempt-hint-comes = Der Coach formuliert den Tipp.
attempt-hint = { $left ->
    [0] Tipp der Stufe { $level }. Das war der letzte.
    [one] Tipp der Stufe { $level }. Einer ist noch übrig.
   *[other] Tipp der Stufe { $level }. { $left } sind noch übrig.
}
attempt-saved = Gespeichert.
attempt-failed = { $passed } von { $total } Tests bestanden.
attempt-failed-first = Test { $index }: { $verdict }. `{ $input }` soll `{ $expected }` ergeben; dein Programm ergab `{ $actual }`.
attempt-failed-hidden = Test { $index }, dessen Werte verborgen sind: { $verdict }.
attempt-failed-with = Test { $index }: { $verdict }.
attempt-not-judged = Die Testumgebung konnte dein Programm nicht ausführen, deshalb zählt dieser Lauf nicht: { $message }
attempt-not-compiled = Dein Programm lässt sich nicht übersetzen: { $message }
attempt-lost = Die Testumgebung hat nicht geantwortet. Führ die Tests noch einmal aus.
attempt-passed = { $total ->
    [one] Der Test ist bestanden.
   *[other] Alle { $total } Tests sind bestanden.
}
attempt-case-seen = { $bug ->
    [missing_edge_case] Die Eingabe { $input } ist so klein wie möglich. Sie soll { $expected } ergeben, und dein Programm ergibt { $actual }: So eine Eingabe braucht vielleicht eine eigene Überlegung.
    [off_by_one] Bei { $input } liegt das Ergebnis { $actual } gleich neben { $expected }: Vielleicht wird etwas einmal zu oft oder zu selten gezählt.
    [wrong_condition] Bei { $input } ist die Antwort umgekehrt: { $actual } statt { $expected }.
    [missing_return] Bei { $input } gibt dein Programm nichts zurück, erwartet wird { $expected }: Vielleicht endet ein Weg ohne Ergebnis.
    [type] Bei { $input } ergibt dein Programm { $actual }, erwartet wird { $expected }: Der Wert hat einen anderen Typ.
   *[other] Bei { $input } ergibt dein Programm { $actual }, erwartet wird { $expected }.
}
attempt-case-hidden = { $size ->
    [none] Test { $index } ist verborgen: { $verdict }. Seine Eingabe ist leer.
    [one] Test { $index } ist verborgen: { $verdict }. Seine Eingabe hat ein Element.
    [some] Test { $index } ist verborgen: { $verdict }. Seine Eingabe ist klein.
    [many] Test { $index } ist verborgen: { $verdict }. Seine Eingabe ist groß.
   *[unknown] Test { $index } ist verborgen: { $verdict }.
}
attempt-case-failed = { $bug ->
    [boundary] `{ $input }`: { $verdict }. Es wird gelesen, wo nichts ist.
    [type] `{ $input }`: { $verdict }. Ein Wert hat einen anderen Typ als den, der gebraucht wird.
    [termination] `{ $input }`: { $verdict }. Entweder endet etwas nie, oder es tut viel zu viel.
    [syntax] Dein Programm: { $verdict }.
   *[other] `{ $input }`: { $verdict }.
}
attempt-smallest = Die kleinste gefundene Eingabe, die fehlschlägt: `{ $call }` soll `{ $expected }` ergeben; dein Programm ergibt `{ $actual }`.
attempt-smallest-failed = Die kleinste gefundene Eingabe, die fehlschlägt: `{ $call }`. Ergebnis: { $verdict }.
attempt-traced = { $steps ->
    [one] { $call } Zeile für Zeile: ein Schritt.
   *[other] { $call } Zeile für Zeile: { $steps } Schritte.
}
attempt-not-traced = Zeile für Zeile gibt es nichts zu zeigen: { $message }
attempt-next-step = { $bug ->
    [missing_edge_case] Geh dein Programm mit dieser kleinsten Eingabe von Hand durch. Welche Zeile läuft zuerst, und was setzt sie voraus?
    [off_by_one] Schreib die Werte deiner Schleifenvariable in der ersten und in der letzten Runde auf. Ist jeder davon gewollt?
    [wrong_condition] Lies jede Bedingung mit den Werten dieses Falls laut vor. Welche sagt nicht, was du meinst?
    [missing_return] Verfolg diese Eingabe durch jeden Zweig. Welcher Weg endet ohne Ergebnis?
    [boundary] Gib Position und Länge direkt vor dem Zugriff aus, der scheitert. Wann treffen sie sich?
    [type] Gib die Typen der Werte in der Zeile aus, die scheitert. Woher kommt der unpassende?
    [termination] Welcher Wert kommt in jeder Runde dem Ende näher? Zähl die Runden bei einer Eingabe mit zehn Elementen.
    [syntax] Lies die erste Meldung des Übersetzers und sieh dir die Zeile und die darüber an.
   *[logic] Nimm den kleinsten Fall, der scheitert, und schreib auf, welche Werte deine Variablen nach jedem Schritt haben sollten; vergleich sie dann mit denen, die sie haben.
}
attempt-verdict = { $verdict ->
    [accepted] bestanden
    [wrong_answer] falsches Ergebnis
    [time_limit] zu langsam
    [memory_limit] zu viel Speicher
    [output_limit] zu viel Ausgabe
    [runtime_error] beim Laufen gescheitert
    [compile_error] lässt sich nicht übersetzen
   *[internal_error] nicht geprüft
}
attempt-verdict-with = { $verdict } (`{ $message }`)
attempt-said-too-little = Das ist zu kurz. Sag, was dein Programm dort tut und was es stattdessen tun soll.
attempt-said-fits = { $bug ->
    [missing_edge_case] Das passt: Kleiner kann die Eingabe kaum sein.
    [off_by_one] Das passt: Das Ergebnis liegt nur um eins daneben.
    [wrong_condition] Das passt: Die Antwort ist umgedreht.
    [missing_return] Das passt: Es kommt nichts zurück.
    [boundary] Das passt: Dein Programm liest, wo nichts ist.
    [type] Das passt: Ein Wert hat den falschen Typ.
    [termination] Das passt: Dein Programm kommt nicht rechtzeitig ans Ende.
    [syntax] Das passt: Das Programm lässt sich noch nicht lesen.
    [crash] Das passt: Ein Fehler beendet dein Programm. In welcher Zeile entsteht er, und welche Werte stehen dort?
   *[logic] Das passt zu diesem Fall.
}
attempt-said-rule = Das kann gut sein: Dazu hat die Aufgabe eine Regel. Such die Zeile, die sie verletzt.
attempt-said-unsure = { $bug ->
    [missing_edge_case] Ob es das ist, kann ich an diesem Fall nicht erkennen. Kleiner kann die Eingabe kaum sein: Geh sie von Hand durch und prüf, was du vermutest.
    [off_by_one] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass das Ergebnis nur um eins danebenliegt.
    [wrong_condition] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass die Antwort umgedreht ist.
    [missing_return] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass nichts zurückkommt.
    [boundary] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass dein Programm liest, wo nichts ist.
    [type] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt einen Wert mit einem anderen Typ als dem, der gebraucht wird.
    [termination] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass dein Programm die Grenzen nicht einhält.
    [syntax] Mag sein, aber dein Programm ist noch nicht gelaufen: Es lässt sich nicht übersetzen.
    [crash] Ob es das ist, kann ich an diesem Fall nicht erkennen. Er zeigt, dass ein Fehler dein Programm beendet. Sieh dir die Zeile an, in der er entsteht.
   *[logic] Ob es das ist, kann ich an diesem Fall nicht erkennen. Leg das erwartete Ergebnis neben deines: Worin unterscheiden sie sich, und erklärt dein Grund das?
}

attempt-cues =
    { "**Beim nächsten Mal**" }

    { $cues }
attempt-invariant-was = Was immer gilt: { $text }
attempt-adversary = Und wenn sich die Aufgabe ändert? { $question }
attempt-ask-reflection = Was nimmst du mit? Beantworte die Frage zur geänderten Aufgabe mit `/challenge` und einem Text, oder schließ mit `/finish` ab.
attempt-field-cues = Woran erkennst du so eine Aufgabe? (mehrere durch Semikolon getrennt)
attempt-field-summary = Was galt in deinem Programm immer?
attempt-challenge-asked = Noch ist nicht alles klar. Sag mehr: Was würdest du beibehalten oder ändern, und was kostet es?
attempt-challenge-met = Ja, damit kommst du mit der Änderung zurecht.
attempt-challenge-doubt = Das kann richtig sein. Eine gute Antwort: { $good }
attempt-challenge-missing = Das hast du nicht gesagt: { $ideas }. Eine gute Antwort: { $good }
attempt-comes-back = { $days ->
    [0] Das Muster { $pattern } kommt heute noch einmal.
    [one] Das Muster { $pattern } kommt morgen wieder.
   *[other] Das Muster { $pattern } kommt in { $days } Tagen wieder.
}
attempt-captured = Festgehalten.
attempt-legacy-approach = Wie willst du vorgehen?
attempt-held-back = Sieh dir den kleinsten Fall an, der scheitert, und frag dich, was du dort erwartet hast.

attempt-unknown-problem = die Aufgabe „{ $problem }“ gibt es nicht
    .cure = `etude attempt` oder /api/problems nennt die Aufgaben
attempt-problem-gone = die Aufgabe „{ $problem }“ gibt es hier nicht mehr
    .cure = leg ihre Datei wieder an ihren Platz, oder gib den Versuch auf
attempt-bad-input = das ist nicht lesbar: { $why }
    .cure = das Schema nennt die erwarteten Felder
attempt-too-long = { $field } hat mehr als { $most } Zeichen
    .cure = sag es kürzer
attempt-mode-is-fixed = der Modus lässt sich nur ändern, bevor etwas abgegeben wurde
    .cure = mach so weiter, oder beginne einen neuen Versuch im anderen Modus
attempt-no-skipping = Anfänger überspringen diesen Schritt nicht
    .cure = mach den Schritt, oder beginne einen neuen Versuch als Experte
attempt-no-follow-up = es ist keine Frage zur Erklärung offen
    .cure = gib die Erklärung noch einmal ab
attempt-unknown-pattern = das Muster „{ $pattern }“ gibt es nicht
    .cure = wähl eines von: { $known }
attempt-pattern-is-chosen = das Muster ist schon gewählt
    .cure = schick dieselbe patternId mit der Invariante, oder schreib dein Programm
attempt-bad-confidence = { $given } sagt nicht, wie sicher du bist
    .cure = nenne eine ganze Zahl von 1 (geraten) bis 5 (sicher)
attempt-unknown-template = diese Aufgabe hat keine Vorlage „{ $template }“
    .cure = wähl eine von: { $known }
attempt-bad-slot = für die Lücke „{ $slot }“ gibt es diese Auswahl nicht
    .cure = nenne für jede Lücke die Nummer einer Auswahl, von 0 bis { $last }
attempt-no-such-answer = „{ $answer }“ ist keine der Antworten
    .cure = antworte mit einem Buchstaben von a bis { $last }
attempt-no-hints-left = alle { $budget } Tipps sind verbraucht
    .cure = gib ab, was du hast: Auch ein fehlgeschlagener Test ist ein Tipp
attempt-empty-code = es fehlt das Programm
    .cure = gib den Text deines Programms als `code` ab
attempt-code-too-long = das Programm hat mehr als { $most } Bytes
    .cure = gib nur die Funktion ab und was sie braucht
attempt-code-not-text = das Programm enthält Zeichen, die kein Text sind
    .cure = gib seinen Quelltext als UTF-8 ab
attempt-unknown-language = die Sprache „{ $language }“ gibt es hier nicht
    .cure = schreib python, javascript oder rust
attempt-other-run = dieser Bericht gehört zu einem anderen Lauf
    .cure = führ die Tests noch einmal aus
attempt-no-run = die Tests sind noch nicht gelaufen
    .cure = führ sie zuerst aus
attempt-unknown-test = einen Test { $index } gibt es nicht
    .cure = die Tests haben die Nummern 0 bis { $last }
attempt-test-passed = Test { $index } ist bestanden
    .cure = nenne einen, der fehlgeschlagen ist
attempt-not-the-result = das sind nicht die Werte von Test { $index }
    .cure = Ergebnisse kommen nur von der Testumgebung; lass die Werte weg, oder wiederhole sie so, wie sie gemeldet wurden
attempt-hidden-test = die Werte von Test { $index } sind verborgen
    .cure = lass die Nummer weg: Dann siehst du die kleinste Eingabe, die fehlschlägt, falls eine gefunden wurde
attempt-not-traceable = ein Programm in { $language } lässt sich nicht Zeile für Zeile zeigen
    .cure = gib aus, was du sehen willst, oder schreib das Programm in Python oder JavaScript
attempt-nothing-to-trace = kein Fall, der fehlschlägt, hat Werte, die gezeigt werden dürfen
    .cure = nenne einen Test, dessen Werte du siehst, auch einen bestandenen
attempt-empty-answer = es fehlt die Antwort
    .cure = schreib einen oder zwei Sätze
attempt-too-many-cues = das sind mehr als { $most } Merkmale
    .cure = behalte die, die dir am meisten helfen
attempt-empty-reflection = es gibt nichts festzuhalten
    .cure = schreib ein Merkmal oder eine Zusammenfassung, oder überspring diesen Schritt
