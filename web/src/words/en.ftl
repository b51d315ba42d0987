# The page's own labels. What a coach says comes from the flows.

nav-main = Main
nav-today = Today
nav-practise = Practise
nav-words = Words
nav-courses = Courses
nav-problems = Problems
nav-flows = More
nav-look = Look
nav-agents = Agents
nav-progress = Progress
nav-inside = Inside
nav-playground = Playground
nav-settings = Settings
nav-more = More
nav-needs-you = needs you: { $count }
skip = Skip to the content
anything = anything
all-keys = all keys
back = Back
close = Close
key-ctrl = Ctrl
loading = One moment …

## Today

hello = { $part ->
        [morning] Good morning
        [afternoon] Good afternoon
        [evening] Good evening
       *[night] Hello
    }{ $name ->
        [none] .
       *[other] , { $name }.
    }
most-useful = Most useful now
next-reviews = { $count ->
        [one] One review in { $title }
       *[other] { $count } reviews in { $title }
    }
next-continue = Continue with { $title }
next-new = Start with { $title }
next-something = What would you like to learn?
why-due = { $count ->
        [one] Without it, what you know would start to fade. Stop whenever you like: each answer is saved at once.
       *[other] Without them, what you know would start to fade. Stop whenever you like: each answer is saved at once.
    }
why-continue = It is exactly where you left it.
why-new = A few minutes are enough for a first step. You can stop at any time.
start = Start
go-on = Go on
something-else = Something else
go-on-title = Continue where you stopped
due-title = Due
due-count = { $count } due
waiting-title = Waiting for you
agent-asks = An agent is waiting
fortnight = The last two weeks
fortnight-days = { $days ->
        [0] Nothing yet. The first note is the hardest one.
        [one] You practised on one of 14 days. The others are rests, and rests are part of the piece.
       *[14] You practised on every one of 14 days.
        [other] You practised on { $days } of 14 days. The others are rests, and rests are part of the piece.
    }
coming-back = Coming back
today-short = Today
next-at = The next review is { $when }.
nothing-known = What you learn comes back on the right day, and then you'll see it here.
chart = Chart
table = Table
view = View
day = Day
reviews = Reviews
answers = Answers

## Words and courses

words-title = Words
words-about = Learn the words of a language one at a time, and use each one until it sticks.
words-known = { $known } of { $of } learned
courses-title = Courses
courses-about = Learn a subject concept by concept.
courses-none = What would you like to understand?
i-want = I want to learn …
begin = Begin
included = Included
concepts-count = { $concepts } concepts, about { $hours } hours
mastered-of = { $known } of { $of } mastered
open-course = Map
review-due = { $count ->
        [one] Review 1
       *[other] Review { $count }
    }
practise-ahead = Practise ahead
flows-title = More to practise
flows-about = Everything else that this server offers.
flow-voice = Talk to Etude
flows-none = This server offers no other flows.
open-flow = Open
problems-title = Problems
problems-about = Coding problems, from understanding to reflection.
problems-none = This server has no coding problems yet.

## At a desk

