# Die Beschriftungen der Seite. Was ein Coach sagt, kommt aus den Abläufen.

nav-main = Hauptmenü
nav-today = Heute
nav-practise = Üben
nav-words = Wörter
nav-courses = Kurse
nav-problems = Aufgaben
nav-flows = Mehr
nav-look = Ansehen
nav-agents = Agenten
nav-progress = Fortschritt
nav-inside = Innenleben
nav-playground = Werkstatt
nav-settings = Einstellungen
nav-more = Mehr
nav-needs-you = braucht dich: { $count }
skip = Zum Inhalt springen
anything = alles
all-keys = alle Tasten
back = Zurück
close = Schließen
key-ctrl = Strg
loading = Einen Moment …

## Heute

hello = { $part ->
        [morning] Guten Morgen
        [afternoon] Guten Tag
        [evening] Guten Abend
       *[night] Hallo
    }{ $name ->
        [none] .
       *[other] , { $name }.
    }
most-useful = Jetzt am nützlichsten
next-reviews = { $count ->
        [one] Eine Wiederholung in { $title }
       *[other] { $count } Wiederholungen in { $title }
    }
next-continue = Weiter mit { $title }
next-new = Mit { $title } anfangen
next-something = Was möchtest du lernen?
why-due = { $count ->
        [one] Ohne sie würde verblassen, was du weißt. Hör auf, wann du willst: Jede Antwort wird sofort gespeichert.
       *[other] Ohne sie würde verblassen, was du weißt. Hör auf, wann du willst: Jede Antwort wird sofort gespeichert.
    }
why-continue = Es wartet genau dort, wo du aufgehört hast.
why-new = Für einen ersten Schritt reichen ein paar Minuten. Aufhören kannst du jederzeit.
start = Anfangen
go-on = Weiter
something-else = Etwas anderes
go-on-title = Weiter, wo du aufgehört hast
due-title = Fällig
due-count = { $count } fällig
waiting-title = Wartet auf dich
agent-asks = Ein Agent wartet
fortnight = Die letzten zwei Wochen
fortnight-days = { $days ->
        [0] Noch nichts. Die erste Note ist die schwerste.
        [one] Du hast an einem von 14 Tagen geübt. Die anderen sind Pausen, und Pausen gehören zum Stück.
       *[14] Du hast an jedem von 14 Tagen geübt.
        [other] Du hast an { $days } von 14 Tagen geübt. Die anderen sind Pausen, und Pausen gehören zum Stück.
    }
coming-back = Was wiederkommt
today-short = Heute
next-at = Die nächste Wiederholung kommt { $when }.
nothing-known = Was du hier lernst, kommt am richtigen Tag wieder; dann siehst du es hier.
chart = Diagramm
table = Tabelle
view = Ansicht
day = Tag
reviews = Wiederholungen
answers = Antworten

## Wörter und Kurse

words-title = Wörter
words-about = Lerne die Wörter einer Sprache eins nach dem anderen und benutze jedes, bis es sitzt.
words-known = { $known } von { $of } gelernt
courses-title = Kurse
courses-about = Lerne ein Thema Begriff für Begriff.
courses-none = Was möchtest du verstehen?
i-want = Ich möchte lernen …
begin = Anfangen
included = Dabei sind
concepts-count = { $concepts } Begriffe, etwa { $hours } Stunden
mastered-of = { $known } von { $of } gemeistert
open-course = Karte
review-due = { $count ->
        [one] 1 wiederholen
       *[other] { $count } wiederholen
    }
practise-ahead = Im Voraus üben
flows-title = Mehr zum Üben
flows-about = Was dieser Server sonst noch bietet.
flow-voice = Mit Etude sprechen
flows-none = Dieser Server bietet nichts weiter an.
open-flow = Öffnen
problems-title = Aufgaben
problems-about = Programmieraufgaben, vom Verstehen bis zum Rückblick.
problems-none = Dieser Server hat noch keine Programmieraufgaben.

## Am Platz

