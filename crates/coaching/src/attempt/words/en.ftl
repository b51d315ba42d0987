attempt-about = Solve a coding problem in five steps: explain, plan, write, test, look back.

attempt-verb-open = Start a problem
    .help = The coach gives you a coding problem.
attempt-verb-mode = Choose your mode
    .help = BEGINNER or EXPERT, before you submit anything.
attempt-verb-explain = Explain the problem
    .help = Say in your own words what the problem asks for.
attempt-verb-follow_up = Answer the question
    .help = Answer the coach's question about your explanation.
attempt-verb-suggest = Which patterns may fit?
    .help = See two or three patterns. Their order says nothing.
attempt-verb-discover = Find a pattern with questions
    .help = Narrow the patterns down, one question at a time.
attempt-verb-choose = Choose a pattern
    .help = Name a pattern, how sure you are from 1 to 5, and what stays true.
attempt-verb-submit = Submit your program
    .help = Paste your program and end it with a line that has only a dot, or type edit.
attempt-verb-hint = Get a hint
    .help = Use one of your hints.
attempt-verb-run = Run the tests
    .help = The judge runs your program against every test.
attempt-verb-explain_failure = Why does it fail?
    .help = Say what you think goes wrong in the failing test, and get help finding it.
attempt-verb-trace = See it line by line
    .help = Watch your program run a failing case, line by line, with its variables.
attempt-verb-retry = Change the program
    .help = Go back to your program.
attempt-verb-challenge = Take the challenge
    .help = Answer the question about the changed task.
attempt-verb-reflect = Look back
    .help = Write down how you will recognise this kind of problem, and finish.
attempt-verb-skip_reflection = Finish without looking back
    .help = The problem is solved; finish here.
attempt-verb-skip = Skip this step
    .help = Experts may continue without an explanation or a plan.
attempt-verb-abandon = Give up
    .help = End this attempt for good.

attempt-step = { $step ->
    [UNDERSTAND] Understand
    [PLAN] Plan
    [IMPLEMENT] Implement
    [VERIFY] Verify
    [REFLECT] Reflect
   *[other] Complete
}
attempt-steps = Step
attempt-hints-used = Hints
attempt-constraints =
    { "**Limits**" }

    { $limits }
attempt-head-call = Call
attempt-head-result = Result
attempt-head-why = Why

attempt-ask-explanation = Explain the problem as you would to a twelve-year-old.
attempt-field = { $field ->
    [explanation] The problem, in your own words
    [inputOutputDescription] What goes in, and what comes out
    [constraintsDescription] Which limits matter
    [exampleWalkthrough] One example, step by step, with its values and its result
   *[wrongApproach] An approach that does not work or is too slow, and why
}
attempt-mode-set = { $mode ->
    [EXPERT] You are working as an expert now: the coach asks for less, and you may skip steps.
   *[BEGINNER] You are working as a beginner now: the coach asks for every step.
}
attempt-understood = You have understood the problem. Now make a plan.
attempt-not-understood-yet = Something is still missing before you plan.
attempt-strength = “{ $words }” counts as: { $idea }.
attempt-gap-missing = { $field ->
    [explanation] There is no explanation of the problem yet.
    [inputOutputDescription] Say what goes in and what comes out.
    [constraintsDescription] Say which limits matter.
    [exampleWalkthrough] Walk through one example with its values.
   *[wrongApproach] Name an approach that does not work, and why.
}
attempt-gap-thin = { $field ->
    [explanation] The explanation is too short for someone who does not know the problem.
    [inputOutputDescription] Say more about what goes in and what comes out.
    [constraintsDescription] Say more about the limits.
    [exampleWalkthrough] Your walk through the example is too short to follow.
   *[wrongApproach] Say more about the approach that does not work.
}
attempt-gap-copied = These are mostly words from the statement. Say it in your own words.
attempt-gap-language = { $language ->
    [en] Without a model, the coach can only follow explanations in the language of the problem. Please explain it in English.
    [de] Without a model, the coach can only follow explanations in the language of the problem. Please explain it in German.
   *[other] Without a model, the coach can only follow explanations in the language of the problem.
}
attempt-gap-heap = These are words, not sentences. Explain it as you would to a friend.
attempt-gap-task = The limits are clear, but it is not yet clear what has to be done and what comes out.
attempt-gap-opposite = “{ $words }” seems to say the opposite of what the problem asks. Read that part again.
attempt-gap-misread = You write “{ $words }”. { $says }
attempt-gap-no-example = This example doesn't belong to the problem. Use the values of a sample, or any that fit the statement, and give the result.
attempt-gap-wrong-result = The example has an input of this problem, but not its result.
attempt-gap-approach = It is not clear why this approach would fail or be too slow. Say why.
attempt-gap-right-approach = This approach might well work. Name one that does not.
attempt-gap-ideas = { $count ->
    [one] Your explanation is still missing one point that matters in this problem.
   *[other] Your explanation is still missing { $count } points that matter in this problem.
}
attempt-gap-named = Your explanation does not say this yet: { $ideas }.
attempt-ask-sample = In the sample, { $call } gives { $result }. Why exactly that?
attempt-ask-edge = What should happen here: { $edge }?
attempt-ask-limit = “{ $limit }” — what does that limit mean for a solution?

