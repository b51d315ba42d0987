agent-about = Lässt einen Coding-Agenten weiterarbeiten, solange etwas zu tun ist, und fragt sonst einen Menschen.

agent-verb-open = Agenten begleiten
    .help = Beginnt eine Sitzung mit einem Coding-Agenten.
agent-verb-stopped = Angehalten
    .help = Der Agent hat angehalten und etwas gesagt.
agent-verb-crashed = Abgestürzt
    .help = Das Programm des Agenten meldet einen Fehler.
agent-verb-prompted = Angesprochen
    .help = Ein Mensch hat dem Agenten etwas gesagt.
agent-verb-watched = Beobachtet
    .help = Meldet, was der Agent gerade tut.
agent-verb-halted = Beendet
    .help = Beendet die Sitzung: Ein Mensch hat übernommen.

## Der Tisch

agent-title = { $agent } { $session }
agent-continues = weitergeschickt
agent-rejections = ohne Beleg zurückgeschickt
agent-standstills = Stillstände

## Warum der Coach so entschieden hat. Das steht nach einem Doppelpunkt oder Strich.

agent-aside = { $why ->
    [off] der Coach ist ausgeschaltet
    [busy] im Hintergrund läuft noch etwas: { $running ->
        [one] { $running } Aufgabe oder Zeitplan
       *[other] { $running } Aufgaben oder Zeitpläne
    }
    [paused] der Coach macht in dieser Sitzung Pause
    [elsewhere] der Coach darf in diesem Ordner nicht mitreden
    [resting] du bist dran und hast noch nicht geantwortet
   *[finished] die Arbeit war fertig, und kein Mensch hat mehr verlangt
}
agent-bound = { $bound ->
    [time] { $minutes ->
        [one] der Agent ist seit mehr als { $minutes } Minute dabei
       *[other] der Agent ist seit mehr als { $minutes } Minuten dabei
    }
    [budget] der Agent hat { $dollars },{ $cents } $ gekostet und ist damit über seinem Budget
    [standstill] der Agent wiederholt sich und kommt nicht weiter
    [rejections] der Agent hat { $claims }-mal behauptet, fertig zu sein, und nichts belegt
    [asides] der Agent hat sehr oft angehalten, während der Coach nur zusah
   *[continues] der Agent wurde { $continues }-mal weitergeschickt und ist immer noch nicht fertig
}
agent-stale = die Sitzung war zu lange still
agent-crashed = das Programm des Agenten meldet den Fehler { $error }
agent-crashed-with = das Programm des Agenten meldet den Fehler { $error }: { $details }
agent-ended-by-watchdog = der Wächter hat den Agenten beendet: { $why }
agent-ended-in-time = Etude hat den Agenten nach { $span } beendet, weil seine Zeit um war
agent-not-started = der Agent lässt sich nicht starten: { $why }
agent-process-failed = der Prozess des Agenten ist fehlgeschlagen: { $how }
agent-run-cut-off = der Lauf wurde unterbrochen: Sein Prozess endete vor dem des Agenten
agent-run-signalled = der Lauf wurde unterbrochen: Signal { $signal } hat ihn beendet
agent-model-late = es hat nicht rechtzeitig geantwortet

## Der Wächter

agent-silence = vom Agenten ist seit { $span } nichts zu hören
agent-duration = der Agent arbeitet seit { $span }
agent-same-calls = der Agent hat { $count }-mal hintereinander denselben Aufruf gemacht
agent-errors = { $count ->
    [one] ein Aufruf ist fehlgeschlagen
   *[other] { $count } Aufrufe hintereinander sind fehlgeschlagen
}
agent-span = { $unit ->
    [seconds] { $count } s
    [minutes] { $count } min
   *[hours] { $count } h
}

## Womit der Agent angehalten hat, und woran man es sieht

