guess-about = Guess a number, told only whether it is higher or lower.

guess-verb-open = Think of a number
    .help = The coach thinks of a number. Guess it.
guess-verb-guess = Guess
    .help = Name a whole number.
guess-verb-leave = Give up
    .help = End this game.

guess-title = Guess the number
guess-question = Which number from 1 to { $highest } am I thinking of?
guess-used = Guesses
guess-higher = It is higher than { $number }.
guess-lower = It is lower than { $number }.
guess-right = { $number } it is!
guess-missed = It was { $number }. Halve what is left with each guess, and you will always get there.
guess-not-a-number = “{ $text }” is not a whole number
    .cure = name a whole number, such as 50
