tell-ready = Say “ok” when you are ready for a question.
tell-test = This is a test. Etude can reach you here.
tell-stale-subject = A course is waiting for you
tell-stale = { $title ->
    [none] Your course
   *[other] “{ $title }”
} has been waiting for you for { $days } days. In a week it will be put aside; you keep what you have learned, and you can take it up again at any time. To go on now: { $how }.
tell-stale-answer = just answer its last question
tell-stale-command = `{ $command }`

chat-help =
    { $flows }
    `/review` quizzes you on what is due, or lets you practise
    `/list` shows your courses
    `/why` says how your last answer was marked
    `/stop` ends a drill or a review, and asks before it puts a course aside
    `/plan` tries again to make a map for a course without one; `/plan sql` uses a curriculum instead

    Everything else you write answers my last question, or the message you reply to. Ask me anything at any time.
chat-opens = `/{ $command }`: { $about }
chat-lines =
    { $above }
    { $below }
chat-nothing-waits = I'm not waiting for an answer. `/learn TOPIC` starts a course, `/review` practises, `/list` shows your courses.
chat-asked-nothing = That message wasn't a question. Reply to the question itself, or just write your answer.
chat-text-only = I can only read text. Please write it.
chat-no-map = Your course has no map yet. `/plan` tries again to make one; `/plan sql` uses a curriculum instead.
chat-over = That question is closed.
chat-over-now =
    That question is closed. My question now:

    { $question }
chat-over-ready = That question is closed. Say “ok” when you are ready for the next one.
chat-not-offered = Nothing that you have open takes `/{ $command }` right now. `/help` shows what you can write.
chat-no-course = You have no open course. `/learn TOPIC` starts one.
chat-say-what = Tell me what to learn: `/learn sql`, for example.
chat-put-aside = I've put it aside. You keep what you have learned.
chat-course = { $title }: { $status }, { $mastered } mastered
chat-nothing-marked = I haven't marked an answer of yours yet.
chat-last-mark = Your last answer got { $quality } of 5. { $feedback }
chat-ended = That has ended. `/list` shows your courses.
chat-not-now = That doesn't work right now. `/list` shows where your courses stand.
chat-gone = That course is gone. `/list` shows the ones you have.
chat-trouble = Something is wrong with this course. The person who runs Etude can find the reason in its log.
chat-welcome = Hello! I teach one concept at a time and come back on the right day. I only talk to people I know: run `etude learner link` where Etude is installed, and send me the line it prints.
chat-bad-code = That code is wrong or has expired. `etude learner link` prints a new one.
chat-linked = This chat is linked. Write `/learn` and a topic, such as `/learn sql`. `/help` shows what else there is.
chat-not-linked = I could not link this chat. The person who runs Etude can find the reason in its log. Your code stays valid, so send it again later.

mail-exit = To stop these mails, run `{ $command }`: messages then stay in Etude.
mail-recall-subject = Time to recall: { $title }
mail-recall =
    { $count ->
        [one] One concept of “{ $title }” is due.
       *[other] { $count } concepts of “{ $title }” are due.
    } `{ $command }` asks you about { $count ->
        [one] it
       *[other] them
    }.
mail-reviews-subject = Reviews of { $title }
mail-reviews = `{ $command }` asks you about what is due.
mail-aside-subject = { $title } was put aside
mail-aside = To resume it: `{ $command }`.
mail-goes-on-subject = { $title } continues
mail-goes-on = To continue: `{ $command }`.
mail-your-course = your course

digest-subject = Your weekly learning progress
digest-due = “{ $title }”: { $count } due this week. To review: { $command }
digest-nothing-due = Nothing is due this week.
digest-exit = To stop these digests: { $command }
