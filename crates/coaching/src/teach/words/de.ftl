# Was der Tutor sagt. Lektionen und Fragen sind in der Sprache ihres Lehrplans und stehen nicht hier.

teach-about = Lerne ein Thema Begriff für Begriff: Etude findet heraus, was du schon weißt, erklärt den Rest und fragt ihn ab.
review-about = Wiederhole, was du verstanden hast, an dem Tag, an dem es fällig ist.

## Was die Lernenden schon wissen

teach-first-probe = Zuerst ein paar Fragen, höchstens { $most }: Was weißt du schon? „Weiß nicht“ ist eine gute Antwort.
-judge-yourself = Sag zuerst mit einer Zahl von 0 (keine Ahnung) bis 5 (ganz sicher), wie gut du es weißt, und antworte dann in ein paar Worten.
teach-explain-what = Was weißt du über { $concept }? { -judge-yourself }
teach-explain-friend = Wie würdest du { $concept } einer Freundin erklären? { -judge-yourself }
teach-explain-example = Nenne mit eigenen Worten ein Beispiel für { $concept }, oder wozu man es braucht. { -judge-yourself }

## Bewertungen

teach-right = Richtig.
teach-noted = Notiert.
teach-in-another-language = Bewerten kann ich nur Antworten in der Sprache der Frage.
teach-paragraphs =
    { $first }

    { $second }
teach-about-words = Zu „{ $words }“: { $says }
teach-evidence = { $said }.
teach-evidence-of = „{ $words }“ zählt als „{ $idea }“
teach-good-answer = Eine gute Antwort: { $answer }
teach-good-answer-lines =
    Eine gute Antwort:

    { $answer }
teach-the-answer = Die Antwort: { $answer }
teach-the-answer-lines =
    Die Antwort:

    { $answer }
teach-held-right = Dann zählt es als 3, nach deinem eigenen Urteil.
teach-own-judgement = Nach deinem eigenen Urteil: Die Regeln hatten nicht alles gefunden, was sie suchen.
teach-mark = Deine letzte Antwort bekam { $quality } von 5.
teach-no-mark = Von dir wurde noch keine Antwort bewertet.

## Die Karte

teach-planned = Deine Karte hat { $concepts ->
        [one] 1 Begriff
       *[other] { $concepts } Begriffe
    }{ $hours ->
        [0] { $minutes ->
            [0] { "" }
            [one] , zusammen etwa eine Minute
           *[other] , zusammen etwa { $minutes } Minuten
        }
        [one] , zusammen etwa eine Stunde
       *[other] , zusammen etwa { $hours } Stunden
    }. { $known ->
        [0] Wir fangen vorne an.
        [one] Einen davon kennst du wohl schon; der geht schnell.
       *[other] { $known } davon kennst du wohl schon; die gehen schnell.
    }
teach-resumed = „{ $title }“ geht weiter. { $known ->
        [0] Der Kurs hat { $concepts ->
            [one] 1 Begriff
           *[other] { $concepts } Begriffe
        }, und was schon bekannt war, zählt weiterhin.
       *[other] Verstanden hast du { $known } von { $concepts ->
            [one] 1 Begriff
           *[other] { $concepts } Begriffen
        }.
    }
teach-no-plan = Das Modell konnte keine Karte zu „{ $topic }“ erstellen ({ $reason }). Versuch es jetzt oder später noch einmal, oder nimm einen Lehrplan.
teach-no-more-surveys = Etude fragt kein Modell mehr nach einer Karte zu „{ $topic }“: Es gibt keines, oder es wurde schon zu oft gefragt. Nimm einen Lehrplan, oder beginne einen neuen Kurs.
teach-repaired = { $more ->
        [0] Zum Plan: { $notes }.
       *[other] Zum Plan: { $notes }; und { $more } weitere.
    }
teach-note-unlabelled = ein Begriff ohne Namen fiel weg
teach-note-merged = „{ $concept }“ kam doppelt vor und wurde zusammengelegt
teach-note-minutes = „{ $concept }“ hatte keine brauchbare Zeitangabe und bekam { $minutes } Minuten
teach-note-left-out = „{ $concept }“ fiel weg, weil ein Plan höchstens { $most } Begriffe hat
teach-note-needs-itself = „{ $concept }“ setzte sich selbst voraus; das fiel weg
teach-note-needs-unknown = „{ $concept }“ setzte „{ $need }“ voraus, das nicht im Plan steht; das fiel weg

## Lektionen