attempt-ask-pattern = Which pattern will you use? `suggest` names a few; `discover` asks questions to find one.
attempt-field-pattern = The pattern
attempt-field-confidence = How sure are you, from 1 to 5?
attempt-field-invariant = What stays true in every round (the invariant)
attempt-ask-invariant = Now your invariant: what stays true in every round?
attempt-field-template = Fill the gaps, or say it in your own words: { $template }
attempt-field-complexity = How long it takes, such as O(n)
attempt-suggested = These may fit. Their order says nothing.
attempt-suggest-next = Try each of them on a sample by hand, then choose one and say what stays true.
attempt-fits = { $name } fits this problem.
attempt-may-fit = { $name } can work here. Check what it needs before it can start.
attempt-unsure = You are not sure about { $name }, and it is not the closest fit. What would it do first with { $call }?
attempt-warned = { $name } hardly fits. It is your choice; try it on { $call } before you write much.
attempt-counter-example = Try { $name } on { $call } by hand. Where does it get stuck?
attempt-no-invariant = Also say what stays true in every round: nothing helps more when you write the loop.
attempt-invariant-holds = Your invariant holds.
attempt-invariant-slots = Check your invariant before the first and after the last round, above all: { $slots }.
attempt-invariant-asked = Does your invariant hold before the first round, and does it give the result after the last one? { $question }
attempt-complexity-fits = The complexity fits the limits.
attempt-complexity-asked = Count again how often the innermost step runs for the largest input. { $question }
attempt-discovery = A few questions narrow it down.
attempt-discovered = { $count ->
    [one] What is left: { $patterns }. Try it on a sample, then choose.
   *[other] What is left: { $patterns }. Try each on a sample, then choose.
}

