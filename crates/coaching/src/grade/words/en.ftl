# What a grade says about an answer.

grade-misspelt = Mind the spelling.
grade-wrong = Not yet.
grade-wrong-because = Not yet. { $says }
grade-no-answer = No answer, and that is fine. Next time take a guess: it shows what to explain.
grade-order-wrong = The order is not right yet.
grade-order-nearly = Nearly: two neighbouring steps are swapped.
grade-only-words = These words belong to the subject. Say in a sentence how they fit together.
grade-missing = Not yet. The answer should say: { $ideas }.
grade-partly = Partly right. Still missing: { $ideas }.
grade-loose = The right words are there, but the sentence does not say what it should.
grade-doubt = This may be right, only in other words. Compare it with a good answer.
grade-contradicts = One part does not fit the rest. { $says }
grade-gaps = { $right } of { $all } gaps are right.
grade-cut = Only the first { $chars } characters were read.
grade-and-cut = { $feedback } Only the first { $chars } characters were read.

# Asked instead of marking an answer.
grade-asked = That is a question. Answer with a statement, or begin with `?` to ask something yourself.
grade-name-one = Which one do you mean? Answer with one of { $labels }.
grade-name-all = Name each of { $labels } once, in the right order.

# In doubt, the learner compares.
grade-compare = I am not sure about this one, so you decide. You wrote:
  
  > { $own }
  
  A good answer:
  
  > { $good }
  
  Which of these ideas did yours have? Name their letters, `all` or `none`.
grade-with-entries = { $ask }{ $entries }
grade-had-all = Then it counts as 3, on your word.
grade-had-some = Part of it was there.
grade-had-none = Thank you for the honest answer.
grade-name-had = Name the ideas that your answer had: some of { $labels }, `all` or `none`.

# Numbers and queries.
grade-number-rounded = Your method is right, but this is rounded too much: { $answer }.
grade-give-number = Give a number, such as 0.25, 1/4 or 25 %.
grade-give-one-number = I see several numbers. Which one is your answer?
grade-query-failed = The database refuses this: { $says }
grade-query-differs = It runs, but it returns different rows. { $says }
grade-query-columns = The result has { $given ->
        [one] one column
       *[other] { $given } columns
    } instead of { $wanted }.
grade-query-rows = There { $given ->
        [one] is one row
       *[other] are { $given } rows
    } instead of { $wanted }.
grade-query-order = The rows are right, but their order is not.
grade-query-row = This row should not be there: { $row }.
grade-query-no-rows = This statement returns no rows. A SELECT does.
grade-query-more-rows = This statement returns more than { $most } rows.
grade-query-more-statements = That is more than { $most } statements.
grade-query-takes-too-long = It takes too long.
grade-query-forbidden = This statement is not allowed here.
grade-query-hidden = It is right for the rows you see, but not for other rows in the same tables.
grade-unchecked = I cannot run this here.
grade-program-failed = { $passed } of { $all } tests pass. { $first }
grade-program-difference = With { $input } it gives { $actual } instead of { $expected }.
grade-program-said = { $verdict ->
        [compile_error] It does not compile:
        [time_limit] It takes too long.
        [memory_limit] It takes too much memory.
        [output_limit] It prints too much.
       *[other] It stops with an error:
    } { $says }
