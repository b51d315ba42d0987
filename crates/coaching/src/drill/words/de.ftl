drill-about = Lerne die Wörter einer Sprache eines nach dem anderen und benutze jedes, bis es sitzt.

drill-verb-open = Drill beginnen
    .help = Wähle ein Paket und wie viele neue Wörter und Wiederholungen du möchtest.
drill-verb-start = Los
    .help = Das erste Wort kennenlernen.
drill-verb-answer = Antworten
    .help = Schreib oder sag, was du sagen würdest.
drill-verb-give_up = Weiß nicht
    .help = Zeigt, wie das Wort anfängt, und beim zweiten Mal das ganze Wort.
drill-verb-skip = Überspringen
    .help = Hebt dieses Wort für eine andere Sitzung auf.
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
drill-skipped = „{ $word }“ heben wir uns für ein andermal auf.
drill-meaning = Es bedeutet: { $meaning }
drill-nudge = { $way ->
    [0] Lass dir Zeit.
    [1] Keine Eile. Hier ist es noch einmal.
   *[2] Noch da? Versuchen wir es noch einmal.
}
drill-review = Das hier kennst du schon. Weißt du es noch?
drill-close = Verstanden! Es heißt „{ $expected }“; ich habe „{ $heard }“ gehört.
drill-translated = „{ $heard }“ ist die Bedeutung. Es heißt „{ $word }“.
drill-near-miss = Fast! Es heißt „{ $word }“
drill-miss = „{ $word }“ habe ich da nicht gehört.
drill-unchecked = Das kann ich hier nicht prüfen, deshalb zählt es nicht. Prüfen kann ich zum Beispiel: „{ $line }“
drill-right-too = Auch richtig. Hier üben wir „{ $word }“.
drill-beside-scene = Das geht, aber in der Szene ist etwas anderes gefragt: „{ $line }“
drill-filler = { $say }: { $means }
drill-help = Antworte in der Sprache, die du lernst. Oder sag „weiß nicht“ für einen Tipp, „skip“, um das Wort aufzuheben, oder „stopp“, um aufzuhören.
drill-model-is-silent = Das Modell antwortet nicht. Wir machen ohne es weiter.
drill-not-heard = Ich habe kein Wort verstanden. Sag oder schreib es noch einmal.
drill-slowly = Sagen wir es zusammen, ganz langsam.
drill-nothing-to-do = Im Moment gibt es nichts zu lernen oder zu wiederholen. Komm wieder, wenn etwas fällig ist.

## Auf dem Tisch

drill-recall = Aus dem Kopf: „{ $meaning }“
drill-cue = „{ $meaning }“ fängt so an: { $letters }
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

## Was nicht geht

drill-unknown-pack = das Paket `{ $pack }` gibt es nicht
    .cure = es gibt { $packs }
    .near = meintest du `{ $near }`? Es gibt { $packs }
    .none = kein Paket ist installiert
drill-word-gone = im Paket `{ $pack }` gibt es das Wort `{ $word }` nicht mehr
    .cure = beende diese Sitzung und beginne eine neue
drill-no-pack = ein Drill braucht ein Paket
drill-bad-number = { $field } ist { $given } statt { $least } bis { $most }
drill-bad-opening = damit kann kein Drill beginnen: { $why }
    .cure = beginne einen Drill mit { "{\"pack\": NAME}" } und, wenn du willst, new_words (1 bis 50), reviews (0 bis 50), voice und model (true oder false) und memory (fsrs oder sm2); es gibt { $packs }
drill-no-text = in dem, was gehört wurde, steht kein Text
    .cure = schick als { "{\"text\": \"…\"}" }, was gesagt wurde
