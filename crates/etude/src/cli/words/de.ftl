cli-language = { $code ->
    [de] Deutsch
    [en] Englisch
    [es] Spanisch
    [fr] Französisch
   *[other] { $code }
}

## Was vor einer Zeile steht

cli-label-you = Du
cli-label-coach = Coach
cli-label-note = Hinweis
cli-label-heading = Überschrift
cli-label-word = Wort
cli-label-meaning = Bedeutung
cli-label-explanation = Erklärung
cli-label-example = Beispiel
cli-label-scene = Szene
cli-label-say = Sag
cli-label-slowly = Langsam
cli-label-difference = Unterschied
cli-label-question = Frage
cli-label-choice = Auswahl
cli-label-code = Code
cli-label-output = Ergebnis
cli-label-tests = Tests
cli-label-steps = Schritt
cli-label-progress = Fortschritt

## In einer Sitzung

cli-welcome = { $title }. Alles wird laufend gespeichert; `hilfe` zeigt die Befehle.
cli-welcome-aloud = { $title }. Alles wird laufend gespeichert. Du kannst „noch mal“, „langsamer“ und „stopp“ sagen.
cli-goes-on = Es geht dort weiter, wo du aufgehört hast.
cli-only-for-new = Diese Optionen gelten für eine neue Sitzung; mit --new beginnst du eine.
cli-left-the-old = Die offene Sitzung ist beendet.
cli-cannot-go-on = Eine ältere Sitzung lässt sich nicht fortsetzen ({ $reason }).
cli-thinking = Einen Moment …
cli-moved-on = Das ging inzwischen anderswo weiter, deshalb zählte deine Zeile nicht. So steht es jetzt.
cli-waits = Das Modell hat nicht geantwortet. Versuch es später noch einmal; `etude doctor` sagt dir, ob es funktioniert.
cli-waits-until = Das Nächste ist { $when } fällig.
cli-saved = Gespeichert. Mit `{ $command }` machst du dort weiter, wo du aufgehört hast.
cli-next-session = Mit `{ $command }` beginnt die nächste Sitzung.
cli-press-enter = Drück Enter zum Schließen.
cli-more = Enter: weiterlesen
cli-rejected = { $message }; { $cure }.
cli-cut = Das war sehr lang: Gelesen wurden nur die ersten { $count } Zeichen.
cli-not-text = Ein Teil davon war kein lesbarer Text und wurde weggelassen.
cli-not-a-number = Das ist keine Zahl.
cli-not-an-option = Das steht nicht zur Auswahl. Tippe eine der Möglichkeiten.
cli-keeps = Enter behält: { $text }
cli-no-editor = Es ist kein Editor eingestellt. Setze EDITOR, oder füge das Programm ein und schließe mit einer Zeile ab, in der nur ein Punkt steht.
cli-not-edited = `{ $editor }` hat das Programm nicht bearbeitet: { $why }
cli-step-of = { $call }: Schritt { $at } von { $of }
cli-step-keys = Enter: nächster Schritt · b: zurück · eine Zahl: dieser Schritt · alles andere geht weiter
cli-step-line = { $number }, Zeile { $line }: { $text }
cli-step-changes = { $number }, { $changed }; dann Zeile { $line }: { $text }
cli-step-returns = { $number }, { $function } gibt { $value } zurück
cli-step-returns-now = { $function } gibt { $value } zurück.
cli-step-stack = Aufrufe: { $calls }
cli-step-result = Das Ergebnis ist { $result }; erwartet wird { $expected }.
cli-step-error = Der Aufruf endet mit einem Fehler: { $error } Erwartet wird { $expected }.
cli-steps-cut = Der Aufruf geht weiter; gezeigt sind die ersten Schritte.
cli-tests-passed = { $passed } von { $of } bestanden
cli-test-failed = { $verdict ->
    [wrong_answer] Test { $index }: falsches Ergebnis { $place }
    [time_limit] Test { $index }: zu langsam
    [memory_limit] Test { $index }: zu viel Speicher
    [output_limit] Test { $index }: zu viel Ausgabe
    [runtime_error] Test { $index }: beim Laufen gescheitert
    [compile_error] Test { $index }: lässt sich nicht übersetzen
   *[other] Test { $index }: nicht geprüft
}
cli-progress = { $label } { $done }
cli-progress-of = { $label } { $done } von { $of }
cli-answer-in-order = Antworte mit den Buchstaben oder Zahlen in der richtigen Reihenfolge, zum Beispiel so: { $example }.
cli-answer-with-commas = Antworte mit einem Wort oder Ausdruck für jede Lücke, durch Kommas getrennt.
cli-piece-missing = es fehlt „{ $expected }“
cli-piece-extra = überflüssig: „{ $heard }“
cli-piece-changed = „{ $expected }“ statt „{ $heard }“
cli-mark = Deine letzte Antwort bekam { $quality } von 5 Punkten.
cli-no-mark = Bisher wurde noch keine deiner Antworten bewertet.
cli-found = „{ $words }“ sagt es: { $idea }
cli-missing = es fehlt noch: { $idea }