teach-lesson-again = { $title }, noch einmal
teach-seems-known = Das kennst du wohl schon; ein kurzer Blick genügt.
teach-no-text = Zu diesem Begriff gibt es hier keinen Text. Lies nach, wo du magst, und komm dann wieder.
teach-no-lesson = Das Modell konnte gerade keine Lektion schreiben. Hier steht, was die Karte sagt.
teach-comes-back = „{ $concept }“ hast du verstanden. Es kommt { $when } wieder.
teach-taught-after-all = „{ $concept }“ schien schon zu sitzen. Wir gehen es jetzt richtig durch.
teach-once-more = „{ $concept }“ sitzt noch nicht. Sehen wir es uns noch einmal an.
teach-finished = Du hast alles aus „{ $title }“ gemeistert. Die Wiederholungen gehen weiter, immer seltener.
teach-put-aside = „{ $title }“ wurde beiseitegelegt, weil du mehr als { $days } Tage nicht da warst. Die Karte und dein Lernstand bleiben erhalten; nimm den Kurs wieder auf, wann du magst.

## Eigene Fragen

teach-about-concept = Zu { $concept }
teach-out-of-scope = Das steht nicht auf der Karte von „{ $title }“. Vielleicht verdient es einen eigenen Kurs: Beginne einen mit diesem Thema.
teach-held-back = Was die offene Frage beantworten würde, lasse ich weg. Versuch es zuerst selbst.
teach-back-to = Zurück zur Frage:
teach-then-go-on = Dann machen wir weiter.
teach-follow-up = Eine Frage dazu, ob das geholfen hat. Sie zählt nicht, und mit `skip` geht es zurück.
teach-waits-behind = Danach ist noch diese Frage offen:

## Was als Nächstes kommt

teach-nothing-to-teach-now = Im Augenblick gibt es nichts zu unterrichten.
-or-practise = du kannst auch jetzt üben
-choices-count-less = (ein kleiner Fehler zählt als 3 von 5, eine Auswahl als 4)
teach-one-opens = Beantworte „{ $concept }“ { $times ->
        [one] noch einmal
       *[other] noch { $times }-mal hintereinander
    } richtig{ $choices ->
        [0] { "" }
       *[other] { " " }{ -choices-count-less }
    }, dann öffnet sich „{ $next }“. Die nächste Wiederholung ist { $when }; { -or-practise }.
teach-one-completes = Beantworte „{ $concept }“ { $times ->
        [one] noch einmal
       *[other] noch { $times }-mal hintereinander
    } richtig{ $choices ->
        [0] { "" }
       *[other] { " " }{ -choices-count-less }
    }, dann ist der Kurs abgeschlossen. Die nächste Wiederholung ist { $when }; { -or-practise }.
-three-times = Beantworte jeden dreimal hintereinander richtig { -choices-count-less }.
teach-many-open = „{ $next }“ öffnet sich, sobald du gemeistert hast, worauf es aufbaut. { $concepts ->
        [one] 1 Begriff ist
       *[other] { $concepts } Begriffe sind
    } noch nicht so weit. { -three-times } Die nächste Wiederholung ist { $when }; { -or-practise }.
teach-many-complete = Der Kurs ist abgeschlossen, sobald du alles gemeistert hast. { $concepts ->
        [one] 1 Begriff ist
       *[other] { $concepts } Begriffe sind
    } noch nicht so weit. { -three-times } Die nächste Wiederholung ist { $when }; { -or-practise }.
teach-when-now = jetzt
teach-when-hours = { $hours ->
        [0] in weniger als einer Stunde
        [one] in einer Stunde
       *[other] in { $hours } Stunden
    }
teach-when-days = { $days ->
        [one] morgen
       *[other] in { $days } Tagen
    }

## Wiederholungen

review-nothing = Gerade gibt es nichts zu wiederholen.
review-nothing-asked = Es wurde nichts gefragt; { $due ->
        [0] jeder Begriff kommt wieder, wenn er fällig ist
       *[other] was fällig ist, kommt morgen wieder
    }.
review-result = { $good } von { $all } gewusst.
review-recalled-elsewhere = „{ $concept }“ wurde inzwischen anderswo abgefragt; es zählt nicht doppelt.
review-taken-off = Der Begriff zu dieser Frage steht nicht mehr auf der Karte; die Antwort zählt nicht.
review-put-aside = „{ $title }“ wurde beiseitegelegt und wird nicht mehr abgefragt.

## Der Tisch

teach-status = { $status ->
        [pending] nicht begonnen
        [diagnosing] klärt noch, was du schon weißt
        [planning] wird geplant
        [teaching] wird unterrichtet
        [quizzing] mitten im Quiz
        [reviewing] wartet auf Wiederholungen
        [completed] abgeschlossen
       *[abandoned] beiseitegelegt
    }