leave-page = Verlassen; nichts geht verloren
you = Du
coach = Coach
progress-of = { $done } von { $of }
say-it = Sagen
answer = Antworten
continue = Weiter
answer-label = Deine Antwort
answer-number = Eine Zahl
answer-text-hint = In deinen Worten; ein paar Sätze reichen
answer-wait = Der Coach ist bei der Arbeit. Die Seite geht von allein weiter.
answer-wait-until = Es geht { $when } weiter.
dont-know = Weiß ich nicht
gap-label = Lücke { $number }
order-label = Bring die Schritte in die richtige Reihenfolge
move-up = Nach oben
move-down = Nach unten
finished = Das ist geschafft.
ended = Das ist zu Ende.
ended-how = Ergebnis: { $outcome }
end-timeout = Eine Weile kam keine Antwort, deshalb ist hier Schluss. Alles ist gespeichert, und du kannst jederzeit neu anfangen.
end-user = Du hast hier aufgehört. Alles ist gespeichert.
end-abandoned = Du hast hier abgebrochen. Was du getan hast, ist gespeichert.
end-skipped = Du hast den Rückblick ausgelassen. Was du getan hast, ist gespeichert.
end-cap = Die Grenze war erreicht, deshalb ist hier Schluss. Alles ist gespeichert.
end-error = Etwas ist schiefgegangen, deshalb ist hier Schluss. Was du bis dahin getan hast, ist gespeichert.
to-today = Zurück zu Heute
text-left = Das hast du für die Frage davor getippt; abgeschickt wurde es nicht:
text-left-take = In das Feld setzen
text-left-drop = Verwerfen
field-ask-text = Deine Frage
field-choose-patternId = Muster, zum Beispiel hash-map
field-choose-confidence = Wie sicher du bist, von 1 bis 5
field-choose-invariantText = Was wahr bleibt, während das Programm läuft
field-challenge-answer = Was du ändern würdest
field-follow_up-answer = Deine Antwort
field-explain_failure-testIndex = Welcher Test, von 0 an gezählt
sure-for-good = Wirklich? Es endet endgültig, und du kannst nicht dorthin zurück.
talk-earlier = Vorher
another = Noch eins
inside-this = Innenleben ansehen
ask-own = Selbst etwas fragen
refused-now = Dieser Ablauf kann hier nicht weitergehen
moved-on = Das wurde inzwischen in einem anderen Fenster beantwortet. Du siehst den jetzigen Stand; was du getippt hast, ist noch da.
repeated-note = Das war schon angekommen. Nichts wurde doppelt gezählt.
state-now = Zustand
no-desk = Dieser Ablauf hat nur sein Gesetz. Schick ihm ein Ereignis, damit er weitergeht.
unknown-block = Einen Teil der Art „{ $kind }“ kann diese Seite noch nicht zeigen.
ideas-found = { $found } von { $all } Gedanken
idea-open = Noch offen
mark-of = Bewertung: { $quality } von 5
you-wrote = Du hast geschrieben
difference-label = Unterschied: Der erwartete Text ist unterstrichen; was du stattdessen geschrieben hast, ist durchgestrichen
this-word = Das Wort
used-of = { $done } von { $of } Mal benutzt
slowly = Langsam, Silbe für Silbe
too-long = Das sind { $kb } kB Text. Erlaubt sind { $max } kB; kürze ihn bitte. Nichts ging verloren.
cancel = Abbrechen
concepts = Begriffe
map = Karte
list = Liste
lesson = Lektion

## Karte

map-answers = Deine Antworten, 0 bis 5
map-find = Einen Begriff finden
map-legend = Was die Noten bedeuten
status-unseen = noch nicht dran
status-diagnosed = wohl bekannt
status-learning = wird gelernt
status-reviewing = verstanden
status-mastered = gemeistert
open-now = jetzt offen
due-now = jetzt fällig
due-on = kommt { $when } wieder
needs = Braucht
needs-nothing = nichts davor
opens = Öffnet
opens-nothing = nichts weiter
effort = Aufwand
minutes = etwa { $minutes } Minuten
score = Wert
zoom-in = Vergrößern
zoom-out = Verkleinern
fit = Einpassen
map-picture = Karte mit { $concepts } Begriffen; { $mastered } gemeistert. Die Liste hat denselben Inhalt.
map-hint = die Pfeiltasten folgen den Kanten

