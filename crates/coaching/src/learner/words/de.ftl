### Abgelehnte Änderungen an einem Profil.

learner-chat-is-linked-there = ein Chat wird aus dem Chat heraus verbunden
    .cure = schick dem Bot die Zeile, die `etude learner link` ausgibt
learner-unknown-field = ein Profil hat kein Feld `{ $field }`
    .cure = es hat { $known }
learner-bad-field = das passt nicht in `{ $field }`: { $why }
    .cure = `etude learner show` zeigt die Felder, wie sie sind; docs/data.md sagt, was sie bedeuten
learner-no-time-zone = „{ $zone }“ ist keine Zeitzone
    .cure = schreib einen IANA-Namen wie Europe/Berlin
learner-bad-retention = die gewünschte Behaltensquote liegt außerhalb der Grenzen
    .cure = gib eine Zahl von { $least } bis { $most } an
learner-bad-weights = das sind nicht die Gewichte von FSRS
    .cure = gib 21 Zahlen an, oder null für die einer durchschnittlichen Person
learner-bad-day-start = zu dieser Stunde kann kein Tag beginnen
    .cure = gib eine Stunde von 0 bis 23 an
learner-bad-reached-hour = diese Uhrzeit gibt es nicht
    .cure = gib eine Stunde von 0 bis 23 an
learner-bad-easy-days = leichte Tage sind Wochentage
    .cure = gib Zahlen von 1 (Montag) bis 7 (Sonntag) an
learner-bad-text = der Name oder die Adresse ist zu lang oder hat mehr als eine Zeile
    .cure = gib höchstens { $most } Zeichen in einer Zeile an
learner-bad-address = eine Mailadresse braucht ein @
    .cure = schreib sie wie ada@example.org

### Wann etwas wiederkommt.

learner-until = { $unit ->
    [now] jetzt
    [minutes] { $count ->
        [one] in { $count } Minute
       *[other] in { $count } Minuten
    }
    [hours] { $count ->
        [one] in { $count } Stunde
       *[other] in { $count } Stunden
    }
    [tomorrow] morgen
    [days] { $count ->
        [one] in { $count } Tag
       *[other] in { $count } Tagen
    }
   *[months] { $count ->
        [one] in { $count } Monat
       *[other] in { $count } Monaten
    }
}
