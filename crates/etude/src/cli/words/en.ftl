cli-language = { $code ->
    [de] German
    [en] English
    [es] Spanish
    [fr] French
   *[other] { $code }
}

## Labels

cli-label-you = You
cli-label-coach = Coach
cli-label-note = Note
cli-label-heading = Heading
cli-label-word = Word
cli-label-meaning = Meaning
cli-label-explanation = Explanation
cli-label-example = Example
cli-label-scene = Scene
cli-label-say = Say
cli-label-slowly = Slowly
cli-label-difference = Difference
cli-label-question = Question
cli-label-choice = Choice
cli-label-code = Code
cli-label-output = Result
cli-label-tests = Tests
cli-label-steps = Step
cli-label-progress = Progress

## In a session

cli-welcome = { $title }. Everything is saved as you go; `help` shows the commands.
cli-welcome-aloud = { $title }. Everything is saved as you go. You can say “again”, “slower” and “stop”.
cli-goes-on = Picking up where you left off.
cli-only-for-new = These options are for a new session; add --new to start one.
cli-left-the-old = The open session has been ended.
cli-cannot-go-on = An older session can't be continued ({ $reason }).
cli-thinking = One moment …
cli-moved-on = This continued somewhere else, so your line was not counted. Here is where it stands now.
cli-waits = The model did not answer. Try again later; `etude doctor` tells you whether it works.
cli-waits-until = The next thing is due { $when }.
cli-saved = Saved. `{ $command }` picks up where you left off.
cli-next-session = `{ $command }` begins the next session.
cli-press-enter = Press Enter to close.
cli-more = Enter: read on
cli-rejected = { $message }; { $cure }.
cli-cut = That was very long: only the first { $count } characters were read.
cli-not-text = Part of that was not readable text and was left out.
cli-not-a-number = That is not a number.
cli-not-an-option = That isn't one of the options. Type one of them.
cli-keeps = Enter keeps: { $text }
cli-no-editor = No editor is set. Set EDITOR, or paste the program and end it with a line that has only a dot.
cli-not-edited = `{ $editor }` did not edit the program: { $why }
cli-step-of = { $call }: step { $at } of { $of }
cli-step-keys = Enter: next step · b: back · a number: that step · anything else: continue
cli-step-line = { $number }, line { $line }: { $text }
cli-step-changes = { $number }, { $changed }; then line { $line }: { $text }
cli-step-returns = { $number }, { $function } returns { $value }
cli-step-returns-now = { $function } returns { $value }.
cli-step-stack = Calls: { $calls }
cli-step-result = The result is { $result }; the expected result is { $expected }.
cli-step-error = It ends with an error: { $error } The expected result is { $expected }.
cli-steps-cut = The call continues; only the first steps are shown.
cli-tests-passed = { $passed } of { $of } passed
cli-test-failed = { $verdict ->
    [wrong_answer] Test { $index }: wrong answer { $place }
    [time_limit] Test { $index }: took too long
    [memory_limit] Test { $index }: used too much memory
    [output_limit] Test { $index }: printed too much
    [runtime_error] Test { $index }: failed while it ran
    [compile_error] Test { $index }: does not compile
   *[other] Test { $index }: not judged
}
cli-progress = { $label } { $done }
cli-progress-of = { $label } { $done } of { $of }
cli-answer-in-order = Answer with the labels in the right order, like this: { $example }.
cli-answer-with-commas = Answer with one word or phrase for each gap, separated by commas.
cli-piece-missing = missing “{ $expected }”
cli-piece-extra = one too many: “{ $heard }”
cli-piece-changed = “{ $expected }” instead of “{ $heard }”
cli-mark = Your last answer got { $quality } out of 5.
cli-no-mark = None of your answers has been marked yet.
cli-found = “{ $words }” says it: { $idea }
cli-missing = still missing: { $idea }

## What can be typed