## Fortschritt

progress-title = Fortschritt
progress-mastered = Gemeistert
progress-retention = Beim Abfragen noch gewusst
progress-aim = dein Ziel sind { $aim }
progress-unknown = noch nicht bekannt
progress-pace = Tempo
progress-week = pro Woche
progress-load = Die nächsten sieben Tage
progress-reviews = { $count ->
        [one] Wiederholung
       *[other] Wiederholungen
    }
progress-done-by = in diesem Tempo bist du um den { $day } herum fertig
progress-mastery-weeks = Gemeisterte Begriffe, Woche für Woche
progress-practised = Wann du geübt hast
progress-ahead = Was in den nächsten vier Wochen wiederkommt
progress-subjects = Nach Thema
progress-subject = Thema
progress-known = Gewusst
progress-due = Fällig
progress-struggling = Einen zweiten Blick wert
progress-none = Nach den ersten Antworten stehen hier Zahlen.
week = Woche
weeks-ago = { $weeks ->
        [0] diese Woche
        [one] vor einer Woche
       *[other] vor { $weeks } Wochen
    }

## Innenleben

inside-title = Innenleben
inside-about = Jeder Ablauf hat ein Gesetz, das bewiesen wurde, bevor es lief. Hier siehst du, wo ein Ablauf steht und wie er dorthin kam.
inside-flows = Abläufe
inside-open = Laufende und vergangene
turn-of = Zug { $turn } von { $of }
now = jetzt
earlier = früher
proved = Bewiesen, bevor es lief
not-proved = Nicht bewiesen
proof-configurations = { $count } Konfigurationen geprüft, jede Tatsache wahr und falsch
proof-promises = Keine Sackgassen, keine endlosen Schleifen ohne Zutun der Lernenden, jeder Zustand erreichbar, jede Invariante eingehalten
waits-for-you = wartet
decides = entscheidet
acts = handelt
could-next = könnte als Nächstes geschehen
no-log = Noch ist nichts geschehen.
travel = Durch die Zeit reisen
first-turn = Erster Zug
last-turn = Jetzt
counters = Zähler
law-text = Das Gesetz
try-in-playground = In der Werkstatt ändern
picture-of-law = Zustandsbild von { $law } mit { $states } Zuständen; die Liste der Übergänge hat denselben Inhalt.
diagram-near = Umgebung
diagram-whole = Alles
from-everywhere = Nicht gezeichnet, aus { $count } Zuständen:
transitions = Übergänge
from = Von
event = Ereignis
to = Nach
when = Wenn

## Werkstatt

playground-title = Werkstatt
playground-about = Schreib oder ändere ein Gesetz. Fehler erscheinen beim Tippen, jeder mit dem kürzesten Weg dorthin.
playground-start = Ausgehen von
playground-own = Einem leeren Gesetz
playground-law = Text des Gesetzes
playground-clean = Bewiesen: { $count } Konfigurationen geprüft
playground-partial = In { $count } Konfigurationen ist nichts falsch; das Gesetz ist zu groß, um es hier ganz zu prüfen
playground-problems = { $count ->
        [one] 1 Fehler
       *[other] { $count } Fehler
    }
playground-line = Zeile { $line }
playground-path = Tritt auf nach
playground-step = Von Hand durchgehen
playground-begin = Anfangen
playground-facts = Tatsachen, die gelten
playground-save = Als Datei speichern
playground-serve = Bereitstellen
playground-served = { $law } steht jetzt bereit, auch nach dem nächsten Start des Servers.
playground-receiver = Solange es hier bereitsteht, werden seine Handlungen nur aufgezeichnet. Damit ein Empfänger sie ausführt, nimm
playground-over = Zu Ende: { $outcome }
playground-actions = Handlungen

## Agenten

