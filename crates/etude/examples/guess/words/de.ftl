guess-about = Errate eine Zahl. Du hörst nur, ob sie größer oder kleiner ist.

guess-verb-open = Zahl ausdenken
    .help = Der Coach denkt sich eine Zahl aus. Errate sie.
guess-verb-guess = Raten
    .help = Nenne eine ganze Zahl.
guess-verb-leave = Aufgeben
    .help = Beende dieses Spiel.

guess-title = Zahlenraten
guess-question = Welche Zahl von 1 bis { $highest } denke ich mir?
guess-used = Versuche
guess-higher = Sie ist größer als { $number }.
guess-lower = Sie ist kleiner als { $number }.
guess-right = Richtig, es ist die { $number }!
guess-missed = Es war die { $number }. Wenn du jedes Mal halbierst, was übrig ist, findest du sie immer.
guess-not-a-number = „{ $text }“ ist keine ganze Zahl
    .cure = nenne eine ganze Zahl, zum Beispiel 50
