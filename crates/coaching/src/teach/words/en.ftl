# What the tutor says. Lessons and questions are in the language of their curriculum and do not stand here.

teach-about = Learn a subject concept by concept: Etude finds out what you know, then explains the rest and quizzes you.
review-about = Recall what you have understood, on the day it is due.

## Finding out what the learner knows

teach-first-probe = First a few questions, at most { $most }, to find out what you already know. “I don't know” is a good answer.
-judge-yourself = Begin with how well you know it, from 0 (no idea) to 5 (perfectly), then answer in a few words.
teach-explain-what = What do you know about { $concept }? { -judge-yourself }
teach-explain-friend = How would you explain { $concept } to a friend? { -judge-yourself }
teach-explain-example = In your own words, what is an example of { $concept }, or a use of it? { -judge-yourself }

## Marks

teach-right = Right.
teach-noted = Noted.
teach-in-another-language = I can only mark answers in the language of the question.
teach-paragraphs =
    { $first }

    { $second }
teach-about-words = About “{ $words }”: { $says }
teach-evidence = { $said }.
teach-evidence-of = “{ $words }” counts as “{ $idea }”
teach-good-answer = A good answer: { $answer }
teach-good-answer-lines =
    A good answer:

    { $answer }
teach-the-answer = The answer: { $answer }
teach-the-answer-lines =
    The answer:

    { $answer }
teach-held-right = Then it counts as 3, by your own judgement.
teach-own-judgement = By your own judgement: the rules had not found everything they look for.
teach-mark = Your last answer got { $quality } of 5.
teach-no-mark = None of your answers has been marked yet.

## The map

teach-planned = Your map has { $concepts ->
        [one] 1 concept
       *[other] { $concepts } concepts
    }{ $hours ->
        [0] { $minutes ->
            [0] { "" }
            [one] , about a minute in all
           *[other] , about { $minutes } minutes in all
        }
        [one] , about an hour in all
       *[other] , about { $hours } hours in all
    }. { $known ->
        [0] We begin at the beginning.
        [one] You seem to know one of them already; it will go quickly.
       *[other] You seem to know { $known } of them already; they will go quickly.
    }
teach-resumed = “{ $title }” continues. { $known ->
        [0] It has { $concepts ->
            [one] 1 concept
           *[other] { $concepts } concepts
        }, and everything found out before still counts.
       *[other] You have understood { $known } of its { $concepts ->
            [one] 1 concept
           *[other] { $concepts } concepts
        }.
    }
teach-no-plan = The model could not make a map of “{ $topic }” ({ $reason }). Try again now or later, or choose a curriculum.
teach-no-more-surveys = Etude has stopped asking a model for a map of “{ $topic }”: there is no model, or it has been asked too often. Choose a curriculum, or start a new course.
teach-repaired = { $more ->
        [0] In the plan, { $notes }.
       *[other] In the plan, { $notes }; and { $more } more.
    }
teach-note-unlabelled = a concept without a name was left out
teach-note-merged = “{ $concept }” came up twice and was merged
teach-note-minutes = “{ $concept }” had no usable time and got { $minutes } minutes
teach-note-left-out = “{ $concept }” was left out, because a plan has at most { $most } concepts
teach-note-needs-itself = “{ $concept }” needed itself; that was dropped
teach-note-needs-unknown = “{ $concept }” needed “{ $need }”, which is not in the plan; that need was dropped

## Lessons

teach-lesson-again = { $title }, once more
teach-seems-known = You seem to know this already; a quick look will do.
teach-no-text = There is no text about this concept here. Read about it wherever you like, then come back.
teach-no-lesson = The model could not write a lesson just now, so here is what the map says.
teach-comes-back = You have understood “{ $concept }”. It comes back { $when }.
teach-taught-after-all = You seemed to know “{ $concept }”. We'll go through it properly.
teach-once-more = “{ $concept }” hasn't sunk in yet. Let's look at it again.
teach-finished = You have mastered all of “{ $title }”. Its reviews continue, less and less often.
teach-put-aside = “{ $title }” was put aside because you had not been back for more than { $days } days. Its map and your progress are kept; resume it whenever you like.

## Questions of the learner

