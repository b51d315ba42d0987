drill-about = Learn the words of a language one at a time, and use each one until it sticks.

drill-verb-open = Start a drill
    .help = Choose a pack, and how many new words and reviews you want.
drill-verb-start = Start
    .help = See the first word.
drill-verb-answer = Answer
    .help = Write or say what you would say.
drill-verb-give_up = I don't know
    .help = See how the word begins; ask again to see all of it.
drill-verb-skip = Skip
    .help = Leave this word for another session.
drill-verb-leave = End the drill
    .help = End this drill for good. You keep what you have learned.

## While practising

drill-praise = { $way ->
    [0] Yes!
    [1] Good.
    [2] That's it.
    [3] Well said.
    [4] Just right.
    [5] Nicely done.
   *[6] Lovely.
}
drill-learned = { $way ->
    [0] “{ $word }” is yours now.
    [1] Well done: you've got “{ $word }”.
    [2] That's the one that counts. You know “{ $word }”.
   *[3] “{ $word }” has stuck. On we go.
}
drill-parked = { $way ->
    [0] We'll come back to “{ $word }”. Some words need a second day.
   *[1] Let's leave “{ $word }” for another day.
}
drill-skipped = We’ll leave “{ $word }” for another time.
drill-meaning = It means: { $meaning }
drill-nudge = { $way ->
    [0] Take your time.
    [1] No rush. Here it is again.
   *[2] Still there? Let's have another go.
}
drill-review = You've met this one before. Do you remember it?
drill-close = Understood! It's “{ $expected }”; I heard “{ $heard }”.
drill-translated = “{ $heard }” is what it means. You say “{ $word }”.
drill-near-miss = Nearly! It's “{ $word }”
drill-miss = I didn't hear “{ $word }” in that.
drill-unchecked = I can't check that here, so it doesn't count. One that I can check: “{ $line }”
drill-right-too = That's right too. The one to remember here is “{ $word }”.
drill-beside-scene = That works, but the scene asks for something else: “{ $line }”
drill-filler = { $say }: { $means }
drill-help = Answer in the language you are learning. Or say “I don't know” for a hint, “skip” to leave this word for another day, or “stop” to end.
drill-model-is-silent = The model isn't answering. We'll go on without it.
drill-not-heard = I didn't catch any words. Say or type it again.
drill-slowly = Let's say it slowly, together.
drill-nothing-to-do = There is nothing to learn or review right now. Come back when a review is due.

## On the desk

drill-recall = From memory: “{ $meaning }”
drill-cue = “{ $meaning }” begins like this: { $letters }
drill-used = used
drill-words = word
drill-pool = met so far
drill-head-word = Word
drill-head-status = Result
drill-head-back = Comes back
drill-status-learned = learned
drill-status-parked = put aside for now
drill-waiting = { $count ->
    [one] You didn't get to { $count } word. It will wait for you.
   *[other] You didn't get to { $count } words. They will wait for you.
}

## What cannot be done

drill-unknown-pack = there is no pack `{ $pack }`
    .cure = the packs are { $packs }
    .near = did you mean `{ $near }`? The packs are { $packs }
    .none = no pack is installed
drill-word-gone = the pack `{ $pack }` no longer has the word `{ $word }`
    .cure = leave this session and open a new one
drill-no-pack = a drill needs a pack
drill-bad-number = { $field } is { $given }, not { $least } to { $most }
drill-bad-opening = a drill cannot open with this: { $why }
    .cure = open a drill with { "{\"pack\": NAME}" } and, if you like, new_words (1 to 50), reviews (0 to 50), voice and model (true or false) and memory (fsrs or sm2); the packs are { $packs }
drill-no-text = there is no text in what was heard
    .cure = send what the learner said as { "{\"text\": \"…\"}" }
