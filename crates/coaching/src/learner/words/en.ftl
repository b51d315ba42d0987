### Refused changes of a profile.

learner-chat-is-linked-there = a chat is linked from within the chat
    .cure = send the line that `etude learner link` prints to the bot
learner-unknown-field = a profile has no `{ $field }`
    .cure = it has { $known }
learner-bad-field = this is not a valid `{ $field }`: { $why }
    .cure = `etude learner show` shows the fields as they are; docs/data.md says what each means
learner-no-time-zone = “{ $zone }” is not a time zone
    .cure = write an IANA name such as Europe/Berlin
learner-bad-retention = the desired retention is out of bounds
    .cure = give a number from { $least } to { $most }
learner-bad-weights = these are not the weights of FSRS
    .cure = give 21 numbers, or null for those of the average learner
learner-bad-day-start = a day cannot start at that hour
    .cure = give an hour from 0 to 23
learner-bad-reached-hour = there is no such hour
    .cure = give an hour from 0 to 23
learner-bad-easy-days = easy days are days of the week
    .cure = give numbers from 1 (Monday) to 7 (Sunday)
learner-bad-text = the name or the address is too long, or has more than one line
    .cure = give at most { $most } characters on one line
learner-bad-address = a mail address needs an @
    .cure = write it like ada@example.org

### When something comes back.

learner-until = { $unit ->
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
