drill-about = Lerne die Wörter einer Sprache eines nach dem anderen und benutze jedes, bis es sitzt.

drill-verb-open = Drill beginnen
    .help = Wähle ein Paket und wie viele neue Wörter und Wiederholungen du möchtest.
drill-verb-start = Los
    .help = Das erste Wort kennenlernen.
drill-verb-answer = Antworten
    .help = Schreib oder sag, was du sagen würdest.
drill-verb-leave = Drill beenden
    .help = Beendet diesen Drill endgültig. Was du gelernt hast, bleibt.

## Beim Üben

drill-praise = { $way ->
    [0] Ja!
    [1] Gut.
    [2] Genau so.
    [3] Schön gesagt.
    [4] Stimmt.
    [5] Prima.
   *[6] Sehr schön.
}
drill-learned = { $way ->
    [0] „{ $word }“ gehört jetzt dir.
    [1] Gut gemacht: „{ $word }“ sitzt.
    [2] Das war’s. „{ $word }“ kannst du.
   *[3] „{ $word }“ hast du dir gemerkt. Weiter geht’s.
}
drill-parked = { $way ->
    [0] Auf „{ $word }“ kommen wir zurück. Manche Wörter brauchen einen zweiten Tag.
   *[1] „{ $word }“ heben wir uns für einen anderen Tag auf.
}
drill-nudge = { $way ->
    [0] Lass dir Zeit.
    [1] Keine Eile. Hier ist es noch einmal.
   *[2] Noch da? Versuchen wir es noch einmal.
}
drill-review = Das hier kennst du schon.
drill-close = Verstanden! Es heißt „{ $expected }“; ich habe „{ $heard }“ gehört.
drill-translated = „{ $heard }“ ist die Bedeutung. Es heißt „{ $word }“.
drill-near-miss = Fast! Es heißt „{ $word }“.
drill-miss = „{ $word }“ habe ich da nicht gehört.
drill-not-heard = Ich habe kein Wort verstanden. Sag oder schreib es noch einmal.
drill-slowly = Sagen wir es zusammen, ganz langsam.
drill-nothing-to-do = Im Moment gibt es nichts zu lernen oder zu wiederholen. Komm wieder, wenn etwas fällig ist.

## Auf dem Tisch

drill-recall = Aus dem Kopf: „{ $meaning }“
drill-used = benutzt
drill-words = Wort
drill-pool = bisher
drill-head-word = Wort
drill-head-status = Ergebnis
drill-head-back = Kommt wieder
drill-status-learned = gelernt
drill-status-parked = vorerst zurückgestellt
drill-waiting = { $count ->
    [one] { $count } Wort kam nicht mehr dran. Es wartet auf dich.
   *[other] { $count } Wörter kamen nicht mehr dran. Sie warten auf dich.
}
drill-back-in = { $unit ->
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

## Was nicht geht

drill-unknown-pack = das Paket `{ $pack }` gibt es nicht
    .cure = es gibt { $packs }
    .near = meintest du `{ $near }`? Es gibt { $packs }
    .none = kein Paket ist installiert
drill-word-gone = im Paket `{ $pack }` gibt es das Wort `{ $word }` nicht mehr
    .cure = beende diese Sitzung und beginne eine neue