cli-enter = Enter: { $what }
cli-key = `{ $key }`: { $what }
cli-key-enter = Enter
cli-key-again = again
cli-key-why = why
cli-key-quit = quit
cli-commands = Commands
cli-help-program = End the program, on a line of its own; ``` before and after it does the same.
cli-program-begun = You had begun this program. Enter goes on with it; anything else begins a new one.
cli-program-ends = End the program with a line that has only a dot.
cli-help-lines = Continue on the next line; an open ``` does the same.
cli-help-again = Show everything again.
cli-help-why = Show how your last answer was marked.
cli-help-quit = Stop; everything is saved. Ctrl-C and Ctrl-D do the same.
cli-help-help = Show this; so does `help`.
cli-unknown-command = `{ $command }` is not a command here, and it was not taken as an answer. `help` shows the commands.
cli-not-now = `{ $command }` does nothing here, and it was not taken as an answer. `help` shows the commands.
cli-no-questions = You can't ask your own questions here. `help` shows the commands.
cli-nothing-asked = You haven't been asked anything yet. To ask something yourself, begin the line with `?`.
cli-all-answered = You haven't been asked anything. `help` shows the commands.
cli-nothing-to-do = There is nothing to do here right now.

## Packs

cli-your-problems = Coding problems
cli-rung = Rung { $rung }
cli-solved = solved
cli-your-packs = Your packs
cli-packs-for = Packs for { $learner }
cli-taught-in = { $language }, explained in { $explained }
cli-pack-tally = { $items } { $items ->
    [one] item
   *[other] items
} · { $learned } learned · { $due } due
cli-session-is-open = a session is open
cli-how-to-begin = Type `{ $command }` to begin.
cli-no-packs = No pack can be read. Your own packs belong in { $folder }.
cli-left-out = { $file } is left out; `{ $command }` shows why.

## Courses

cli-your-courses = Your courses
cli-courses-of = Courses of { $learner }
cli-course-stands = { $status } · { $mastered } of { $all } mastered
cli-reviews-due = { $count } { $count ->
    [one] review
   *[other] reviews
} due
cli-review-when = review { $when }
cli-could-learn = You could learn
cli-curriculum = { $concepts } { $concepts ->
    [one] concept
   *[other] concepts
}, { $time }, { $language }
cli-minutes = about { $count } { $count ->
    [one] minute
   *[other] minutes
}
cli-hours = about { $count } { $count ->
    [one] hour
   *[other] hours
}
cli-anything-else = Say what you want to learn: `etude teach "I want to learn …"`. With a model, that can be anything.
cli-inbox-has = { $count ->
    [one] 1 message is waiting
   *[other] { $count } messages are waiting
}: `etude teach inbox`.
cli-inbox-is-empty = Your inbox is empty.
cli-inbox-asks = `{ $command }` lets you answer.
cli-drawing-map = Drawing a map of what there is to learn …
cli-taken-up = Resumed with everything you knew; Etude does not repeat the questions that were open then.
cli-gate-only-for-new = --gate is for a new course; this one continues.
cli-goal-only-for-new = --goal is for a new course; this one continues.
cli-again-only-when-over = --again is for a course that has ended; this one continues.
cli-is-completed = { $due } You have completed this course. `{ $review }` practises it, `{ $again }` starts over.
cli-is-abandoned = You ended “{ $title }”. `{ $resume }` continues it, `{ $again }` starts over.
cli-practise = Enter: practise now
cli-no-words-in = Etude has no words in “{ $language }” and will speak English. It knows: { $known }
cli-no-bot = no bot is configured: docs/notify.md says how to set one up
cli-send-to-bot = Send this to your bot within { $minutes } minutes:
cli-pack-covers = There is no course on that, but there is a pack of words: “{ $title }”. Practise it with `{ $command }`.
cli-other-language = This course is in { $language }, so please answer in { $language }.
cli-due-now = { $count ->
    [one] 1 concept is
   *[other] { $count } concepts are
} due for review.
cli-next-review = The next review is { $when }.
cli-nothing-due = Nothing is due for review.
cli-course-waits = “{ $title }” continues: `{ $command }`.
cli-completed = You have completed the course. `etude teach review` keeps it fresh.
cli-was-abandoned = The course has been ended. `etude teach list` tells you how to resume it.
cli-sure = End “{ $title }”? You keep what you have learned. [y/N]
cli-not-abandoned = Nothing was changed.
cli-abandoned = “{ $title }” has been ended. `etude teach resume { $id }` continues it.
cli-already-ended = “{ $title }” has already ended
    .cure = `{ $command }` continues it