teach-mastery = { $mastery ->
        [unseen] noch nicht dran
        [diagnosed] wohl bekannt
        [learning] wird gelernt
        [reviewing] verstanden
       *[mastered] gemeistert
    }
teach-progress-probes = Fragen
teach-progress-quiz = Quizfragen
teach-progress-mastered = Gemeisterte Begriffe
review-progress-recalls = Abgefragte Begriffe
teach-only-reviews = Alles, was jetzt offen ist, hast du gelernt. Der Rest öffnet sich mit den Wiederholungen; üben kannst du jederzeit.
teach-model-at-work = Der Tutor denkt nach …
teach-no-map = Dieser Kurs hat noch keine Karte. Versuch es noch einmal, oder nenne einen Lehrplan: { $curricula }.
teach-led-outside = Ein Assistent leitet diesen Kurs; dort geht es weiter.
review-parting = Du hast alles beantwortet. Wenn du mit der letzten Antwort genau das gemeint hast, sag es; sonst ist die Wiederholung zu Ende.

## Fortschritt

digest-mastery = Gemeistert: { $percent } ({ $mastered } von { $concepts ->
        [one] 1 Begriff
       *[other] { $concepts } Begriffen
    }).
digest-mastery-more = Gemeistert: { $percent } ({ $mastered } von { $concepts ->
        [one] 1 Begriff
       *[other] { $concepts } Begriffen
    }, { $points ->
        [one] 1 Prozentpunkt
       *[other] { $points } Prozentpunkte
    } mehr als { $since }).
digest-pace = Tempo: { $pace } Begriffe pro Woche.
digest-retention = Behalten: { $percent } von dem, was du wiederholt hast, wusstest du noch.
digest-no-retention = Behalten: Du hast noch nichts wiederholt.
digest-hard = { $concepts ->
        [0] Es gibt nichts, woran du immer wieder scheiterst.
        [one] Ein Begriff fällt dir noch schwer; siehe unten.
       *[other] { $concepts } Begriffe fallen dir noch schwer; siehe unten.
    }
digest-answers = Antworten in dieser Woche: { $count }.
digest-done-around = In diesem Tempo bist du um den { $date } herum fertig.
digest-best-time = Am besten lernst du { $part ->
        [night] nachts
        [morning] am Vormittag
        [afternoon] am Nachmittag
       *[evening] am Abend
    }.
chart-mastered = Gemeistert
chart-mastered-note = { $mastered } von { $concepts }, { $percent }
chart-retention = Bei Wiederholungen noch gewusst
chart-retention-days = { $days } Tage
chart-weeks = Pro Woche gemeistert
chart-weeks-ago = { $weeks ->
        [0] diese Woche
        [one] letzte Woche
       *[other] vor { $weeks } Wochen
    }
chart-times = Gute Antworten nach Tageszeit
chart-times-note = { $good } von { $answers }
chart-hard = Noch schwer
teach-part-of-day = { $part ->
        [night] Nacht
        [morning] Vormittag
        [afternoon] Nachmittag
       *[evening] Abend
    }
teach-decimal = { $whole },{ $tenth }
teach-date = { $day }. { $month } { $year }
teach-date-on = am { $weekday ->
        [1] Montag
        [2] Dienstag
        [3] Mittwoch
        [4] Donnerstag
        [5] Freitag
        [6] Samstag
       *[7] Sonntag
    }, dem { $day }. { $month }
teach-month = { $month ->
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
    }

## Ablehnungen

teach-nothing-asked = es ist keine Frage offen
    .cure = lies weiter, oder frag selbst etwas
teach-not-asked-yet = Etude leitet diesen Kurs und hat noch nichts gefragt
    .cure = mach weiter, dann kommt eine Frage
teach-diagnosis-too-long = eine Diagnose hat höchstens { $most } Fragen
    .cure = geh weiter: Was noch offen ist, zeigt sich im Unterricht
teach-diagnosis-too-short = eine Diagnose hat mindestens { $least } Fragen, und { $asked ->
        [0] keine ist
        [one] eine ist
       *[other] { $asked } sind
    } aufgezeichnet
    .cure = lege die Begriffe, nach denen du fragst, mit mind_map_node_create an, zeichne jede Antwort mit quiz_response_record als diagnostic auf, dann geh weiter
teach-diagnosis-not-over = eine Diagnose hat mindestens { $least } Fragen, und { $asked ->
        [0] keine ist
        [one] eine ist
       *[other] { $asked } sind
    } beantwortet
    .cure = beantworte die offene Frage; „Weiß ich nicht“ ist auch eine Antwort