agents-title = Agenten
agents-about = Coding-Agenten, die Etude in Gang hält, und solche, die dich brauchen.
agents-none = Noch war kein Agent hier. Dieser Befehl verbindet einen:
agents-on = Der Coach darf mit Agenten sprechen
agents-off = Der Coach hält sich aus allem heraus
agents-counts = { $stops } Mal angehalten, { $continues } Mal weitergeschickt, { $deliveries } Mal dir überlassen
agents-sessions = Sitzungen
agents-log = Was der Coach getan hat
agents-state-wait = braucht dich
agents-state-work = arbeitet
agents-state-done = fertig
agents-state-silent = still
agents-why = Warum
agents-said = Der Agent sagte

## Einstellungen

settings-title = Einstellungen
settings-you = Du
settings-name = Dein Name
settings-name-help = So begrüßt dich der Coach.
settings-language = Sprache
settings-language-help = Die Sprache, in der der Coach spricht. Lektionen behalten ihre eigene.
settings-language-auto = Wie der Browser
settings-zone = Zeitzone
settings-zone-help = Entscheidet, wann ein Tag beginnt und endet.
settings-day = Ein Tag beginnt um
settings-day-help = Eine Sitzung nach Mitternacht gehört noch zum Vortag.
settings-memory = Gedächtnis
settings-retention = Wie viel du behalten willst
settings-retention-help = Mehr bedeutet mehr Wiederholungen. Die meisten sind mit 90 % zufrieden.
settings-balance = Tage ausgleichen
settings-balance-help = Verschiebt Wiederholungen ein wenig, damit kein Tag zu viele hat.
settings-channels = Nachrichten
settings-channel = Wohin Nachrichten gehen
settings-channel-inbox = Nur hierher
settings-email = Mailadresse
settings-telegram = Telegram-Chat
settings-telegram-linked = Verbunden.
settings-telegram-how = Verbinde ihn mit dem Befehl unten.
settings-not-configured = Auf diesem Server nicht eingerichtet; docs/notify.md sagt, wie es geht.
settings-test-message = Test senden
settings-sent = Gesendet. Sieh nach, ob es ankam.
settings-digest = Einmal in der Woche eine Zusammenfassung
settings-model = Modell
settings-model-none = Kein Modell ist eingerichtet. Mit Paketen und Regeln funktioniert trotzdem alles; docs/model.md sagt, wie man eins hinzufügt.
settings-model-test = Testanfrage
settings-model-ok = Es antwortet.
settings-page = Diese Seite
settings-theme = Hell oder dunkel
settings-theme-auto = Wie das System
settings-theme-light = Hell
settings-theme-dark = Dunkel
settings-keys = Tastenkürzel mit einem Buchstaben
settings-keys-help = Sie wirken nur außerhalb von Textfeldern.
settings-data = Deine Daten
settings-export = Alles herunterladen
settings-export-help = Jeder Ablauf, jede Antwort und Nachricht, als JSON.
settings-import = Etwas importieren
settings-import-help = Ein Paket, ein Lehrplan oder eine Aufgabe (.yaml), ein Kartenstapel mit Verlauf (.apkg, .csv, .tsv) oder eine Karte als JSON. Du kannst es sofort benutzen.
settings-import-do = Datei wählen
settings-import-json = Diese Datei ist kein JSON.
settings-delete = Meine Daten löschen
settings-delete-help = Alles über dich auf diesem Server, für immer.
settings-delete-confirm = Zum Bestätigen „{ $learner }“ tippen
settings-delete-do = Alles löschen
settings-deleted = Gelöscht: { $flows } Abläufe, { $records } Einträge.
settings-saved = Gespeichert
settings-tour = Den Rundgang noch einmal zeigen

## Tasten und Palette

palette-title = Alles
palette-placeholder = Tippe, was du tun willst
palette-none = Nichts mit diesem Namen.
keys-title = Tasten
keys-go = Gehe zu
keys-palette = Alles
keys-help = Alle Tasten
keys-out = Einen Schritt zurück; kein Text geht verloren
keys-enter = Den hervorgehobenen Knopf drücken
keys-send = Mehrzeiligen Text senden; ein Gesetz prüfen
keys-row = Diese Zeile, diese Möglichkeit
keys-view = Diagramm oder Tabelle, Karte oder Liste
keys-find = Auf dieser Seite suchen