## Was man tippen kann

cli-enter = Enter: { $what }
cli-key = `{ $key }`: { $what }
cli-key-enter = Enter
cli-key-again = nochmal
cli-key-why = warum
cli-key-quit = ende
cli-commands = Befehle
cli-help-program = Das Programm abschließen, in einer eigenen Zeile; ``` davor und danach bewirkt dasselbe.
cli-program-begun = Dieses Programm hattest du angefangen. Enter macht damit weiter; alles andere beginnt ein neues.
cli-program-ends = Schließe das Programm mit einer Zeile ab, in der nur ein Punkt steht.
cli-help-lines = In der nächsten Zeile weiterschreiben; ein offenes ``` bewirkt dasselbe.
cli-help-again = Alles noch einmal zeigen.
cli-help-why = Zeigen, wie deine letzte Antwort bewertet wurde.
cli-help-quit = Aufhören; alles ist gespeichert. Strg-C und Strg-D tun dasselbe.
cli-help-help = Das hier zeigen; `hilfe` zeigt es auch.
cli-unknown-command = `{ $command }` ist hier kein Befehl und wurde nicht als Antwort gewertet. `hilfe` zeigt die Befehle.
cli-not-now = `{ $command }` bewirkt hier nichts und wurde nicht als Antwort gewertet. `hilfe` zeigt die Befehle.
cli-no-questions = Eigene Fragen kannst du hier nicht stellen. `hilfe` zeigt die Befehle.
cli-nothing-asked = Dir wurde noch keine Frage gestellt. Eine eigene Frage beginnst du mit `?`.
cli-all-answered = Es ist keine Frage offen. `hilfe` zeigt die Befehle.
cli-nothing-to-do = Hier gibt es im Moment nichts zu tun.

## Pakete

cli-your-problems = Programmieraufgaben
cli-rung = Stufe { $rung }
cli-solved = gelöst
cli-your-packs = Deine Pakete
cli-packs-for = Pakete für { $learner }
cli-taught-in = { $language }, erklärt auf { $explained }
cli-pack-tally = { $items } { $items ->
    [one] Eintrag
   *[other] Einträge
} · { $learned } gelernt · { $due } fällig
cli-session-is-open = eine Sitzung ist offen
cli-how-to-begin = Mit `{ $command }` geht es los.
cli-no-packs = Kein Paket ist lesbar. Eigene Pakete gehören in den Ordner { $folder }.
cli-left-out = { $file } wird ausgelassen; `{ $command }` zeigt, warum.

## Kurse