agent-kind = { $kind ->
    [question] Frage
    [status] Zwischenstand
    [completion] Abschluss
    [blocker] Hindernis
   *[error] Fehler
}
agent-unsure = nicht sicher, darum entscheidet ein Mensch; am ehesten { $guess } ({ $percent } %): { $reason }
agent-no-words = die Ausgabe enthält keine Wörter
agent-raw-error = die Ausgabe ist eine Fehlermeldung
agent-lacks-something = dem Agenten fehlt etwas, das er sich nicht selbst beschaffen kann
agent-asks-for-decision = die Nachricht endet mit der Bitte um eine Entscheidung
agent-asks = die Nachricht endet mit einer Frage
agent-checks-failed = Prüfungen schlugen fehl, und damit endet die Nachricht
agent-failed = etwas schlug fehl, und damit endet die Nachricht
agent-cut-off = die Antwort war zu lang und wurde abgeschnitten
agent-goes-on = der Agent sagt, was er als Nächstes tut
agent-unfinished = etwas ist noch nicht fertig
agent-checks-shown = die Arbeit ist fertig, und die Nachricht zeigt die Prüfungen
agent-proved = die Arbeit ist fertig, und es gibt einen Beleg dafür
agent-changes-named = die Nachricht nennt, was geändert wurde
agent-no-run = angeblich fertig, aber kein Lauf, Commit oder Link belegt es
agent-nothing-shown = angeblich fertig, aber nichts belegt es
agent-plain-answer = eine einfache Antwort
agent-program-failed = das Programm des Agenten ist fehlgeschlagen
agent-interrupted = ein Mensch hat den Agenten unterbrochen
agent-declined = das Modell hat abgelehnt

## Warum ein Agent aufhören darf

agent-told = du hast eine Grenze gesetzt: „{ $words }“
agent-doubtful = er würde weitermachen mit „{ $step }“, und ich weiß nicht, ob du das willst
agent-planning = du wolltest nur einen Plan
agent-refused = du hast einen Aufruf abgelehnt oder den Agenten unterbrochen
agent-waits-outside = er wartet auf etwas, das anderswo läuft, etwa einen Build
agent-ruled-out = er will tun, was du ausgeschlossen hast: „{ $step }“
agent-risky = er kündigt etwas an, das nur du entscheiden solltest: „{ $step }“
agent-nothing-open = der Coach kann nichts nennen, was offen ist, darum darf der Agent aufhören ({ $reason })
agent-out-of-reach = { $open }, aber der Agent lässt sich nicht weiterschicken: { $why }
agent-asks-inside = die Nachricht enthält eine Frage
agent-needless = er fragt nur, ob er weitermachen soll, und du hast gesagt: „{ $words }“
agent-checked = die Prüfung ist bestanden: { $command }
agent-check-lost = die Prüfung { $command } beweist nichts: { $why }
agent-shown-by = ein Lauf nach der letzten Änderung belegt es: { $command }
agent-unchecked = { $reason }; nach der letzten Änderung lief nichts mehr

agent-news = { $reason }: „{ $quote }“

## Was offen ist

agent-open-check = die Prüfung schlägt fehl: { $command }
agent-open-todos = { $count ->
    [one] { $count } Punkt seiner Aufgabenliste ist offen
   *[other] { $count } Punkte seiner Aufgabenliste sind offen
}
agent-open-criteria = { $count ->
    [one] für { $count } Erfolgskriterium gibt es keinen Beleg
   *[other] für { $count } Erfolgskriterien gibt es keinen Beleg
}
agent-open-failing = seine letzte Prüfung schlug fehl: { $command }
agent-open-tests = er sagt „{ $quote }“, aber es lief kein Test
agent-open-tasks = { $count ->
    [one] seine Nachricht lässt { $count } Aufgabe offen
   *[other] seine Nachricht lässt { $count } Aufgaben offen
}
agent-open-promise = er hat „{ $quote }“ angekündigt, und nichts folgte
agent-open-admission = er sagt, was fehlt: „{ $quote }“
agent-open-trouble = er sagt, die Arbeit sei fertig, erwähnt aber { $trouble ->
    [rate_limit] eine Ratenbegrenzung
    [login] eine gescheiterte Anmeldung
   *[permission_error] eine fehlende Berechtigung
}
agent-open-claim = er sagt „{ $quote }“, aber nichts belegt es