## Wenn etwas nicht geht

away = Der Server antwortet nicht. Was du tippst, bleibt hier erhalten.
away-in = Nächster Versuch in { $seconds } s.
try-now = Jetzt versuchen
came-back = Wieder da. Nichts ging verloren.
newer = Der Server hat eine neuere Fassung als diese Seite.
reload = Neu laden
sign-in-title = Wer ist da?
sign-in-used = Diese Adresse wurde schon benutzt. Sie gilt einmal, für einen Browser.
sign-in-expired = Dieser Browser ist nicht angemeldet, oder die Anmeldung ist abgelaufen.
sign-in-how = Starte den Server neu und öffne die Adresse, die er nennt, oder füge hier das Token ein. Dieser Befehl nennt es:
sign-in-token = Token
sign-in-do = Anmelden
failed-page = Diese Seite ließ sich nicht laden: { $why }
refused-unknown-instance = Unter dieser Adresse ist nichts, oder es gehört jemand anderem.
refused-wrong-token = Das ist kein Token dieses Servers. Kopiere, was der Befehl ausgibt, ohne Leerzeichen.
not-loaded = Nicht geladen
not-found = Unter dieser Adresse ist nichts.

## Erster Start

first-title = Willkommen
first-lead = Drei kurze Fragen, dann ein erster Erfolg. Es dauert eine Minute.
first-name = Wie soll dich der Coach nennen?
first-name-skip = Du kannst das leer lassen.
first-what = Womit möchtest du anfangen?
first-words = Wörter einer Sprache
first-course = Ein Thema
first-later = Erst einmal umsehen
first-next = Weiter
first-zone = Dein Tag endet um vier Uhr morgens (Zeitzone { $zone }). Das lässt sich in den Einstellungen ändern.

## Programme

language = Sprache
editor-out = verlässt den Editor; Tab allein rückt ein
program-label = Dein Programm
run-it = Ausführen
tests-pass = { $passed } von { $all } Tests bestanden
tests-hidden = Verborgene Tests: { $passed } von { $all } bestanden
test-input = Eingabe
test-expected = Erwartet
test-at = Bei { $at }: { $actual } statt { $expected }
test-line = Zeile { $line }: { $actual } statt { $expected }
test-actual = Deins
verdict-accepted = besteht
verdict-wrong_answer = weicht ab
verdict-time_limit = zu langsam
verdict-memory_limit = zu viel Speicher
verdict-output_limit = zu viel Ausgabe
verdict-runtime_error = bricht ab
verdict-compile_error = lässt sich nicht übersetzen
verdict-internal_error = konnte nicht beurteilt werden
step-UNDERSTAND = Verstehen
step-PLAN = Planen
step-IMPLEMENT = Schreiben
step-VERIFY = Testen
step-REFLECT = Zurückblicken
steps-label = Schritte
statement = Aufgabe
artefacts = Was du schon hast
artefact-explanation = Deine Erklärung
artefact-pattern = Muster
artefact-invariant = Invariante
artefact-complexity = Aufwand
mode-label = Modus
mode-BEGINNER = Anfänger
mode-EXPERT = Experte
hints-of = Tipps: { $done } von { $of } verbraucht
saved-here = Was du schreibst, bleibt in diesem Browser, bis du es ausführst.
rung = Stufe { $rung }
solved = gelöst
hint = Tipp
hints = Tipps
hints-used = { $done } von { $of } verbraucht
read-only-now = beim Prüfen nur zum Lesen
panel-statement = Aufgabe
panel-work = Schritt
panel-coach = Coach
invariant-build = Deine Invariante: Wähle, was in jede Lücke gehört
several-hint = Wähle alle, die zutreffen; vielleicht trifft keine zu
none-of-them = Keine davon
test-number = Test { $number }:
test-next = Nächster Test
test-before = Voriger Test
tests-keys = Tests
trace-do = Diesen Test Zeile für Zeile ansehen
trace-title = Zeile für Zeile
trace-keys = Schritte
trace-first = Erster Schritt
trace-back = Einen Schritt zurück
trace-on = Einen Schritt weiter
trace-last = Letzter Schritt
trace-play = Abspielen
trace-pause = Anhalten
trace-slider = Schritte des Aufrufs
trace-step = Schritt { $step } von { $of } · Zeile { $line }
trace-inside = In
trace-returns = { $name } gibt zurück
trace-error = Es bricht ab
trace-cut = Der Aufruf ging noch weiter; so weit wurde er verfolgt.
trace-no-variables = noch keine Variablen
undo = Rückgängig
sign-out = Abmelden
settings-signed-in = Dieser Browser
settings-signed-in-owner = Angemeldet. Dieser Server gehört dir.
settings-signed-in-as = Angemeldet als { $learner }.
withdraw = Entfernen
withdraw-help = Das Gesetz wird entfernt; laufende Abläufe gehen weiter.
problems-find = Eine Aufgabe suchen
rung-1 = ein Gedanke
rung-2 = ein Gedanke, gut versteckt
rung-3 = zwei Gedanken
rung-4 = schwer
rung-5 = noch schwerer
solved-of = { $solved } von { $of } gelöst
coach-UNDERSTAND = Erklär die Aufgabe so, wie du sie einer Freundin erklären würdest. Ich lese es und frage nach, wenn etwas fehlt.
coach-PLAN = Welches Muster passt, und was bleibt in jeder Runde wahr? Ich sage dir, was dafür und was dagegen spricht.
coach-IMPLEMENT = Schreib es, führ es aus. Tipps reichen vom Anstoß bis zum Plan, nie bis zur Lösung.
coach-VERIFY = Ein Test, der fehlschlägt, ist die beste Lektion, die es gibt. Sieh dir einen an und sag, was deiner Meinung nach schiefgeht.
coach-REFLECT = Woran erkennst du es beim nächsten Mal? Eine Zeile genügt.
agents-sum = { $working } bei der Arbeit, { $waiting ->
        [0] keiner wartet auf dich
        [one] einer wartet auf dich
       *[other] { $waiting } warten auf dich
    }