leave-page = Leave; nothing is lost
you = You
coach = Coach
progress-of = { $done } of { $of }
say-it = Say it
answer = Answer
continue = Continue
answer-label = Your answer
answer-number = A number
answer-text-hint = In your own words; a few sentences are enough
answer-wait = The coach is at work. This page continues by itself.
answer-wait-until = It continues { $when }.
dont-know = I don't know
gap-label = Gap { $number }
order-label = Put the steps in order
move-up = Move up
move-down = Move down
finished = This one is finished.
ended = This one is finished.
ended-how = Outcome: { $outcome }
end-timeout = No answer came for a while, so this has ended. Everything is saved, and you can begin again at any time.
end-user = You ended it here. Everything is saved.
end-abandoned = You gave up here. What you have done is saved.
end-skipped = You skipped the look back. What you have done is saved.
end-cap = This ended because it had reached its limit. Everything is saved.
end-error = This ended because something went wrong. What you had done by then is saved.
to-today = Back to Today
text-left = You typed this for the question before, and it was not sent:
text-left-take = Put it in the box
text-left-drop = Discard it
field-ask-text = Your question
field-choose-patternId = Pattern, such as hash-map
field-choose-confidence = How sure you are, from 1 to 5
field-choose-invariantText = What stays true while the program runs
field-challenge-answer = What you would change
field-follow_up-answer = Your answer
field-explain_failure-testIndex = Which test, counted from 0
sure-for-good = Really? It ends for good, and you cannot come back to it.
talk-earlier = Earlier
another = Another one
inside-this = Look inside
ask-own = Ask your own question
refused-now = This flow cannot continue here
moved-on = This was answered in another window in the meantime. Here is where it stands now; what you typed is still here.
repeated-note = This had already been sent. Nothing was counted twice.
state-now = State
no-desk = This flow has only its law. Send an event to move it.
unknown-block = This page cannot show a part of kind “{ $kind }” yet.
ideas-found = { $found } of { $all } ideas
idea-open = Still open
mark-of = Mark: { $quality } of 5
you-wrote = You wrote
difference-label = Difference: the expected text is underlined, and what you wrote instead is struck out
this-word = The word
used-of = used { $done } of { $of } times
slowly = Slowly, syllable by syllable
too-long = That is { $kb } kB of text. The limit is { $max } kB, so please shorten it. Nothing was lost.
cancel = Cancel
concepts = Concepts
map = Map
list = List
lesson = Lesson

## Map

map-answers = Your answers, 0 to 5
map-find = Find a concept
map-legend = What the notes mean
status-unseen = not seen yet
status-diagnosed = seems known
status-learning = being learned
status-reviewing = understood
status-mastered = mastered
open-now = open now
due-now = due now
due-on = comes back { $when }
needs = Needs
needs-nothing = nothing before it
opens = Opens
opens-nothing = nothing else
effort = Effort
minutes = about { $minutes } minutes
score = Score
zoom-in = Zoom in
zoom-out = Zoom out
fit = Fit
map-picture = Map of { $concepts } concepts; { $mastered } mastered. The list has the same content.
map-hint = arrow keys follow the edges

## Progress

progress-title = Progress
progress-mastered = Mastered
progress-retention = Still known when asked
progress-aim = you aim for { $aim }
progress-unknown = not known yet
progress-pace = Pace
progress-week = a week
progress-load = Next seven days
progress-reviews = { $count ->
        [one] review
       *[other] reviews
    }
progress-done-by = at this pace you'll finish around { $day }
progress-mastery-weeks = Concepts mastered, week by week
progress-practised = When you practised
progress-ahead = What comes back in the next four weeks
progress-subjects = By subject
progress-subject = Subject
progress-known = Known
progress-due = Due
progress-struggling = Worth a closer look
progress-none = After your first answers you'll see numbers here.
week = Week
weeks-ago = { $weeks ->
        [0] this week
        [one] a week ago
       *[other] { $weeks } weeks ago
    }

## Inside

inside-title = Inside
inside-about = Every flow has a law that was proved before it ran. Here you see where a flow stands and how it got there.
inside-flows = Flows
inside-open = Under way and past
turn-of = Turn { $turn } of { $of }
now = now
earlier = earlier
proved = Proved before it ran
not-proved = Not proved
proof-configurations = { $count } configurations, every fact both ways
proof-promises = No dead ends, no endless loops without a learner, every state reachable, every invariant kept
waits-for-you = waits
decides = decides
acts = acts
could-next = could happen next
no-log = Nothing has happened yet.
travel = Travel in time
first-turn = First turn
last-turn = Now
counters = Counters
law-text = The law
try-in-playground = Change it in the playground
picture-of-law = State diagram of { $law } with { $states } states; the list of transitions has the same content.
diagram-near = Around here
diagram-whole = All of it
from-everywhere = Not drawn, from { $count } states:
transitions = Transitions
from = From
event = Event
to = To
when = When

## Playground

playground-title = Playground
playground-about = Write or change a law. Problems appear as you type, each with the shortest path to it.
playground-start = Start from
playground-own = An empty law
playground-law = Text of the law
playground-clean = Proved: { $count } configurations checked
playground-partial = Nothing wrong in { $count } configurations; the law is too large to check all of it here
playground-problems = { $count ->
        [one] 1 problem
       *[other] { $count } problems
    }