teach-about-concept = About { $concept }
teach-out-of-scope = That is not on the map of “{ $title }”. It may deserve a course of its own: start one with it as the topic.
teach-held-back = I'm leaving out what would answer the open question. Try it first.
teach-back-to = Back to the question:
teach-then-go-on = Then let's go on.
teach-follow-up = One question to see whether that helped. It doesn't count, and `skip` goes back.
teach-waits-behind = After that, this question is still open:

## What comes next

teach-nothing-to-teach-now = There is nothing to teach at the moment.
-or-practise = you can also practise now
-choices-count-less = (a slip counts as 3 of 5, a choice as 4)
teach-one-opens = Answer “{ $concept }” right { $times ->
        [one] once more
       *[other] { $times } more times in a row
    }{ $choices ->
        [0] { "" }
       *[other] { " " }{ -choices-count-less }
    } to open “{ $next }”. The next review is { $when }; { -or-practise }.
teach-one-completes = Answer “{ $concept }” right { $times ->
        [one] once more
       *[other] { $times } more times in a row
    }{ $choices ->
        [0] { "" }
       *[other] { " " }{ -choices-count-less }
    }, and the course is complete. The next review is { $when }; { -or-practise }.
-three-times = Answer each right three times in a row { -choices-count-less }.
teach-many-open = “{ $next }” opens once you have mastered what it builds on. { $concepts ->
        [one] 1 concept is
       *[other] { $concepts } concepts are
    } not there yet. { -three-times } The next review is { $when }; { -or-practise }.
teach-many-complete = The course is complete once you have mastered everything. { $concepts ->
        [one] 1 concept is
       *[other] { $concepts } concepts are
    } not there yet. { -three-times } The next review is { $when }; { -or-practise }.
teach-when-now = now
teach-when-hours = { $hours ->
        [0] within the hour
        [one] in an hour
       *[other] in { $hours } hours
    }
teach-when-days = { $days ->
        [one] tomorrow
       *[other] in { $days } days
    }

## Reviews

review-nothing = There is nothing to review now.
review-nothing-asked = Nothing was asked; { $due ->
        [0] each concept comes back when it is due
       *[other] what is due comes back tomorrow
    }.
review-result = { $good } of { $all } recalled.
review-recalled-elsewhere = “{ $concept }” was recalled elsewhere in the meantime; it does not count twice.
review-taken-off = The concept of this question was taken off the map; the answer does not count.
review-put-aside = “{ $title }” was put aside, so you won't be asked about it.

## The desk

teach-status = { $status ->
        [pending] not begun
        [diagnosing] finding out what you know
        [planning] being planned
        [teaching] being taught
        [quizzing] in a quiz
        [reviewing] waiting for reviews
        [completed] completed
       *[abandoned] put aside
    }
teach-mastery = { $mastery ->
        [unseen] not seen yet
        [diagnosed] seems known
        [learning] being learned
        [reviewing] understood
       *[mastered] mastered
    }
teach-progress-probes = Questions
teach-progress-quiz = Quiz questions
teach-progress-mastered = Concepts mastered
review-progress-recalls = Concepts asked
teach-only-reviews = You have learned everything that is open now. Reviews open the rest; practise whenever you like.
teach-model-at-work = The tutor is thinking …
teach-no-map = This course has no map yet. Try again, or name a curriculum: { $curricula }.
teach-led-outside = An assistant leads this course; continue it there.
review-parting = You have answered everything. If your last answer meant just that, say so; otherwise the review is over.

## Progress

digest-mastery = Mastery: { $percent } ({ $mastered } of { $concepts ->
        [one] 1 concept
       *[other] { $concepts } concepts
    }).
digest-mastery-more = Mastery: { $percent } ({ $mastered } of { $concepts ->
        [one] 1 concept
       *[other] { $concepts } concepts
    }, { $points ->
        [one] 1 percentage point
       *[other] { $points } percentage points
    } more than { $since }).
digest-pace = Pace: { $pace } concepts per week.
digest-retention = Retention: { $percent } of what you reviewed was still there.
digest-no-retention = Retention: you haven't reviewed anything yet.
digest-hard = { $concepts ->
        [0] There is nothing you keep failing.
        [one] One concept is still hard; see below.
       *[other] { $concepts } concepts are still hard; see below.
    }