agents-agent = Agent
agents-next = Nächste Sitzung
agents-before = Vorige Sitzung
agents-sent-on = Weitergeschickt
agents-left = Dir überlassen
agents-evidence = Ohne Beleg zurückgeschickt
agents-by-rules = nach Regeln
agents-by-model = vom Modell
agents-kind-question = eine Frage
agents-kind-status = ein Zwischenbericht
agents-kind-completion = fertig
agents-kind-error = ein Fehler

agents-kind-blocker = kommt nicht weiter
agents-did-continue = Weitergeschickt
agents-did-deliver = Dir überlassen
agents-did-aside = Nur zugesehen
agents-did-watchdog = Dich gerufen
agents-did-failed_open = Konnte nicht entscheiden, der Agent durfte aufhören
first-success = Dein erster Erfolg.
first-success-more = Mehr ist es nicht: Du antwortest, und was du weißt, kommt am richtigen Tag wieder. „Heute“ zeigt immer das Nützlichste zuerst.
first-success-on = Hier weitermachen
keys-rows = Nächste und vorige: Tests, Sitzungen
keys-steps = An Kanten, Schritten und Zügen entlang; Pos1 und Ende für den Anfang und das Ende
keys-hint = Ein Tipp, bei einer Programmieraufgabe
summary-tests = Tests
summary-runs = Fassungen des Programms
summary-cues = Was du mitnimmst
settings-import-help-learner = Eine Karte als JSON, zum Beispiel aus `etude teach map --format json`. Ihre Begriffe werden ein eigener Kurs.
settings-packs = Ein Paket für Anki oder eine Tabelle
settings-packs-help = Die Wörter; für Anki mit deinem Verlauf.
settings-packs-which = Welches Paket?
import-deck = wird ein Paket. Ergänze die Angaben:
import-language = Sprache, die du lernst
import-explained = Sprache der Bedeutungen
import-side = Das Wort, das du lernst, steht
import-side-auto = auf der üblichen Seite
import-side-front = auf der Vorderseite
import-side-back = auf der Rückseite
import-title = Titel (wenn leer, der Dateiname)
import-take = Importieren
import-replace = Ersetzen
import-large = Diese Datei hat { $mb } MB; die Seite nimmt höchstens { $max } MB an. Mit `etude pack import` geht mehr.
import-took-pack = { $count ->
        [one] Ein Wort wurde importiert, { $remembered } mit Verlauf:
       *[other] { $count } Wörter wurden importiert, { $remembered } mit Verlauf:
    }