teach-diagnosis-over = die Diagnose dieses Kurses ist vorbei
    .cure = zeichne die Antwort als teach auf, oder als review, wenn der Begriff schon gelernt wurde
teach-quiz-too-long = ein Quiz hat höchstens { $most } Fragen
    .cure = geh weiter: Die Antworten bis hierher entscheiden
teach-quiz-not-recorded = ein Quiz braucht mindestens eine Antwort, und keine ist aufgezeichnet
    .cure = frag nach dem Begriff, zeichne die Antwort mit quiz_response_record als teach auf, dann geh weiter
teach-quiz-not-answered = ein Quiz braucht mindestens eine Antwort
    .cure = beantworte die offene Frage; „Weiß ich nicht“ ist auch eine Antwort
teach-etude-leads = Etude leitet diesen Kurs: Es fragt, bewertet und zeichnet die Antworten selbst auf
    .cure = gib die Antwort mit teach_answer weiter; eine Wiederholung beginnt mit review_start
teach-status-jump = „{ $concept }“ hat den Status { $from } und kann nicht sofort { $to } werden
    .cure = von { $from } aus ist möglich: { $next }; Antworten, die quiz_response_record aufzeichnet, ändern ihn von selbst
teach-unclear = diese Antwort ist nicht zu verstehen und zählt nicht
    .cure = { $question }
teach-say-something = Sag etwas, oder „skip“, wenn du es nicht weißt.
teach-show-it = Dann zeig es: Beantworte die Frage.
teach-say-it = Schreib hinter die Zahl ein paar Worte, damit es etwas zu beurteilen gibt.
teach-give-number = Beginne deine Antwort mit einer ganzen Zahl von 0 (keine Ahnung) bis 5 (ganz sicher): Wie gut weißt du es?
teach-nothing-to-object-to = es gibt keine Bewertung, der du widersprechen kannst
    .cure = widersprich gleich nach einer Antwort in eigenen Worten, die nicht als richtig galt
teach-asks-leader = ein anderer Tutor leitet diesen Kurs
    .cure = frag diesen Tutor
teach-leader-plans = der Tutor, der diesen Kurs leitet, legt auch die Karte an
    .cure = füge Begriffe und Verbindungen hinzu, dann mach weiter
teach-no-question = hier steht keine Frage
    .cure = sag, was du wissen möchtest
teach-nothing-left = auf dieser Karte ist kein Begriff mehr zu unterrichten
    .cure = füge einen Begriff hinzu, oder setze einen auf „learning“ zurück; dann mach weiter
teach-map-gone = die Karte dieses Kurses fehlt, oder dein Lernstand lässt sich nicht lesen
    .cure = beginne einen neuen Kurs
teach-no-topic = { $what ->
        [goal] das Ziel ist leer
       *[topic] das Thema ist leer
    }
    .cure = { $what ->
        [goal] nenne das Ziel in ein paar Worten
       *[topic] nenne das Thema in ein paar Worten
    }
teach-long-topic = { $what ->
        [goal] das Ziel ist länger als { $most } Zeichen oder enthält Steuerzeichen
       *[topic] das Thema ist länger als { $most } Zeichen oder enthält Steuerzeichen
    }
    .cure = { $what ->
        [goal] nenne das Ziel in ein paar Worten
       *[topic] nenne das Thema in ein paar Worten
    }
teach-no-such-curriculum = es gibt keinen Lehrplan „{ $name }“
    .cure = wähle einen von diesen: { $known }
teach-misnamed-curriculum = es gibt keinen Lehrplan für „{ $topic }“; meintest du `{ $meant }`?
    .cure = sag „{ $meant }“
teach-no-curriculum = es gibt weder einen Lehrplan für „{ $topic }“ noch ein Modell, das einen erstellen könnte
    .cure = wähle einen von diesen: { $known }; oder richte ein Modell ein (`etude doctor` sagt, wie)
teach-no-such-course = es gibt keinen Kurs `{ $course }`, den du fortsetzen könntest
    .cure = sieh in die Liste deiner Kurse
teach-not-abandoned = der Kurs „{ $title }“ wurde nicht beiseitegelegt
    .cure = mach einfach mit ihm weiter
review-of-abandoned = der Kurs „{ $title }“ wurde beiseitegelegt, und mit ihm seine Wiederholungen
    .cure = nimm den Kurs wieder auf
review-nothing-due = aus „{ $title }“ ist nichts fällig
    .cure = warte auf die nächste Wiederholung, oder übe schon vorher