digest-answers = Answers this week: { $count }.
digest-done-around = At this pace you'll finish around { $date }.
digest-best-time = You do best { $part ->
        [night] at night
        [morning] in the morning
        [afternoon] in the afternoon
       *[evening] in the evening
    }.
chart-mastered = Mastered
chart-mastered-note = { $mastered } of { $concepts }, { $percent }
chart-retention = Remembered in reviews
chart-retention-days = { $days } days
chart-weeks = Mastered per week
chart-weeks-ago = { $weeks ->
        [0] this week
        [one] last week
       *[other] { $weeks } weeks ago
    }
chart-times = Good answers by time of day
chart-times-note = { $good } of { $answers }
chart-hard = Still hard
teach-part-of-day = { $part ->
        [night] night
        [morning] morning
        [afternoon] afternoon
       *[evening] evening
    }
teach-decimal = { $whole }.{ $tenth }
teach-date = { $day } { $month } { $year }
teach-date-on = on { $weekday ->
        [1] Monday
        [2] Tuesday
        [3] Wednesday
        [4] Thursday
        [5] Friday
        [6] Saturday
       *[7] Sunday
    }, { $day } { $month }
teach-month = { $month ->
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
    }

## Refusals

teach-nothing-asked = there is no open question
    .cure = read on, or ask something yourself
teach-not-asked-yet = Etude leads this course and has not asked anything yet
    .cure = go on, and it will ask
teach-diagnosis-too-long = a diagnosis has at most { $most } questions
    .cure = advance: what is still open will show in the lessons
teach-diagnosis-too-short = a diagnosis has at least { $least } questions, and { $asked ->
        [0] none is
        [one] one is
       *[other] { $asked } are
    } recorded
    .cure = add the concepts you ask about with mind_map_node_create, record each answer with quiz_response_record as diagnostic, then advance
teach-diagnosis-not-over = a diagnosis has at least { $least } questions, and { $asked ->
        [0] none is
        [one] one is
       *[other] { $asked } are
    } answered
    .cure = answer the open question; “I don't know” is an answer, too
teach-diagnosis-over = the diagnosis of this course is over
    .cure = record the answer as teach, or as review where the concept was learned before
teach-quiz-too-long = a quiz has at most { $most } questions
    .cure = advance: the answers so far decide
teach-quiz-not-recorded = a quiz needs at least one answer, and none is recorded
    .cure = ask about the concept, record the answer with quiz_response_record as teach, then advance
teach-quiz-not-answered = a quiz needs at least one answer
    .cure = answer the open question; “I don't know” is an answer, too
teach-etude-leads = Etude leads this course: it asks, marks and records the answers itself
    .cure = pass the learner's answer on with teach_answer; for recall, begin with review_start
teach-status-jump = “{ $concept }” is { $from } and cannot become { $to } at once
    .cure = from { $from } it can become { $next }; answers recorded with quiz_response_record move it by themselves
teach-unclear = this answer cannot be read, and does not count
    .cure = { $question }
teach-say-something = Say something, or “skip” if you don't know.
teach-show-it = Then show it: answer the question.
teach-say-it = Add a few words after the number, so that there is something to judge.
teach-give-number = Begin your answer with a whole number from 0 (no idea) to 5 (perfectly): how well do you know it?
teach-nothing-to-object-to = there is no mark to object to
    .cure = object right after an answer in your own words that was not marked right
teach-asks-leader = an outside tutor leads this course
    .cure = ask that tutor
teach-leader-plans = the outside tutor of this course lays out its map
    .cure = add concepts and edges, then advance
teach-no-question = there is no question here
    .cure = say what you would like to know
teach-nothing-left = this map has no concept left to teach
    .cure = add a concept, or set one back to learning; then advance
teach-map-gone = the map of this course is gone, or its progress cannot be read
    .cure = start a new course
teach-no-topic = { $what ->
        [goal] the goal is empty
       *[topic] the topic is empty
    }
    .cure = { $what ->
        [goal] say the goal in a few words
       *[topic] say the topic in a few words
    }
teach-long-topic = { $what ->
        [goal] the goal is longer than { $most } characters or has control characters
       *[topic] the topic is longer than { $most } characters or has control characters
    }
    .cure = { $what ->
        [goal] say the goal in a few words
       *[topic] say the topic in a few words
    }