playground-line = line { $line }
playground-path = Happens after
playground-step = Step through by hand
playground-begin = Begin
playground-facts = Facts that hold
playground-save = Save as a file
playground-serve = Serve it
playground-served = { $law } is served now, and will be after the server restarts.
playground-receiver = While it is served here, its actions are only recorded. To have a receiver perform them, use
playground-over = Ended: { $outcome }
playground-actions = Actions

## Agents

agents-title = Agents
agents-about = Coding agents that Etude keeps going, and those that need you.
agents-none = No agent has been here yet. This command connects one:
agents-on = The coach may talk to agents
agents-off = The coach stays out of everything
agents-counts = { $stops ->
        [one] stopped once
       *[other] stopped { $stops } times
    }, { $continues } sent on, { $deliveries } for you
agents-sessions = Sessions
agents-log = What the coach did
agents-state-wait = needs you
agents-state-work = at work
agents-state-done = done
agents-state-silent = silent
agents-why = Why
agents-said = The agent said

## Settings

settings-title = Settings
settings-you = You
settings-name = Your name
settings-name-help = How the coach greets you.
settings-language = Language
settings-language-help = The language the coach speaks. Lessons keep their own language.
settings-language-auto = Use the browser's
settings-zone = Time zone
settings-zone-help = Decides when a day begins and ends.
settings-day = A day begins at
settings-day-help = A session after midnight still belongs to the day before.
settings-memory = Memory
settings-retention = How much you want to remember
settings-retention-help = Higher means more reviews. Most people are happy with 90 %.
settings-balance = Even out the days
settings-balance-help = Moves reviews a little so that no day has too many.
settings-channels = Messages
settings-channel = Where messages go
settings-channel-inbox = Only here
settings-email = Mail address
settings-telegram = Telegram chat
settings-telegram-linked = Linked.
settings-telegram-how = Link it with the command below.
settings-not-configured = Not configured on this server; docs/notify.md says how.
settings-test-message = Send a test
settings-sent = Sent. Check whether it arrived.
settings-digest = A summary once a week
settings-model = Model
settings-model-none = No model is configured. Everything still works, with packs and rules; docs/model.md says how to add one.
settings-model-test = Test call
settings-model-ok = It answers.
settings-page = This page
settings-theme = Light or dark
settings-theme-auto = Same as the system
settings-theme-light = Light
settings-theme-dark = Dark
settings-keys = Single-letter shortcuts
settings-keys-help = They work only outside text fields.
settings-data = Your data
settings-export = Download everything
settings-export-help = Every flow, answer and message, as JSON.
settings-import = Import something
settings-import-help = A pack, a curriculum or a problem (.yaml), a deck of cards with its history (.apkg, .csv, .tsv), or a map as JSON. You can use it at once.
settings-import-do = Choose a file
settings-import-json = This file is not JSON.
settings-delete = Delete my data
settings-delete-help = Everything about you on this server, for good.
settings-delete-confirm = Type “{ $learner }” to confirm
settings-delete-do = Delete everything
settings-deleted = Deleted: { $flows } flows, { $records } records.
settings-saved = Saved
settings-tour = Show the tour again

## Keys and palette

palette-title = Anything
palette-placeholder = Type what you want to do
palette-none = Nothing by that name.
keys-title = Keys
keys-go = Go to
keys-palette = Anything
keys-help = All keys
keys-out = One step back; no text is lost
keys-enter = Press the highlighted button
keys-send = Send a text of several lines; check a law
keys-row = That row, that option
keys-view = Chart or table, map or list
keys-find = Find on this page

## Trouble

away = The server is not answering. What you type is kept here.
away-in = Trying again in { $seconds } s.
try-now = Try now
came-back = Back. Nothing was lost.
newer = The server has a newer version than this page.
reload = Reload
sign-in-title = Who is there?
sign-in-used = That address has already been used. It works once, for one browser.
sign-in-expired = This browser is not signed in, or its sign-in has expired.
sign-in-how = Start the server again and open the address that it prints, or paste the token here. This command prints it:
sign-in-token = Token
sign-in-do = Sign in
failed-page = This page could not be loaded: { $why }
refused-unknown-instance = There is nothing at this address, or it belongs to somebody else.
refused-wrong-token = This is not a token of this server. Copy what the command prints, without spaces.
not-loaded = Not loaded
not-found = There is nothing at this address.