cli-your-courses = Deine Kurse
cli-courses-of = Kurse von { $learner }
cli-course-stands = { $status } · { $mastered } von { $all } gemeistert
cli-reviews-due = { $count } { $count ->
    [one] Wiederholung
   *[other] Wiederholungen
} fällig
cli-review-when = Wiederholung { $when }
cli-could-learn = Das könntest du lernen
cli-curriculum = { $concepts } { $concepts ->
    [one] Begriff
   *[other] Begriffe
}, { $time }, { $language }
cli-minutes = etwa { $count } { $count ->
    [one] Minute
   *[other] Minuten
}
cli-hours = etwa { $count } { $count ->
    [one] Stunde
   *[other] Stunden
}
cli-anything-else = Sag, was du lernen willst: `etude teach "Ich möchte … lernen"`. Mit einem Modell geht jedes Thema.
cli-inbox-has = { $count ->
    [one] 1 Nachricht wartet
   *[other] { $count } Nachrichten warten
} auf dich: `etude teach inbox`.
cli-inbox-is-empty = Dein Posteingang ist leer.
cli-inbox-asks = Mit `{ $command }` kannst du antworten.
cli-drawing-map = Ich zeichne eine Karte von allem, was es zu lernen gibt …
cli-taken-up = Es geht weiter mit allem, was du schon wusstest. Fragen, die damals offen waren, werden nicht noch einmal gestellt.
cli-gate-only-for-new = --gate gilt für einen neuen Kurs; dieser hier geht weiter.
cli-goal-only-for-new = --goal gilt für einen neuen Kurs; dieser hier geht weiter.
cli-again-only-when-over = --again gilt für einen Kurs, der zu Ende ist; dieser hier geht weiter.
cli-is-completed = { $due } Diesen Kurs hast du abgeschlossen. Mit `{ $review }` übst du ihn, mit `{ $again }` fängst du von vorn an.
cli-is-abandoned = „{ $title }“ hast du beendet. Mit `{ $resume }` machst du weiter, mit `{ $again }` fängst du von vorn an.
cli-practise = Enter: jetzt üben
cli-no-words-in = Etude kann kein „{ $language }“ und spricht deshalb Englisch. Es kann: { $known }
cli-no-bot = es ist kein Bot eingerichtet: docs/notify.md sagt, wie das geht
cli-send-to-bot = Schick das innerhalb von { $minutes } Minuten an deinen Bot:
cli-pack-covers = Dazu gibt es keinen Kurs, aber Wörter zum Üben: „{ $title }“. Übe sie mit `{ $command }`.
cli-other-language = Dieser Kurs ist auf { $language }; antworte bitte auch auf { $language }.
cli-due-now = { $count ->
    [one] 1 Begriff ist
   *[other] { $count } Begriffe sind
} zur Wiederholung fällig.
cli-next-review = Die nächste Wiederholung ist { $when }.
cli-nothing-due = Es ist nichts zur Wiederholung fällig.
cli-course-waits = „{ $title }“ geht weiter: `{ $command }`.
cli-completed = Du hast den Kurs abgeschlossen. `etude teach review` hält das Wissen frisch.
cli-was-abandoned = Der Kurs wurde beendet. `etude teach list` sagt dir, wie du ihn fortsetzt.
cli-sure = „{ $title }“ beenden? Was du gelernt hast, bleibt dir. [j/N]
cli-not-abandoned = Es wurde nichts geändert.
cli-abandoned = „{ $title }“ ist beendet. Mit `etude teach resume { $id }` geht es weiter.
cli-already-ended = „{ $title }“ ist schon zu Ende
    .cure = mit `{ $command }` geht es weiter
cli-ambiguous-course = `{ $name }` kann mehrere Kurse meinen
    .cure = nenn einen davon mit dem Anfang seiner Kennung: { $courses }
cli-course-since = { $id } ({ $title }, { $status }, seit { $since })
cli-unknown-course = es gibt keinen { $kind ->
    [open] offenen Kurs
    [abandoned] beiseitegelegten Kurs
   *[any] Kurs
} `{ $name }`
    .cure = `etude teach list` zeigt deine Kurse
cli-written = { $file } wurde geschrieben.
cli-also-needs = braucht auch: { $concepts }
cli-you-are-here = ← hier bist du
cli-map-imported = „{ $title }“ ist bereit, { $concepts } { $concepts ->
    [one] Begriff
   *[other] Begriffe
}. Mit `{ $command }` geht es los.
cli-curriculum-imported = „{ $title }“ kann jetzt unterrichtet werden, { $concepts } { $concepts ->
    [one] Begriff
   *[other] Begriffe
}. Mit `{ $command }` geht es los.

## Die Begrüßung

