drill-about = Learn the words of a language one at a time, and use each until it sticks.

drill-verb-open = Start a drill
    .help = Choose a pack, and how many new words and reviews you want.
drill-verb-start = Start
    .help = Meet the first word.
drill-verb-answer = Answer
    .help = Write or say what you would say.
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
drill-nudge = { $way ->
    [0] Take your time.
    [1] No rush. Here it is again.
   *[2] Still there? Let's have another go.
}
drill-review = You've met this one before.
drill-close = Understood! It's “{ $expected }”; I heard “{ $heard }”.
drill-translated = “{ $heard }” is what it means. You say “{ $word }”.
drill-near-miss = Nearly! It's “{ $word }”.
drill-miss = I didn't hear “{ $word }” in that.
drill-not-heard = I didn't catch any words. Say or type it again.
drill-slowly = Let's say it slowly, together.
drill-nothing-to-do = There is nothing to learn or review right now. Come back when a review is due.

## On the desk

drill-recall = From memory: “{ $meaning }”
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
drill-back-in = { $unit ->
    [now] now
    [minutes] { $count ->
        [one] in { $count } minute
       *[other] in { $count } minutes
    }
    [hours] { $count ->
        [one] in { $count } hour
       *[other] in { $count } hours
    }
    [tomorrow] tomorrow
    [days] { $count ->
        [one] in { $count } day
       *[other] in { $count } days
    }
   *[months] { $count ->
        [one] in { $count } month
       *[other] in { $count } months
    }
}

## What cannot be done

drill-unknown-pack = there is no pack `{ $pack }`
    .cure = the packs are { $packs }
    .near = did you mean `{ $near }`? The packs are { $packs }
    .none = no pack is installed
drill-word-gone = the pack `{ $pack }` no longer has the word `{ $word }`
    .cure = leave this session and open a new one
