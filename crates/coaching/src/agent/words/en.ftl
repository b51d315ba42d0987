agent-about = Keeps a coding agent going while there is work to do, and asks a human about everything else.

agent-verb-open = Coach an agent
    .help = Starts a session with a coding agent.
agent-verb-stopped = Stopped
    .help = The agent has stopped and said something.
agent-verb-crashed = Crashed
    .help = The agent's program reports an error.
agent-verb-prompted = Prompted
    .help = A human has said something to the agent.
agent-verb-watched = Watched
    .help = Reports what the agent is doing.
agent-verb-halted = Halted
    .help = Ends the session: a human has taken over.

## The desk

agent-title = { $agent } { $session }
agent-continues = told to go on
agent-rejections = sent back for evidence
agent-standstills = standstills

## Why the coach did what it did. These follow a colon or a dash.

agent-aside = { $why ->
    [off] the coach is switched off
    [busy] work continues in the background: { $running ->
        [one] { $running } task or schedule
       *[other] { $running } tasks or schedules
    }
    [paused] the coach is paused in this session
    [elsewhere] the coach is not allowed in this folder
    [resting] it is the human's turn, and no human has answered since
   *[finished] the work was finished, and no human has asked for more
}
agent-bound = { $bound ->
    [time] { $minutes ->
        [one] the agent has been at it for more than { $minutes } minute
       *[other] the agent has been at it for more than { $minutes } minutes
    }
    [budget] the agent has cost ${ $dollars }.{ $cents }, which is over its budget
    [standstill] the agent keeps repeating itself and is getting nowhere
    [rejections] { $claims ->
        [one] the agent claimed to be done and showed no evidence
       *[other] the agent claimed { $claims } times to be done and showed no evidence
    }
    [asides] the agent has stopped many times while the coach stayed out of it
   *[continues] { $continues ->
        [one] the agent was told to go on { $continues } time and still isn't done
       *[other] the agent was told to go on { $continues } times and still isn't done
    }
}
agent-stale = the session has been silent for too long
agent-crashed = the agent's program reports the error { $error }
agent-crashed-with = the agent's program reports the error { $error }: { $details }
agent-ended-by-watchdog = the watchdog ended the agent: { $why }
agent-ended-in-time = Etude ended the agent after { $span }: its time was up
agent-not-started = the agent cannot be started: { $why }
agent-process-failed = the agent's process failed: { $how }
agent-run-cut-off = the run was interrupted: its process ended before the agent's
agent-run-signalled = the run was interrupted: signal { $signal } ended it
agent-model-late = it did not answer in time

## The watchdog

agent-silence = the agent has been silent for { $span }
agent-duration = the agent has been at work for { $span }
agent-same-calls = { $count ->
    [one] the agent made the same call once
   *[other] the agent made the same call { $count } times in a row
}
agent-errors = { $count ->
    [one] a call has failed
   *[other] { $count } calls in a row have failed
}
agent-span = { $unit ->
    [seconds] { $count } s
    [minutes] { $count } min
   *[hours] { $count } h
}

## What kind of message the agent stopped with, and how that shows

agent-kind = { $kind ->
    [question] question
    [status] status
    [completion] completion
    [blocker] blocker
   *[error] error
}
agent-unsure = not sure, so a human decides; the best guess was { $guess } ({ $percent }%): { $reason }
agent-no-words = the output contains no words
agent-raw-error = the output is an error message
agent-lacks-something = the agent needs something that it can't get by itself
agent-asks-for-decision = the message ends by asking for a decision
agent-asks = the message ends with a question
agent-checks-failed = checks failed, and the message ends there
agent-failed = something failed, and the message ends there
agent-cut-off = the answer was cut off at its length limit
agent-goes-on = the agent says what it will do next
agent-unfinished = something isn't finished
agent-checks-shown = the work is done, and the message shows the checks
agent-proved = the work is done, and there is proof of it
agent-changes-named = the message names what was changed
agent-no-run = done, but no run, commit or link shows it
agent-nothing-shown = done, but nothing shows it
agent-plain-answer = a plain answer
agent-program-failed = the agent's program failed
agent-interrupted = a human interrupted the agent
agent-declined = the model declined

## Why an agent may stop

agent-told = you set a limit: “{ $words }”
agent-doubtful = it would go on with “{ $step }”, and I can't tell whether you want that
agent-planning = you only asked for a plan
agent-refused = you refused a call or interrupted the agent
agent-waits-outside = it is waiting for something outside, such as a build
agent-ruled-out = it wants to do what you ruled out: “{ $step }”
agent-risky = it announces a step that only you should decide: “{ $step }”
agent-nothing-open = the coach cannot name anything open, so the agent may stop ({ $reason })
agent-out-of-reach = { $open }, but the agent cannot be sent on: { $why }
agent-asks-inside = the message contains a question
agent-needless = it only asks whether to go on, and you said: “{ $words }”
agent-checked = the check passed: { $command }
agent-check-lost = the check { $command } proves nothing: { $why }
agent-shown-by = a run after the last change shows it: { $command }
agent-unchecked = { $reason }; nothing was run after the last change

agent-news = { $reason }: “{ $quote }”

## What is open

agent-open-check = the check fails: { $command }
agent-open-todos = { $count ->
    [one] { $count } item of its to-do list is open
   *[other] { $count } items of its to-do list are open
}
agent-open-criteria = { $count ->
    [one] { $count } success criterion has no evidence
   *[other] { $count } success criteria have no evidence
}
agent-open-failing = its last check failed: { $command }
agent-open-tests = it says “{ $quote }”, and no test was run
agent-open-tasks = { $count ->
    [one] its message leaves { $count } task open
   *[other] its message leaves { $count } tasks open
}
agent-open-promise = it announced “{ $quote }”, and nothing followed
agent-open-admission = it says what is missing: “{ $quote }”
agent-open-trouble = it says the work is done, but mentions { $trouble ->
    [rate_limit] a rate limit
    [login] a failed login
   *[permission_error] a permission error
}
agent-open-claim = it says “{ $quote }”, and nothing shows it
