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
    [resting] eine Grenze war erreicht, und seitdem hat kein Mensch geantwortet
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
   *[continues] der Agent wurde { $continues }-mal weitergeschickt und ist immer noch nicht fertig
}
agent-stale = die Sitzung war zu lange still
agent-crashed = das Programm des Agenten meldet den Fehler { $error }
agent-crashed-with = das Programm des Agenten meldet den Fehler { $error }: { $details }
agent-model-late = es hat nicht rechtzeitig geantwortet

## Der Wächter

agent-silence = vom Agenten ist seit { $span } nichts zu hören
agent-duration = der Agent arbeitet seit { $span }
agent-same-calls = der Agent hat { $count }-mal hintereinander denselben Aufruf gemacht
agent-errors = { $count } Aufrufe hintereinander sind fehlgeschlagen
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
agent-cut-off = die Antwort wurde an ihrer Längengrenze abgeschnitten
agent-goes-on = der Agent sagt, was er als Nächstes tut
agent-unfinished = etwas ist noch nicht fertig
agent-checks-shown = die Arbeit ist fertig, und die Nachricht zeigt die Prüfungen
agent-proved = die Arbeit ist fertig, und es gibt einen Beleg dafür
agent-changes-named = die Nachricht nennt, was geändert wurde
agent-no-run = fertig, aber kein Lauf, Commit oder Link zeigt es
agent-nothing-shown = fertig, aber nichts zeigt es
agent-plain-answer = eine einfache Antwort
agent-program-failed = das Programm des Agenten ist fehlgeschlagen
agent-interrupted = ein Mensch hat den Agenten unterbrochen
agent-declined = das Modell hat abgelehnt