teach-nothing-said = in dem, was gesagt wurde, steht kein Text
    .cure = schick es als { "{\"text\": \"…\"}" }
teach-bad-opening = damit kann kein Kurs beginnen: { $why }
    .cure = gib { "{\"topic\": \"…\"}" } an und, wenn du willst, goal, curriculum, tutor (etude oder outside), gate (understood oder mastered), map oder from
teach-bad-plan = damit lässt sich kein neuer Plan versuchen: { $why }
    .cure = gib { "{}" } oder { "{\"curriculum\": \"…\"}" } an
teach-bad-advance = das ist kein Schritt weiter: { $why }
    .cure = nenne den Status, den du erwartest, oder lass ihn weg
teach-bad-edit = das ist keine Änderung: { $why }
    .cure = gib { "{\"edit\": …}" } als node_create, node_update, node_remove, edge_create oder edge_remove an, mit den Feldern, die `docs/teach.md` dafür nennt
teach-bad-record = das ist keine Antwort: { $why }
    .cure = gib node_id, question_text, user_answer, quality (0 bis 5) und response_type (diagnostic, teach oder review) an
teach-long-record = { $field } ist länger als { $most } Zeichen
    .cure = halte den Teil fest, der bewertet wurde
teach-empty-record = question_text ist leer
    .cure = sag, was gefragt wurde, im selben Wortlaut
teach-being-taught = „{ $concept }“ wird gerade unterrichtet
    .cure = geh zuerst zu einem anderen Begriff weiter
teach-status-moved = der Kurs hat den Status „{ $now }“, nicht „{ $expected }“
    .cure = lies ihn noch einmal und entscheide neu

## Was man tun kann

teach-verb-start = Kurs beginnen
    .help = Einen Kurs zu einem Thema beginnen.
teach-verb-lead = Kurs leiten
    .help = Einen Kurs beginnen, den ein Assistent leitet.
teach-verb-answer = Antworten
    .help = Die Frage beantworten; „weiß nicht“ und `skip` sind auch Antworten.
teach-verb-ask = Fragen
    .help = Selbst etwas fragen; der Kurs wartet so lange.
teach-verb-go-on = Weiter
    .help = Nach einer Erklärung weitermachen.
teach-verb-object = Genau das meinte ich
    .help = Wenn du genau das gemeint hast: deine letzte Antwort als richtig werten.
teach-verb-advance = Gleich zum Quiz
    .help = Die Frage zur Erklärung überspringen und gleich zum Quiz gehen.
teach-verb-plan-again = Noch einmal versuchen
    .help = Noch einmal versuchen, eine Karte zu erstellen, oder einen Lehrplan nennen.
teach-sure-aside = „{ $title }“ beiseitelegen? Damit enden auch die Wiederholungen. Schick `/stop ja`, wenn du sicher bist.
teach-verb-abandon = Beiseitelegen
    .help = Den Kurs und seine Wiederholungen beenden. Was du gelernt hast, bleibt dir.
teach-verb-resume = Wieder aufnehmen
    .help = Einen Kurs fortsetzen, der beiseitegelegt wurde.
teach-verb-phase = Stand melden
    .help = Melden, dass der Begriff erklärt oder die Frage gestellt ist.
teach-verb-node-create = Begriff hinzufügen
    .help = Der Karte einen Begriff hinzufügen.
teach-verb-edge-create = Begriffe verbinden
    .help = Sagen, dass ein Begriff einen anderen voraussetzt.
teach-verb-node-remove = Begriff entfernen
    .help = Einen Begriff von der Karte nehmen.
teach-verb-edge-remove = Kante entfernen
    .help = Eine Kante von der Karte nehmen.
teach-verb-node-update = Begriff ändern
    .help = Den Namen eines Begriffs berichtigen, oder was über ihn bekannt ist.
teach-verb-record = Antwort festhalten
    .help = Eine Antwort festhalten, die ein anderer Tutor beurteilt hat.
review-verb-start = Wiederholen
    .help = Wiederholen, was fällig ist oder was du üben willst.
review-verb-answer = Antworten
    .help = Die Frage beantworten; „weiß nicht“ und `skip` sind auch Antworten.
review-verb-ask = Fragen
    .help = Selbst etwas fragen; die Frage wartet so lange.
review-verb-object = Genau das meinte ich
    .help = Wenn du genau das gemeint hast: deine letzte Antwort als richtig werten.
review-verb-leave = Beenden
    .help = Die Wiederholung beenden; was noch fällig ist, kommt wieder.