## First run

first-title = Welcome
first-lead = Three short questions, then a first success. It takes a minute.
first-name = What should the coach call you?
first-name-skip = You can leave this empty.
first-what = What would you like to start with?
first-words = Words of a language
first-course = A subject
first-later = Look around first
first-next = Next
first-zone = Your day ends at four in the morning (time zone { $zone }). You can change that in Settings.

## Programs

language = Language
editor-out = leaves the editor; Tab alone indents
program-label = Your program
run-it = Run
tests-pass = { $passed } of { $all } tests pass
tests-hidden = Hidden tests: { $passed } of { $all } pass
test-input = Input
test-expected = Expected
test-at = At { $at }: { $actual } instead of { $expected }
test-line = Line { $line }: { $actual } instead of { $expected }
test-actual = Yours
verdict-accepted = passes
verdict-wrong_answer = differs
verdict-time_limit = too slow
verdict-memory_limit = too much memory
verdict-output_limit = too much output
verdict-runtime_error = fails
verdict-compile_error = does not compile
verdict-internal_error = could not be judged
step-UNDERSTAND = Understand
step-PLAN = Plan
step-IMPLEMENT = Implement
step-VERIFY = Verify
step-REFLECT = Reflect
steps-label = Steps
statement = Problem
artefacts = What you have so far
artefact-explanation = Your explanation
artefact-pattern = Pattern
artefact-invariant = Invariant
artefact-complexity = Cost
mode-label = Mode
mode-BEGINNER = Beginner
mode-EXPERT = Expert
hints-of = Hints: { $done } of { $of } used
saved-here = What you write is kept in this browser until you run it.
rung = Rung { $rung }
solved = solved
hint = Hint
hints = Hints
hints-used = { $done } of { $of } used
read-only-now = read only while you verify
panel-statement = Problem
panel-work = Step
panel-coach = Coach
invariant-build = Your invariant: choose what goes in each gap
several-hint = Choose all that hold; maybe none do
none-of-them = None of them
test-number = Test { $number }:
test-next = Next test
test-before = Previous test
tests-keys = tests
trace-do = See this test line by line
trace-title = Line by line
trace-keys = steps
trace-first = First step
trace-back = One step back
trace-on = One step on
trace-last = Last step
trace-play = Play
trace-pause = Pause
trace-slider = Steps of the call
trace-step = step { $step } of { $of } · line { $line }
trace-inside = Inside
trace-returns = { $name } returns
trace-error = It fails
trace-cut = The call continued; the recording stops here.
trace-no-variables = no variables yet
undo = Undo
sign-out = Sign out
settings-signed-in = This browser
settings-signed-in-owner = Signed in as the owner of this server.
settings-signed-in-as = Signed in as { $learner }.
withdraw = Remove it
withdraw-help = The law is removed; flows under way continue.
problems-find = Find a problem
rung-1 = one idea
rung-2 = one idea, well hidden
rung-3 = two ideas
rung-4 = a hard one
rung-5 = harder still
solved-of = { $solved } of { $of } solved
coach-UNDERSTAND = Explain the problem as you would to a friend. I'll read it and ask if something is missing.
coach-PLAN = Which pattern fits, and what stays true in every round? I'll tell you what speaks for it and against it.
coach-IMPLEMENT = Write it, run it. Hints go from a nudge to a plan, and never to a solution.
coach-VERIFY = A test that fails is the best lesson there is. Look at one, and say what you think goes wrong.
coach-REFLECT = How will you recognise it next time? One line is enough.
agents-sum = { $working } at work, { $waiting ->
        [0] none is waiting for you
        [one] one is waiting for you
       *[other] { $waiting } are waiting for you
    }
agents-agent = Agent
agents-next = Next session
agents-before = Previous session
agents-sent-on = Sent on
agents-left = Left to you
agents-evidence = Sent back for evidence
agents-by-rules = by rules
agents-by-model = by the model
agents-kind-question = a question
agents-kind-status = a progress report
agents-kind-completion = done
agents-kind-error = an error

