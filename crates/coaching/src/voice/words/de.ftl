voice-about = Sprich mit dem Coach: ein paar unabhängige Runden, gesprochen oder geschrieben.

voice-verb-open = Gespräch beginnen
    .help = Sag etwas und bekomm eine Antwort, ein paar Mal nacheinander.
voice-verb-say = Sagen
    .help = Frag, was fällig ist, wie weit du bist oder was ein Wort bedeutet.
voice-verb-leave = Beenden
    .help = Beendet dieses Gespräch.

voice-title = Sprich mit dem Coach
voice-question = Was möchtest du wissen?
voice-turns = Runden

voice-greeting = Hallo! Wie kann ich dir heute helfen?
voice-goodbye = Auf Wiedersehen, bis bald!
voice-nothing-due = Gerade ist nichts fällig.
voice-courses = Kurse beginnen im Terminal: Tippe „etude teach“ und dazu den Namen des Kurses. So geht es auch weiter.
voice-due = { $count ->
    [one] Eine Sache ist fällig: { $where_due }.
   *[other] { $count } Sachen sind fällig: { $where_due }.
}
voice-due-in = { $count } in { $title }
voice-nothing-begun = Du hast noch nichts angefangen. Sag „starte einen Drill“.
voice-progress = Du kannst { $subjects }.
voice-progress-in = { $known } von { $of } in { $title }
voice-time = Es ist { $time } Uhr.
voice-date = Heute ist { $weekday ->
    [1] Montag
    [2] Dienstag
    [3] Mittwoch
    [4] Donnerstag
    [5] Freitag
    [6] Samstag
   *[7] Sonntag
}, der { $day }. { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
}.
voice-means = „{ $word }“ bedeutet: { $meaning }.
voice-is-said = „{ $meaning }“ heißt „{ $word }“.
voice-unknown-word = „{ $word }“ kenne ich nicht. Ich kenne nur die Wörter aus deinen Paketen.
voice-starts = Dann üben wir { $title }.
voice-which-pack = Ich habe diese Pakete: { $packs }. Sag „starte“ und dazu, was du möchtest.
voice-elsewhere = Hier kann ich keinen Drill mit dir machen. Öffne Etude und starte ihn dort.
voice-nothing-to-repeat = Hier gibt es nichts zu wiederholen. Frag einfach noch einmal.
voice-again = Noch einmal.
voice-slower = Langsamer.
voice-help = Frag mich, was fällig ist, wie weit du bist, wie spät es ist oder was ein Wort bedeutet. Oder sag „starte einen Drill“.
voice-welcome = Gern geschehen.
voice-name = Ich bin Etude, dein Coach.
voice-cannot-answer = Das kann ich nicht beantworten. Frag mich, was fällig ist, wie weit du bist oder was ein Wort bedeutet.
voice-cannot-do = Das kann ich nicht. Sag „Hilfe“, dann sage ich dir, was ich kann.
voice-not-understood = Ich bin nicht sicher, was du meinst. Sag „Hilfe“, dann sage ich dir, was du fragen kannst.
voice-not-heard = Ich habe nichts gehört.
voice-article-unclear = Den Artikel habe ich nicht genau verstanden. Sag es bitte noch einmal.
voice-sorry = Da ist leider etwas schiefgegangen. Ich muss hier aufhören.

voice-reason-stop-word = Beendet auf Wunsch („{ $word }“)
voice-reason-left = Von dir beendet
voice-reason-model = In der Antwort stand das Stoppwort „{ $word }“
voice-reason-cap = Höchstzahl der Runden ({ $max }) erreicht
voice-reason-timeout = Ein Schritt hat zu lange gedauert
voice-reason-no-wake = Kein Weckwort gehört
voice-reason-error = Fehler: { $why }
voice-reason-done = Weiter mit { $title }

voice-nothing-said = darin sind keine Wörter
    .cure = sag oder schreib etwas mit mindestens einem Wort
voice-unreadable = { $what } ist nicht lesbar: { $why }
    .cure = sende, was das Schema dieses Ereignisses beschreibt