cli-hello = Etude ist ein Coach, der sich mit dir abwechselt: Mal ist er dran, mal du.
cli-hello-again = { $name ->
    [none] Willkommen zurück!
   *[other] Willkommen zurück, { $name }!
}
cli-first-steps = Vier Dinge zum Ausprobieren:
cli-first-teach = ein Thema lernen: erst ein paar Fragen, dann ein Begriff nach dem anderen
cli-first-drill = die Wörter einer Sprache lernen, indem du sie benutzt
cli-first-attempt = eine Programmieraufgabe in fünf Schritten lösen, mit Tests und Tipps
cli-first-agent = einen Coding-Agenten coachen lassen, damit er zu Ende bringt, was er anfängt
cli-more-help = `etude --help` zeigt alle Befehle, und `etude doctor` prüft diesen Rechner.
cli-greet-reviews = { $count ->
    [one] 1 Begriff ist
   *[other] { $count } Begriffe sind
} zur Wiederholung fällig
cli-greet-patterns = { $count ->
    [one] 1 Muster ist für eine neue Aufgabe fällig
   *[other] { $count } Muster sind für eine neue Aufgabe fällig
}
cli-greet-attempt = die Aufgabe „{ $title }“ ist offen
cli-greet-problem = die nächste Aufgabe: { $title }
cli-greet-words = { $count ->
    [one] 1 Wort ist
   *[other] { $count } Wörter sind
} in „{ $pack }“ fällig
cli-greet-course = „{ $title }“: { $mastered } von { $all } gemeistert
cli-greet-review = „{ $title }“: nächste Wiederholung { $when }
cli-greet-session = deine Sitzung mit „{ $pack }“ ist offen
cli-greet-flow = deine Sitzung „{ $flow }“ ist offen
cli-greet-inbox = { $count ->
    [one] 1 Nachricht wartet
   *[other] { $count } Nachrichten warten
} auf dich
cli-greet-nothing = Es ist nichts fällig.
cli-greet-later = Es ist nichts fällig. Die nächste Wiederholung ist { $when }.
cli-next-step = Mit `{ $command }` machst du weiter.

## etude progress

cli-numbers-nothing = Hier gibt es noch nichts zu sehen. `etude teach THEMA` beginnt einen Kurs, `etude drill` zeigt die Pakete und `etude attempt` die Programmieraufgaben.
cli-numbers-of = Fortschritt: { $title }
cli-numbers-of-all = Fortschritt in allen Kursen
cli-numbers-label = { $about ->
    [mastery] gemeistert
    [pace] Tempo
    [retention] behalten
    [answers] Antworten
    [strongest] am stärksten
    [best-time] beste Zeit
    [done-around] fertig um den
    [words] Wörter
    [problems] Aufgaben
    [patterns] Muster
   *[next] als Nächstes
}
cli-numbers-mastery = { $percent } ({ $mastered } von { $concepts ->
    [one] 1 Begriff
   *[other] { $concepts } Begriffen
})
cli-numbers-pace = { $pace } Begriffe pro Woche
cli-numbers-retention = { $week } in 7 Tagen, { $month } in 30
cli-numbers-unknown = noch nicht bekannt
cli-numbers-answers = { $all }, davon { $week } in dieser Woche
cli-numbers-area = { $area } ({ $percent })
cli-numbers-words = { $pack }: { $learned } von { $items } gelernt, { $due } fällig
cli-numbers-problems = { $solved } von { $all } gelöst
cli-numbers-patterns = { $count } geübt{ $due ->
    [0] { "" }
   *[other] , { $due } für eine neue Aufgabe fällig
}
cli-numbers-next = `{ $command }`: { $title }

cli-voice-started = [run] Gespräch begonnen
    { "[" }run] Höchstens { $of } Runden
    { "[" }run] Stoppwörter: { $stop_words }; auf Deutsch auch Stopp und Tschüss
cli-voice-iteration = [Schleife] Runde { $turn }/{ $of }
cli-voice-listening = [Runde { $turn }] Warte auf das Weckwort …
cli-voice-woken = [Runde { $turn }] Weckwort gehört!
cli-voice-recording = [Runde { $turn }] Nehme auf …
cli-voice-recorded = [Runde { $turn }] { $samples } Abtastwerte aufgenommen ({ $seconds } s)
cli-voice-transcribing = [Runde { $turn }] Schreibe auf, was gesagt wurde …
cli-voice-transcribed = [Runde { $turn }] Verstanden: „{ $text }“ ({ $ms } ms)
cli-voice-parsing = [Runde { $turn }] Bestimme die Absicht …
cli-voice-intent = [Runde { $turn }] Absicht: { $kind ->
    [greeting] Gruß
    [question] Frage
    [command] Befehl
   *[unknown] unbekannt
} (Sicherheit={ $confidence })
cli-voice-generating = [Runde { $turn }] Suche eine Antwort …
cli-voice-answer = [Runde { $turn }] Antwort: „{ $text }“ (von: { $by ->
    [rules] den Regeln
    [model] dem Modell
   *[outside] einem anderen Programm
})
cli-voice-speaking = [Runde { $turn }] Spreche …
cli-voice-spoken = [Runde { $turn }] Gesprochen
cli-voice-spoken-after = [Runde { $turn }] Gesprochen ({ $seconds } s, erster Ton { $ms } ms nach dem Ende der Frage)
cli-voice-cut-in = [Runde { $turn }] Vom Lernenden unterbrochen
cli-voice-not-heard = [Runde { $turn }] Antwort: „{ $text }“
cli-voice-stop-word = [Runde { $turn }] Stoppwort erkannt: „{ $word }“
cli-voice-failed = [Runde { $turn }] Fehlgeschlagen: { $why }
    Abhilfe: { $cure }
