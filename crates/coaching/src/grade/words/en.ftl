# What a grade says about an answer.

grade-misspelt = Mind the spelling.
grade-wrong = Not yet.
grade-wrong-because = Not yet. { $says }
grade-no-answer = No answer yet. Take a guess: it shows what to explain.
grade-order-wrong = The order is not right yet.
grade-order-nearly = Nearly: two neighbours are swapped.
grade-only-words = These words belong to the subject. Say in a sentence how they fit together.
grade-missing = Not yet. It should say: { $ideas }.
grade-partly = Partly right. Still missing: { $ideas }.
grade-contradicts = One part does not fit the rest. { $says }
grade-gaps = { $right } of { $all } gaps are right.
grade-cut = Only the first { $chars } characters were read.
grade-and-cut = { $feedback } Only the first { $chars } characters were read.

# Asked instead of marking an answer.
grade-asked = That is a question. Answer with a statement, or begin with `?` to ask something yourself.
grade-name-one = Which one do you mean? Answer with one of { $labels }.
grade-name-all = Name each of { $labels } once, in the right order.
