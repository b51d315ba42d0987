voice-about = Talk with the coach: a few independent turns, by voice or in writing.

voice-verb-open = Start a conversation
    .help = Say something and get an answer, a few times in a row.
voice-verb-say = Say
    .help = Ask what is due, how you are doing, or what a word means.
voice-verb-leave = End
    .help = End this conversation.

voice-title = Talk with the coach
voice-question = What would you like to know?
voice-turns = Turns

voice-greeting = Hello! How can I help you today?
voice-goodbye = Goodbye! See you soon.
voice-nothing-due = Nothing is due right now.
voice-courses = Courses start in the terminal: type “etude teach”, and the name of the course. It also continues one.
voice-due = { $count ->
    [one] One thing is due: { $where_due }.
   *[other] { $count } things are due: { $where_due }.
}
voice-due-in = { $count } in { $title }
voice-nothing-begun = You haven’t started anything yet. Say “start a drill”.
voice-progress = You know { $subjects }.
voice-progress-in = { $known } of { $of } in { $title }
voice-time = It is { $time }.
voice-date = It is { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
}, { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
} { $day }.
voice-means = “{ $word }” means: { $meaning }.
voice-is-said = “{ $meaning }” is “{ $word }”.
voice-unknown-word = I don’t know “{ $word }”. I only know the words of your packs.
voice-starts = Let’s practise { $title }.
voice-which-pack = I have these packs: { $packs }. Say “start”, and the one you would like.
voice-elsewhere = I can’t run a drill from here. Open Etude and start it there.
voice-nothing-to-repeat = There is nothing to repeat here. Just ask again.
voice-again = Once more.
voice-slower = More slowly.
voice-help = Ask me what is due, how you are doing, what time it is or what a word means. Or say “start a drill”.
voice-welcome = You’re welcome.
voice-name = I am Etude, your coach.
voice-cannot-answer = I can’t answer that. Ask me what is due, how you are doing, or what a word means.
voice-cannot-do = I can’t do that. Say “help” to hear what I can do.
voice-not-understood = I’m not sure what you mean. Say “help” to hear what you can ask.
voice-not-heard = I didn’t hear anything.
voice-article-unclear = I couldn’t tell which article you said. Please say it once more.
voice-sorry = Sorry, something went wrong. I have to end here.

voice-reason-stop-word = User requested stop (“{ $word }”)
voice-reason-left = The learner left
voice-reason-model = The answer contained the stop word “{ $word }”
voice-reason-cap = Max interactions ({ $max }) reached
voice-reason-timeout = A step took too long
voice-reason-no-wake = No wake word was heard
voice-reason-error = Error: { $why }
voice-reason-done = Continuing with { $title }

voice-nothing-said = there are no words in this
    .cure = say or write something with at least one word
voice-unreadable = { $what } cannot be read: { $why }
    .cure = send what the schema of this event describes