attempt-ask-program = Write `{ $function }` in { $language }.
attempt-ask-run = Your program is saved. Run the tests.
attempt-ask-after-failure = { $trace ->
    [yes] Say what you think goes wrong, see it line by line (`trace`), or change the program (`retry`).
    [untested] Run the tests again (`run`), or change the program (`retry`).
   *[no] Say what you think goes wrong, or change the program (`retry`).
}
attempt-running = The judge is running your program.
attempt-hint-comes = The coach is wording the hint.
attempt-hint = { $left ->
    [0] Hint of level { $level }. That was the last one.
    [one] Hint of level { $level }. One is left.
   *[other] Hint of level { $level }. { $left } are left.
}
attempt-saved = Saved.
attempt-failed = { $passed } of { $total } tests passed.
attempt-failed-first = Test { $index }: { $verdict }. `{ $input }` should give `{ $expected }`; your program gave `{ $actual }`.
attempt-failed-hidden = Test { $index }, whose values are hidden: { $verdict }.
attempt-failed-with = Test { $index }: { $verdict }.
attempt-not-judged = The judge could not run your program, so it does not count: { $message }
attempt-not-compiled = Your program does not compile: { $message }
attempt-lost = The judge has not answered. Run the tests again.
attempt-passed = { $total ->
    [one] The test passed.
   *[other] All { $total } tests passed.
}
attempt-case-seen = { $bug ->
    [missing_edge_case] The input { $input } is as small as it gets. It should give { $expected }, and your program gives { $actual }: an input like this may need special care.
    [off_by_one] For { $input } the result { $actual } is next to { $expected }: perhaps something is counted one time too many or too few.
    [wrong_condition] For { $input } the answer is the wrong way round: { $actual } instead of { $expected }.
    [missing_return] For { $input } your program returns nothing, but { $expected } is expected: perhaps one path through it ends without a result.
    [type] For { $input } your program gives { $actual }, but { $expected } is expected: the value has the wrong type.
   *[other] For { $input } your program gives { $actual }, but { $expected } is expected.
}
attempt-case-hidden = { $size ->
    [none] Test { $index } is hidden: { $verdict }. Its input is empty.
    [one] Test { $index } is hidden: { $verdict }. Its input has one element.
    [some] Test { $index } is hidden: { $verdict }. Its input is small.
    [many] Test { $index } is hidden: { $verdict }. Its input is large.
   *[unknown] Test { $index } is hidden: { $verdict }.
}
attempt-case-failed = { $bug ->
    [boundary] On `{ $input }` your program { $verdict }. It looks where there is nothing.
    [type] On `{ $input }` your program { $verdict }. A value does not have the type that is needed.
    [termination] On `{ $input }` your program { $verdict }. Either something never ends, or it does far too much work.
    [syntax] Your program { $verdict }.
   *[other] On `{ $input }` your program { $verdict }.
}
attempt-smallest = The smallest input that was found to fail: `{ $call }` should give `{ $expected }`; your program gives `{ $actual }`.
attempt-smallest-failed = The smallest input that was found to fail: `{ $call }`. Your program { $verdict }.
attempt-traced = { $steps ->
    [one] { $call } line by line: one step.
   *[other] { $call } line by line: { $steps } steps.
}
attempt-not-traced = There is nothing to show line by line: { $message }
attempt-next-step = { $bug ->
    [missing_edge_case] Go through your program by hand with this smallest input. Which line runs first, and what does it expect to be there?
    [off_by_one] Write down the values of your loop variable in the first and in the last round. Is each of them what you want?
    [wrong_condition] Read each condition aloud with the values of this case. Which one does not say what you mean?
    [missing_return] Follow this input through every branch. Which path ends the function without a result?
    [boundary] Print the position and the length just before the failing access. When do they meet?
    [type] Print the types of the values in the failing line. Where does the odd one come from?
    [termination] Which value gets closer to the end in each round? Count the rounds for an input of ten elements.
    [syntax] Read the first message of the compiler and look at that line and the one above it.
   *[logic] Take the smallest failing case and write down what your variables should be after each step; then compare with what they are.
}
attempt-verdict = { $verdict ->
    [accepted] passed
    [wrong_answer] gave a wrong answer
    [time_limit] took too long
    [memory_limit] used too much memory
    [output_limit] printed too much
    [runtime_error] failed while it ran
    [compile_error] does not compile
   *[internal_error] was not judged
}
attempt-verdict-with = { $verdict } (`{ $message }`)
attempt-said-too-little = That is too short to work with. Say what your program does there, and what it should do instead.
attempt-said-fits = { $bug ->
    [missing_edge_case] That fits: this input is as small as it gets.
    [off_by_one] That fits: the result is only one away from the right one.
    [wrong_condition] That fits: the answer is the wrong way round.
    [missing_return] That fits: nothing comes back.
    [boundary] That fits: your program reads where there is nothing.
    [type] That fits: a value has the wrong type.
    [termination] That fits: your program does not finish in time.
    [syntax] That fits: the program cannot be read yet.
    [crash] That fits: an error ends your program here. Which line raises it, and what are the values there?
   *[logic] That fits what this case shows.
}
attempt-said-rule = That may well be it: the problem has a rule about this. Find the line of your program that breaks it.
attempt-said-unsure = { $bug ->
    [missing_edge_case] I can't tell from this case whether that is it. Its input is as small as it gets, so go through it by hand and check what you suspect.
    [off_by_one] I can't tell from this case whether that is it. It shows that the result is only one away from the right one.
    [wrong_condition] I can't tell from this case whether that is it. It shows that the answer is the wrong way round.
    [missing_return] I can't tell from this case whether that is it. It shows that nothing is returned.
    [boundary] I can't tell from this case whether that is it. It shows that your program reads where there is nothing.
    [type] I can't tell from this case whether that is it. It shows a value that does not have the type that is needed.
    [termination] I can't tell from this case whether that is it. It shows that your program does not finish within the limits.
    [syntax] That may be, but your program has not run yet: it does not compile.
    [crash] I can't tell from this case whether that is it. It shows that an error ends your program. Look at the line that raises it.
   *[logic] I can't tell from this case whether that is it. Look at the expected result beside yours: how do they differ, and would your reason explain that?
}