import-took-curriculum = Ein Lehrplan mit { $count } Begriffen wurde importiert:
import-took-problem = Die Aufgabe wurde importiert:
import-took-course = Da ist er:
import-took-front = Die Wörter zum Lernen standen auf der Vorderseite.
import-took-back = Die Wörter zum Lernen standen auf der Rückseite.
import-left-out = { $count ->
        [one] Eine Notiz fehlt
       *[other] { $count } Notizen fehlen
    }
coach-thinks = Der Coach denkt nach.
coach-asks = Der Coach fragt das Modell.
coach-writes = Der Coach schreibt. Jeder Satz, den du liest, ist schon geprüft; am Ende wird der ganze Text geprüft.
still-at-work = Das dauert länger als sonst. Es geht von selbst weiter, und was der Coach sagt, erscheint hier.
begin-slow = Der Coach bereitet das Thema vor. Mit einem Modell kann das eine Minute dauern; du darfst die Seite verlassen.
only-a-little = Nur ein wenig
coach-runs = Der Coach führt es aus.

## Die Stimme

voice-title = Stimme
voice-on = Sprechen
voice-off = Mikrofon aus
voice-hold = Zum Sprechen gedrückt halten
voice-space = Leertaste
voice-hands-free = Freisprechen
voice-mute = Coach stummschalten
voice-hush = Coach unterbrechen
voice-starting = Einen Moment
voice-ready = Du bist dran
voice-listening = Ich höre zu
voice-thinking = Ich denke nach
voice-speaking = Der Coach spricht
voice-waiting = Dieser Teil wird getippt
voice-unheard = Ich habe nichts gehört. Halte die Taste gedrückt, während du sprichst.
voice-kept = Etude speichert nur deine Worte, nie den Ton.
voice-no-engines = Der Server kann noch nicht zuhören. Dieser Befehl auf dem Server richtet es ein:
voice-denied = Der Browser erlaubt dieser Seite das Mikrofon nicht. Erlaube es in der Adresszeile und versuch es noch einmal. Tippen geht weiter wie bisher.
voice-no-microphone = Es ist kein Mikrofon angeschlossen. Schließ eins an und versuch es noch einmal. Tippen geht weiter wie bisher.
voice-taken = Ein anderes Programm benutzt das Mikrofon. Schließ es und versuch es noch einmal.
voice-unplugged = Das Mikrofon wurde abgezogen. Steck es wieder an und versuch es noch einmal. Nichts ist verloren gegangen.
voice-not-secure = Browser erlauben das Mikrofon nur auf Seiten mit https und auf Seiten des eigenen Rechners. Öffne die Seite auf dem Rechner selbst oder über einen Proxy mit TLS.
voice-old-browser = Dieser Browser kann kein Mikrofon benutzen. Tippen geht weiter wie bisher.
voice-failed = Das Mikrofon ließ sich nicht starten: { $why }
voice-lost = Die Verbindung ist abgebrochen. Nichts ist verloren gegangen; versuch es noch einmal.
voice-end-silence = Eine Weile hat niemand gesprochen, deshalb ist das Mikrofon aus. Alles ist gespeichert.
voice-end-idle = Eine Weile ist nichts passiert, deshalb ist das Mikrofon aus. Alles ist gespeichert.
voice-end-too_many = Auf diesem Server sprechen gerade zu viele Leute. Versuch es in einer Minute noch einmal.
voice-end-too_long = Das Mikrofon war lange an und wurde deshalb ausgeschaltet. Alles ist gespeichert.
voice-end-signed_out = Die Anmeldung dieses Browsers gilt nicht mehr.
voice-end-server_stops = Der Server wird beendet. Alles ist gespeichert.
keys-speak = Zum Sprechen halten, wenn das Mikrofon an ist
