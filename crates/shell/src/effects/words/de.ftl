tell-ready = Sag „ok“, wenn du bereit für eine Frage bist.
tell-test = Das ist ein Test. Etude kann dich hier erreichen.
tell-stale-subject = Ein Kurs wartet auf dich
tell-stale = { $title ->
    [none] Dein Kurs
   *[other] „{ $title }“
} wartet seit { $days } Tagen auf dich. In einer Woche wird er beiseitegelegt; was du gelernt hast, bleibt dir, und du kannst ihn jederzeit wieder aufnehmen. Um jetzt weiterzumachen: { $how }.
tell-stale-answer = beantworte einfach die letzte Frage
tell-stale-command = `{ $command }`

chat-help =
    { $flows }
    `/review` fragt ab, was fällig ist oder was du üben willst
    `/list` zeigt deine Kurse
    `/why` sagt, wie deine letzte Antwort bewertet wurde
    `/stop` beendet einen Drill oder eine Wiederholung und fragt nach, bevor es einen Kurs beiseitelegt
    `/plan` versucht noch einmal, eine Karte für einen Kurs ohne Karte zu erstellen; `/plan sql` nimmt stattdessen einen Lehrplan

    Alles andere, was du schreibst, beantwortet meine letzte Frage oder die Nachricht, auf die du antwortest. Fragen kannst du jederzeit.
chat-opens = `/{ $command }`: { $about }
chat-lines =
    { $above }
    { $below }
chat-nothing-waits = Ich warte gerade auf keine Antwort. `/learn THEMA` beginnt einen Kurs, `/review` übt, `/list` zeigt deine Kurse.
chat-asked-nothing = Diese Nachricht war keine Frage. Antworte auf die Frage selbst, oder schreib einfach deine Antwort.
chat-text-only = Ich kann nur Text lesen. Bitte schreib es mir.
chat-no-map = Dein Kurs hat noch keine Karte. `/plan` versucht es noch einmal, `/plan sql` nimmt stattdessen einen Lehrplan.
chat-over = Diese Frage ist erledigt.
chat-over-now =
    Diese Frage ist erledigt. Meine Frage jetzt:

    { $question }
chat-over-ready = Diese Frage ist erledigt. Sag „ok“, wenn du bereit für die nächste bist.
chat-not-offered = Zu nichts, was du gerade offen hast, passt `/{ $command }`. `/help` zeigt, was du schreiben kannst.
chat-no-course = Du hast gerade keinen offenen Kurs. `/learn THEMA` beginnt einen.
chat-say-what = Sag mir, was du lernen willst: zum Beispiel `/learn sql`.
chat-put-aside = Das habe ich beiseitegelegt. Was du gelernt hast, bleibt.
chat-course = { $title }: { $status }, { $mastered } gemeistert
chat-nothing-marked = Ich habe noch keine Antwort von dir bewertet.
chat-last-mark = Deine letzte Antwort bekam { $quality } von 5. { $feedback }
chat-ended = Das ist zu Ende. `/list` zeigt deine Kurse.
chat-not-now = Das geht gerade nicht. `/list` zeigt, wo deine Kurse stehen.
chat-gone = Diesen Kurs gibt es nicht mehr. `/list` zeigt, welche du hast.
chat-trouble = Mit diesem Kurs stimmt etwas nicht. Wer Etude betreibt, findet den Grund im Protokoll.
chat-welcome = Hallo! Ich unterrichte einen Begriff nach dem anderen und melde mich am richtigen Tag wieder. Ich spreche nur mit Leuten, die ich kenne: Führ `etude learner link` dort aus, wo Etude installiert ist, und schick mir die Zeile, die es ausgibt.
chat-bad-code = Dieser Code ist falsch oder abgelaufen. `etude learner link` gibt einen neuen aus.
chat-linked = Dieser Chat ist verbunden. Schreib `/learn` und ein Thema, zum Beispiel `/learn sql`. `/help` zeigt, was es sonst noch gibt.
chat-not-linked = Ich konnte diesen Chat nicht verbinden. Wer Etude betreibt, findet den Grund im Protokoll. Dein Code bleibt gültig, schick ihn also später noch einmal.

mail-exit = Du willst diese Mails nicht mehr? Mit `{ $command }` bleiben die Nachrichten in Etude.
mail-recall-subject = Zeit zum Wiederholen: { $title }
mail-recall =
    { $count ->
        [one] Ein Begriff von „{ $title }“ ist fällig.
       *[other] { $count } Begriffe von „{ $title }“ sind fällig.
    } `{ $command }` fragt { $count ->
        [one] ihn
       *[other] sie
    } ab.
mail-reviews-subject = Wiederholungen: { $title }
mail-reviews = `{ $command }` fragt ab, was fällig ist.
mail-aside-subject = { $title } wurde beiseitegelegt
mail-aside = Wieder aufnehmen: `{ $command }`.
mail-goes-on-subject = { $title } geht weiter
mail-goes-on = Weitermachen: `{ $command }`.
mail-your-course = dein Kurs

digest-subject = Dein Lernfortschritt in dieser Woche
digest-due = „{ $title }“: in dieser Woche { $count } fällig. Zum Wiederholen: { $command }
digest-nothing-due = In dieser Woche ist nichts fällig.
digest-exit = So bestellst du diese Berichte ab: { $command }