attempt-cues =
    { "**Next time**" }

    { $cues }
attempt-invariant-was = What stays true: { $text }
attempt-adversary = And if the task changes? { $question }
attempt-ask-reflection = What will you take away from this? Answer the question about the changed task with `/challenge` and a text, or end here with `/finish`.
attempt-field-cues = How will you recognise this kind of problem? (separate several with semicolons)
attempt-field-summary = What stayed true in your program?
attempt-challenge-asked = Not all of it is clear yet. Say more: what would you keep or change, and what does it cost?
attempt-challenge-met = Yes, that handles the change.
attempt-challenge-doubt = That may be right. One good answer: { $good }
attempt-challenge-missing = You did not say: { $ideas }. One good answer: { $good }
attempt-comes-back = { $days ->
    [0] The pattern { $pattern } comes back later today.
    [one] The pattern { $pattern } comes back tomorrow.
   *[other] The pattern { $pattern } comes back in { $days } days.
}
attempt-captured = Saved.
attempt-legacy-approach = How will you go about it?
attempt-held-back = Look at the smallest case that fails, and ask yourself what you expected there.

attempt-unknown-problem = there is no problem “{ $problem }”
    .cure = `etude attempt` or /api/problems lists the problems
attempt-problem-gone = the problem “{ $problem }” is no longer here
    .cure = put its file back, or abandon the attempt
attempt-bad-input = this cannot be read: { $why }
    .cure = the schema says which fields are expected
attempt-too-long = { $field } has more than { $most } characters
    .cure = say it in fewer words
attempt-mode-is-fixed = you can change the mode only before you submit anything
    .cure = go on as you are, or begin a new attempt in the other mode
attempt-no-skipping = beginners do not skip this step
    .cure = take the step, or begin a new attempt as an expert
attempt-no-follow-up = no question about the explanation is open
    .cure = submit the explanation again
attempt-unknown-pattern = there is no pattern “{ $pattern }”
    .cure = choose one of: { $known }
attempt-pattern-is-chosen = the pattern has already been chosen
    .cure = send the same patternId with the invariant, or go on with your program
attempt-bad-confidence = { $given } is not a confidence level
    .cure = give a whole number from 1, a guess, to 5, sure
attempt-unknown-template = this problem has no template “{ $template }”
    .cure = choose one of: { $known }
attempt-bad-slot = the gap “{ $slot }” has no such choice
    .cure = give each gap the number of a choice, from 0 to { $last }
attempt-no-such-answer = “{ $answer }” is not one of the answers
    .cure = answer with a letter from a to { $last }
attempt-no-hints-left = all { $budget } hints are used up
    .cure = submit what you have: a failing test is a hint as well
attempt-empty-code = there is no program
    .cure = submit the text of your program as `code`
attempt-code-too-long = the program has more than { $most } bytes
    .cure = submit only the function and what it needs
attempt-code-not-text = the program has characters that are not text
    .cure = submit its source as plain UTF-8 text
attempt-unknown-language = there is no language “{ $language }” here
    .cure = write python, javascript or rust
attempt-other-run = this report belongs to another run
    .cure = run the tests again
attempt-no-run = the tests have not been run yet
    .cure = run them first
attempt-unknown-test = there is no test { $index }
    .cure = tests are numbered from 0 to { $last }
attempt-test-passed = test { $index } has passed
    .cure = name one that failed
attempt-not-the-result = these are not the values of test { $index }
    .cure = results come from the judge alone; leave the values out, or repeat them as they were reported
attempt-hidden-test = the values of test { $index } are hidden
    .cure = leave the number out: the smallest input that fails is shown, if one was found
attempt-not-traceable = a program in { $language } cannot be shown line by line
    .cure = print what you want to see, or write the program in Python or JavaScript
attempt-nothing-to-trace = no failing case has values that can be shown
    .cure = name a test whose values you can see; it may be one that passed
attempt-empty-answer = there is no answer
    .cure = write a sentence or two
attempt-too-many-cues = there are more than { $most } cues
    .cure = keep the ones that will help you most
attempt-empty-reflection = there is nothing to save
    .cure = write one cue or a summary, or skip this step