cli-ambiguous-course = `{ $name }` could mean several courses
    .cure = name one by the beginning of its id: { $courses }
cli-course-since = { $id } ({ $title }, { $status }, since { $since })
cli-unknown-course = there is no { $kind ->
    [open] open course
    [abandoned] abandoned course
   *[any] course
} `{ $name }`
    .cure = `etude teach list` shows your courses
cli-written = { $file } has been written.
cli-also-needs = also needs: { $concepts }
cli-you-are-here = ← you are here
cli-map-imported = “{ $title }” is ready, { $concepts } { $concepts ->
    [one] concept
   *[other] concepts
}. `{ $command }` begins it.
cli-curriculum-imported = “{ $title }” can be taught now, { $concepts } { $concepts ->
    [one] concept
   *[other] concepts
}. `{ $command }` begins it.

## The greeting

cli-hello = Etude is a coach that takes turns with you.
cli-hello-again = { $name ->
    [none] Welcome back.
   *[other] Welcome back, { $name }.
}
cli-first-steps = Four things to try:
cli-first-teach = learn a subject: a few questions, then one concept at a time
cli-first-drill = learn the words of a language by using them
cli-first-attempt = solve a coding problem in five steps, with tests and hints
cli-first-agent = coach a coding agent so that it finishes what it starts
cli-more-help = `etude --help` lists every command, and `etude doctor` checks this machine.
cli-greet-reviews = { $count ->
    [one] 1 concept is
   *[other] { $count } concepts are
} due for review
cli-greet-patterns = { $count ->
    [one] 1 pattern is due for another problem
   *[other] { $count } patterns are due for another problem
}
cli-greet-attempt = the problem “{ $title }” is open
cli-greet-problem = the next problem: { $title }
cli-greet-words = { $count ->
    [one] 1 word is
   *[other] { $count } words are
} due in “{ $pack }”
cli-greet-course = “{ $title }”: { $mastered } of { $all } mastered
cli-greet-review = “{ $title }”: next review { $when }
cli-greet-session = your session with “{ $pack }” is open
cli-greet-flow = your session of “{ $flow }” is open
cli-greet-inbox = { $count ->
    [one] 1 message is
   *[other] { $count } messages are
} waiting
cli-greet-nothing = Nothing is due.
cli-greet-later = Nothing is due. The next review is { $when }.
cli-next-step = Type `{ $command }` to continue.

## etude progress

cli-numbers-nothing = There is nothing to show yet. `etude teach TOPIC` starts a course, `etude drill` lists the packs, and `etude attempt` lists the coding problems.
cli-numbers-of = Progress: { $title }
cli-numbers-of-all = Progress in all courses
cli-numbers-label = { $about ->
    [mastery] mastery
    [pace] pace
    [retention] retention
    [answers] answers
    [strongest] strongest
    [best-time] best time
    [done-around] done around
    [words] words
    [problems] problems
    [patterns] patterns
   *[next] next
}
cli-numbers-mastery = { $percent } ({ $mastered } of { $concepts ->
    [one] 1 concept
   *[other] { $concepts } concepts
})
cli-numbers-pace = { $pace } concepts per week
cli-numbers-retention = { $week } in 7 days, { $month } in 30
cli-numbers-unknown = not known yet
cli-numbers-answers = { $all }, { $week } of them this week
cli-numbers-area = { $area } ({ $percent })
cli-numbers-words = { $pack }: { $learned } of { $items } learned, { $due } due
cli-numbers-problems = { $solved } of { $all } solved
cli-numbers-patterns = { $count } practised{ $due ->
    [0] { "" }
   *[other] , { $due } due for another problem
}
cli-numbers-next = `{ $command }`: { $title }

cli-voice-started = [run] Voice loop started
    { "[" }run] Max interactions: { $of }
    { "[" }run] Stop keywords: { $stop_words }