cli-voice-goes-on = [Schleife] Weiter … (noch { $left } { $left ->
    [one] Runde
   *[other] Runden
})
cli-voice-over = [Schleife] { $reason }
cli-voice-ended = [Schleife] Ende nach { $turns } { $turns ->
    [one] Runde
   *[other] Runden
}
cli-voice-reason = [Schleife] Grund: { $reason } (Quelle: { $source })
cli-voice-complete = [run] Gespräch beendet
cli-voice-says = ♪ { $text }
cli-voice-says-slowly = ♪ (langsam) { $text }
cli-voice-listens = …
cli-voice-hears = › { $text } ({ $ms } ms)
cli-voice-fits = › gehört als „{ $text }“ (Abstand zum Nächstbesten: { $margin } Nat)
cli-voice-silence = › (Stille)
cli-voice-unheard = Ich habe eine Weile nichts von dir gehört und höre deshalb hier auf.
cli-voice-typed = Diese Antwort bitte eintippen.
cli-voice-troubled = ! { $why }

## Coding-Agenten

cli-agent-session = Sitzung { $session } von { $agent }
cli-agent-cut-off = die Sitzung { $session } wurde abgebrochen und gilt als gescheitert
cli-agent-sent-on = weitergeschickt:
cli-agent-finished = fertig:
cli-agent-failed = gescheitert:
cli-agent-over-to-you = du bist dran:
cli-agent-watchdog = Wächter:
cli-agent-check-proves-nothing = die Prüfung beweist nichts:
cli-agent-plan-unreadable = der Plan lässt sich nicht lesen:
cli-agent-found = gefunden:
cli-agent-nobody = hier war noch kein Agent
cli-agent-state = { $state ->
    [finished] fertig
    [done] fertig
    [waiting] wartet auf dich
    [silent] still
    [error] gescheitert
    [timeout] verstummt
    [user] von dir beendet
   *[working] arbeitet
}
cli-agent-phase = Phase { $phase }
cli-agent-summary = { $agent } { $session }: { $stops }-mal angehalten, { $saved ->
    [one] { $saved } Runde gespart
   *[other] { $saved } Runden gespart
}, { $claims ->
    [one] { $claims } unbelegte Behauptung zurückgeschickt
   *[other] { $claims } unbelegte Behauptungen zurückgeschickt
}, { $deliveries }-mal warst du dran ({ $questions ->
    [one] { $questions } Frage
   *[other] { $questions } Fragen
})
cli-agent-spent = { $agent } $ für den Agenten, { $model } $ für das Modell des Coachs
cli-agent-spent-by-model = { $model } $ für das Modell des Coachs
cli-agent-alarms = { $count ->
    [one] { $count } Warnung des Wächters
   *[other] { $count } Warnungen des Wächters
}
cli-agent-no-log = noch nichts; `etude agent install AGENT` lässt den Coach mitreden
cli-agent-tier = Stufe { $tier }
cli-agent-by-model = vom Modell
cli-agent-coached = hier redet der Coach mit:
cli-agent-no-folder = kein Ordner ist erlaubt: Ein Hook für alle Ordner hält sich überall heraus; `etude agent allow` erlaubt den Ordner, in dem du bist
cli-agent-paused = Pause: { $agent } { $session }; `etude agent unpause { $session }` beendet sie
cli-agent-unpaused = der Coach ist wieder dabei: { $agent } { $session }
cli-agent-is-on = an: Agenten, die zu früh aufhören, werden weitergeschickt
cli-agent-is-off = aus: Agenten hören auf, wann sie wollen; `etude agent on` schaltet den Coach ein
