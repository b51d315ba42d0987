"""The drill law in the Python package `transitions`, written by hand.

    python transitions_drill.py TRACE SECONDS

Guard states are conditions on the transitions, which is faster here than passing through them. Conditions
are evaluated before counters move, so they test the value that the counter will have.
"""

import json
import sys
import time
from importlib.metadata import version

from transitions import Machine

ROUNDS = 3
REQUIRED_USAGES = 3
REPEAT_MODE_THRESHOLD = 2
MAX_REPEAT_LOOPS = 3
MAX_SILENCES = 3

STATES = [
    "INIT", "INTRO_WORD", "PROMPT_PRACTICE", "WAIT_STUDENT", "EVALUATE_ATTEMPT", "REPEAT_AFTER_ME",
    "WAIT_REPEAT", "EVALUATE_REPEAT", "RESET_REMEDIATION", "COMPLETE_WORD", "RESET_COUNTERS", "PARK_WORD",
    "SESSION_DONE",
]  # fmt: skip


class Drill:
    def __init__(self):
        self.has_target = True
        self.clear()

    def clear(self):
        self.usage = self.failures = self.repeats = self.silences = self.presentation = 0

    def has_word(self):
        return self.has_target

    def masters(self):
        return self.usage + 1 >= REQUIRED_USAGES

    def mastered(self):
        return self.usage >= REQUIRED_USAGES

    def falls_silent(self):
        return self.silences + 1 >= MAX_SILENCES

    def stalls(self):
        return self.failures + 1 >= REPEAT_MODE_THRESHOLD

    def gives_up(self):
        return self.repeats + 1 >= MAX_REPEAT_LOOPS

    def presented(self):
        self.presentation += 1

    def used(self):
        self.usage += 1
        self.failures = self.silences = 0

    def repeated(self):
        self.usage += 1
        self.silences = 0

    def missed(self):
        self.failures += 1
        self.silences = 0

    def missed_and_stalled(self):
        self.missed()
        self.repeats = 0

    def missed_repeat(self):
        self.missed()
        self.repeats += 1

    def silent(self):
        self.silences += 1
        self.failures += 1

    def silent_and_stalled(self):
        self.silent()
        self.repeats = 0

    def silent_repeat(self):
        self.silences += 1

    def remedied(self):
        self.failures = self.repeats = 0


# Each row: trigger, source, target, condition, counters to move.
TRANSITIONS = [
    ("start", "INIT", "INTRO_WORD", "has_word", None),
    ("start", "INIT", "SESSION_DONE", None, None),
    ("tts_done", "INTRO_WORD", "PROMPT_PRACTICE", None, None),
    ("tts_done", "PROMPT_PRACTICE", "WAIT_STUDENT", None, "presented"),
    ("asr_result", "WAIT_STUDENT", "EVALUATE_ATTEMPT", None, None),
    ("timeout", "WAIT_STUDENT", "PARK_WORD", "falls_silent", "silent"),
    ("timeout", "WAIT_STUDENT", "REPEAT_AFTER_ME", "stalls", "silent_and_stalled"),
    ("timeout", "WAIT_STUDENT", "PROMPT_PRACTICE", None, "silent"),
    ("usage_correct", "EVALUATE_ATTEMPT", "COMPLETE_WORD", "masters", "used"),
    ("usage_correct", "EVALUATE_ATTEMPT", "PROMPT_PRACTICE", None, "used"),
    ("usage_incorrect", "EVALUATE_ATTEMPT", "REPEAT_AFTER_ME", "stalls", "missed_and_stalled"),
    ("usage_incorrect", "EVALUATE_ATTEMPT", "PROMPT_PRACTICE", None, "missed"),
    ("not_an_attempt", "EVALUATE_ATTEMPT", "WAIT_STUDENT", None, None),
    ("tts_done", "REPEAT_AFTER_ME", "WAIT_REPEAT", None, None),
    ("asr_result", "WAIT_REPEAT", "EVALUATE_REPEAT", None, None),
    ("timeout", "WAIT_REPEAT", "PARK_WORD", "falls_silent", "silent_repeat"),
    ("timeout", "WAIT_REPEAT", "REPEAT_AFTER_ME", None, "silent_repeat"),
    ("usage_correct", "EVALUATE_REPEAT", "RESET_REMEDIATION", None, "repeated"),
    ("usage_incorrect", "EVALUATE_REPEAT", "COMPLETE_WORD", "gives_up", "missed_repeat"),
    ("usage_incorrect", "EVALUATE_REPEAT", "REPEAT_AFTER_ME", None, "missed_repeat"),
    ("not_an_attempt", "EVALUATE_REPEAT", "WAIT_REPEAT", None, None),
    ("done", "RESET_REMEDIATION", "COMPLETE_WORD", "mastered", "remedied"),
    ("done", "RESET_REMEDIATION", "PROMPT_PRACTICE", None, "remedied"),
    ("next_word_available", "COMPLETE_WORD", "RESET_COUNTERS", None, None),
    ("no_more_words", "COMPLETE_WORD", "SESSION_DONE", None, None),
    ("done", "RESET_COUNTERS", "INTRO_WORD", "has_word", "clear"),
    ("done", "RESET_COUNTERS", "SESSION_DONE", None, "clear"),
    ("done", "PARK_WORD", "SESSION_DONE", None, None),
]


def main():
    trace = json.load(open(sys.argv[1], encoding="utf-8"))
    seconds = float(sys.argv[2])
    drill = Drill()
    transitions = [
        {"trigger": trigger, "source": source, "dest": target, "conditions": condition, "after": moves}
        for trigger, source, target, condition, moves in TRANSITIONS
    ]
    transitions.append({"trigger": "leave", "source": STATES[:-1], "dest": "SESSION_DONE"})
    Machine(drill, states=STATES, transitions=transitions, initial="INIT", auto_transitions=False)
    for event in trace["begin"]:
        drill.trigger(event)
    events = [getattr(drill, event) for event in trace["round"]]
    for at, (event, state) in enumerate(zip(events, trace["states"])):
        event()
        assert drill.state == state, f"event {at}: {drill.state} instead of {state}"
    value = min(ns_per_event(events, seconds) for _ in range(ROUNDS))
    print(json.dumps({"value": value, "version": version("transitions")}))


def ns_per_event(events, seconds):
    started, count = time.perf_counter_ns(), 0
    while True:
        for event in events:
            event()
        count += len(events)
        passed = time.perf_counter_ns() - started
        if passed >= seconds * 1e9:
            return passed / count


main()