cli-voice-iteration = [Loop] Iteration { $turn }/{ $of }
cli-voice-listening = [Iteration { $turn }] Listening for wake word...
cli-voice-woken = [Iteration { $turn }] Wake word detected!
cli-voice-recording = [Iteration { $turn }] Recording audio...
cli-voice-recorded = [Iteration { $turn }] Recorded { $samples } samples ({ $seconds } s)
cli-voice-transcribing = [Iteration { $turn }] Transcribing audio...
cli-voice-transcribed = [Iteration { $turn }] Transcribed: '{ $text }' ({ $ms } ms)
cli-voice-parsing = [Iteration { $turn }] Parsing intent...
cli-voice-intent = [Iteration { $turn }] Intent: { $kind } (confidence={ $confidence })
cli-voice-generating = [Iteration { $turn }] Generating response...
cli-voice-answer = [Iteration { $turn }] Response: '{ $text }' (source: { $by })
cli-voice-speaking = [Iteration { $turn }] Speaking response...
cli-voice-spoken = [Iteration { $turn }] Response spoken
cli-voice-spoken-after = [Iteration { $turn }] Response spoken ({ $seconds } s, first sound { $ms } ms after the end of speech)
cli-voice-cut-in = [Iteration { $turn }] Interrupted by the learner
cli-voice-not-heard = [Iteration { $turn }] Response: '{ $text }'
cli-voice-stop-word = [Iteration { $turn }] Stop keyword detected: '{ $word }'
cli-voice-failed = [Iteration { $turn }] Failed: { $why }
    do: { $cure }
cli-voice-goes-on = [Loop] Continuing... ({ $left } { $left ->
    [one] interaction
   *[other] interactions
} remaining)
cli-voice-over = [Loop] { $reason }
cli-voice-ended = [Loop] Exiting after { $turns } interaction(s)
cli-voice-reason = [Loop] Reason: { $reason } (source: { $source })
cli-voice-complete = [run] Voice loop complete
cli-voice-says = ♪ { $text }
cli-voice-says-slowly = ♪ (slowly) { $text }
cli-voice-listens = …
cli-voice-hears = › { $text } ({ $ms } ms)
cli-voice-fits = › heard as “{ $text }” ({ $margin } nats against the nearest other)
cli-voice-silence = › (silence)
cli-voice-unheard = I haven’t heard you for a while, so I stop here.
cli-voice-typed = Please type this answer.
cli-voice-troubled = ! { $why }

## Coding agents

cli-agent-session = session { $session } of { $agent }
cli-agent-cut-off = the session { $session } was cut off and is marked as failed
cli-agent-sent-on = sent on:
cli-agent-finished = finished:
cli-agent-failed = failed:
cli-agent-over-to-you = over to you:
cli-agent-watchdog = watchdog:
cli-agent-check-proves-nothing = the check proves nothing:
cli-agent-plan-unreadable = the plan cannot be read:
cli-agent-found = found:
cli-agent-nobody = no agent has been here yet
cli-agent-state = { $state ->
    [finished] finished
    [done] finished
    [waiting] waiting for you
    [silent] silent
    [error] failed
    [timeout] fell silent
    [user] ended by you
   *[working] at work
}
cli-agent-phase = in { $phase }
cli-agent-summary = { $agent } { $session }: { $stops ->
    [one] { $stops } stop
   *[other] { $stops } stops
}, { $saved ->
    [one] { $saved } turn saved
   *[other] { $saved } turns saved
}, { $claims ->
    [one] { $claims } unproved claim sent back
   *[other] { $claims } unproved claims sent back
}, handed to you { $deliveries ->
    [one] { $deliveries } time
   *[other] { $deliveries } times
} ({ $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
})
cli-agent-spent = ${ $agent } for the agent, ${ $model } for the coach's model
cli-agent-spent-by-model = ${ $model } for the coach's model
cli-agent-alarms = { $count ->
    [one] { $count } warning of the watchdog
   *[other] { $count } warnings of the watchdog
}
cli-agent-no-log = nothing yet; `etude agent install AGENT` lets the coach in
cli-agent-tier = tier { $tier }
cli-agent-by-model = by a model
cli-agent-coached = coached:
cli-agent-no-folder = no folder is allowed: a hook installed for all folders stays out of them; `etude agent allow` allows the one you are in
cli-agent-paused = paused: { $agent } { $session }; `etude agent unpause { $session }` ends it
cli-agent-unpaused = coached again: { $agent } { $session }
cli-agent-is-on = on: agents that stop too early are sent on
cli-agent-is-off = off: agents stop when they stop; `etude agent on` turns it on