teach-no-such-curriculum = there is no curriculum “{ $name }”
    .cure = choose one of: { $known }
teach-misnamed-curriculum = there is no curriculum for “{ $topic }”; did you mean `{ $meant }`?
    .cure = say “{ $meant }”
teach-no-curriculum = there is no curriculum for “{ $topic }”, and no model that could make one
    .cure = choose one of: { $known }; or set up a model (`etude doctor` says how)
teach-no-such-course = there is no course `{ $course }` to resume
    .cure = look at the list of your courses
teach-not-abandoned = the course “{ $title }” was not put aside
    .cure = continue it as it is
review-of-abandoned = the course “{ $title }” was put aside, and its reviews with it
    .cure = resume the course first
review-nothing-due = nothing in “{ $title }” is due
    .cure = wait for its next review, or practise ahead
teach-nothing-said = there is no text in what was said
    .cure = send it as { "{\"text\": \"…\"}" }
teach-bad-opening = a course cannot be opened with this: { $why }
    .cure = give { "{\"topic\": \"…\"}" }, and perhaps goal, curriculum, tutor (etude or outside), gate (understood or mastered), map, or from
teach-bad-plan = a plan cannot be tried again with this: { $why }
    .cure = give { "{}" } or { "{\"curriculum\": \"…\"}" }
teach-bad-advance = this is not an advance: { $why }
    .cure = name the status that you expect, or leave it out
teach-bad-edit = this is not an edit: { $why }
    .cure = give { "{\"edit\": …}" } as node_create, node_update, node_remove, edge_create or edge_remove, with the fields that `docs/teach.md` lists for it
teach-bad-record = this is not an answer: { $why }
    .cure = give node_id, question_text, user_answer, quality (0 to 5) and response_type (diagnostic, teach or review)
teach-long-record = { $field } is longer than { $most } characters
    .cure = record the part of it that was judged
teach-empty-record = question_text is empty
    .cure = say what was asked, as it was put
teach-being-taught = “{ $concept }” is being taught now
    .cure = advance to another concept first
teach-status-moved = the course has the status “{ $now }”, not “{ $expected }”
    .cure = read it again and decide again

## What can be done

teach-verb-start = Start a course
    .help = Start a course on a topic.
teach-verb-lead = Lead a course
    .help = Start a course that an assistant leads.
teach-verb-answer = Answer
    .help = Answer the question; “I don't know” and `skip` are answers too.
teach-verb-ask = Ask
    .help = Ask something of your own; the course waits.
teach-verb-go-on = Go on
    .help = Go on after an explanation.
teach-verb-object = I meant that
    .help = If you meant just that, count your last answer as right.
teach-verb-advance = Straight to the quiz
    .help = Skip the question about the explanation and go straight to the quiz.
teach-verb-plan-again = Try again
    .help = Try again to make a map, or name a curriculum to take instead.
teach-sure-aside = Put “{ $title }” aside? Its reviews end. Send `/stop yes` if you mean it.
teach-verb-abandon = Put it aside
    .help = End the course and its reviews. You keep what you have learned.
teach-verb-resume = Resume
    .help = Continue a course that you put aside.
teach-verb-phase = Report the phase
    .help = Report that the concept has been explained or the question asked.
teach-verb-node-create = Add a concept
    .help = Add a concept to the map.
teach-verb-edge-create = Join two concepts
    .help = Say that one concept needs another.
teach-verb-node-remove = Remove a concept
    .help = Take a concept off the map.
teach-verb-edge-remove = Remove an edge
    .help = Take an edge off the map.
teach-verb-node-update = Change a concept
    .help = Correct the name of a concept or what is known about it.
teach-verb-record = Record an answer
    .help = Record an answer that an outside tutor has judged.
review-verb-start = Review
    .help = Recall what is due, or practise what you like.
review-verb-answer = Answer
    .help = Answer the question; “I don't know” and `skip` are answers too.
review-verb-ask = Ask
    .help = Ask something of your own; the question waits.
review-verb-object = I meant that
    .help = If you meant just that, count your last answer as right.
review-verb-leave = Finish
    .help = End the review; what is still due comes back.