agents-kind-blocker = blocked
agents-did-continue = Sent on
agents-did-deliver = Left to you
agents-did-aside = Stayed out of it
agents-did-watchdog = Called you
agents-did-failed_open = Could not decide, so the agent could stop
first-success = Your first one.
first-success-more = That is all there is to it: you answer, and what you know comes back on the right day. Today always shows the most useful thing first.
first-success-on = Continue here
keys-rows = Next and previous: tests, sessions
keys-steps = Along edges, steps and turns; Home and End for the first and the last
keys-hint = A hint, at a coding problem
summary-tests = Tests
summary-runs = Versions of the program
summary-cues = What you take away
settings-import-help-learner = A map as JSON, for example one that `etude teach map --format json` wrote. Its concepts become a course of your own.
settings-packs = A pack for Anki or a spreadsheet
settings-packs-help = Its words; for Anki with your history.
settings-packs-which = Which pack?
import-deck = becomes a pack. Fill in the details:
import-language = Language to learn
import-explained = Language of the meanings
import-side = The word to learn is on
import-side-auto = the usual side
import-side-front = the front of the cards
import-side-back = the back of the cards
import-title = Title (if empty, the file name)
import-take = Import it
import-replace = Replace it
import-large = This file is { $mb } MB; the page takes up to { $max } MB. `etude pack import` takes more.
import-took-pack = { $count ->
        [one] One word has been imported, { $remembered } with a history:
       *[other] { $count } words have been imported, { $remembered } with a history:
    }
import-took-curriculum = A curriculum of { $count } concepts has been imported:
import-took-problem = The problem has been imported:
import-took-course = Here it is:
import-took-front = The words to learn were on the front of the cards.
import-took-back = The words to learn were on the back of the cards.
import-left-out = { $count ->
        [one] One note was left out
       *[other] { $count } notes were left out
    }
coach-thinks = The coach is thinking.
coach-asks = The coach is asking the model.
coach-writes = The coach is writing. Each sentence you read has been checked; the whole text is checked at the end.
still-at-work = This is taking longer than usual. It continues by itself, and the coach's answer will appear here.
begin-slow = The coach is preparing the subject. With a model this can take a minute; you can leave the page.
only-a-little = Only a little
coach-runs = The coach is running it.

## The voice

voice-title = Voice
voice-on = Speak
voice-off = Microphone off
voice-hold = Hold to speak
voice-space = Space
voice-hands-free = Hands-free
voice-mute = Mute the coach
voice-hush = Interrupt the coach
voice-starting = One moment
voice-ready = Your turn
voice-listening = Listening
voice-thinking = Thinking
voice-speaking = The coach is speaking
voice-waiting = This part is typed
voice-unheard = I didn't hear anything. Hold the button while you speak.
voice-kept = Etude keeps your words, never the sound.
voice-no-engines = The server cannot listen yet. This command, on the server, sets it up:
voice-denied = The browser does not let this page use the microphone. Allow it in the address bar, then try again. Typing works as before.
voice-no-microphone = There is no microphone. Plug one in and try again. Typing works as before.
voice-taken = Another program is using the microphone. Close it and try again.
voice-unplugged = The microphone was unplugged. Plug it in and try again. Nothing was lost.
voice-not-secure = Browsers allow the microphone only on pages with https and on pages from this machine. Open the page on the machine itself or through a proxy with TLS.
voice-old-browser = This browser cannot use a microphone. Typing works as before.
voice-failed = The microphone could not be started: { $why }
voice-lost = The connection broke off. Nothing was lost; try again.
voice-end-silence = No one has spoken for a while, so the microphone is off. Everything is saved.
voice-end-idle = Nothing has happened for a while, so the microphone is off. Everything is saved.
voice-end-too_many = Too many people are speaking on this server now. Try again in a minute.
voice-end-too_long = The microphone was on for a long time, so it was switched off. Everything is saved.
voice-end-signed_out = This browser is no longer signed in.
voice-end-server_stops = The server is stopping. Everything is saved.
keys-speak = Hold to speak, when the microphone is on
