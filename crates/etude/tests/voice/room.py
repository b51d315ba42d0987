"""A room with a loudspeaker, a microphone and a learner. What is played comes back, later and weaker.

    room.py play FOLDER RATE    plays standard input, as fast as it sounds
    room.py record FOLDER       records 16-bit samples at 16 kHz, as fast as they sound

FOLDER/room.json says how it sounds and what the learner does:

    {"gain": 0.3, "delay": 0.08, "learner": [{"pcm": FILE, "at": 0.5}, {"pcm": FILE, "after": 2}]}

`at` counts from the first sample that is recorded, `after` from the first that is heard of the coach. FOLDER/learner.log
gets a line with the time whenever the learner begins.
"""

import array
import json
import os
import sys
import time

RATE = 16_000
FRAME = 512


def play(folder, rate):
    air = open(os.path.join(folder, "air"), "ab", buffering=0)
    size = rate * FRAME // RATE
    begun, frames = time.monotonic(), 0
    while pcm := sys.stdin.buffer.read(size * 2):
        heard = array.array("h", pcm[: len(pcm) // 2 * 2])
        air.write(at_our_rate(heard, rate).tobytes())
        frames += 1
        time.sleep(max(0, begun + frames * FRAME / RATE - time.monotonic()))


def at_our_rate(samples, rate):
    count = len(samples) * RATE // rate
    last = len(samples) - 1

    def sample(at):
        place = at * rate / RATE
        whole = int(place)
        part = place - whole
        return int(samples[whole] * (1 - part) + samples[min(whole + 1, last)] * part)

    return array.array("h", map(sample, range(count)))


def record(folder):
    with open(os.path.join(folder, "room.json")) as file:
        room = json.load(file)
    path = os.path.join(folder, "air")
    open(path, "ab").close()
    air = open(path, "rb", buffering=0)
    echo = [0] * int(room["delay"] * RATE)
    waiting = [Learner(folder, what) for what in room["learner"]]
    begun, frames, coach_at = time.monotonic(), 0, None
    while True:
        now = frames * FRAME / RATE
        played = array.array("h", air.read(FRAME * 2))
        if played and coach_at is None:
            coach_at = now
        echo.extend(int(sample * room["gain"]) for sample in played)
        echo.extend([0] * (FRAME - len(played)))
        frame, echo = echo[:FRAME], echo[FRAME:]
        for learner in waiting:
            learner.speak(frame, now, coach_at)
        loud = array.array("h", (max(-32_768, min(32_767, sample)) for sample in frame))
        sys.stdout.buffer.write(loud.tobytes())
        sys.stdout.buffer.flush()
        frames += 1
        time.sleep(max(0, begun + frames * FRAME / RATE - time.monotonic()))


class Learner:
    def __init__(self, folder, what):
        with open(what["pcm"], "rb") as file:
            self.samples = array.array("h", file.read())
        self.folder, self.what, self.said = folder, what, 0

    def speak(self, frame, now, coach_at):
        begins = self.what.get("at")
        if begins is None and coach_at is not None:
            begins = coach_at + self.what["after"]
        if begins is None or now < begins or self.said >= len(self.samples):
            return
        if self.said == 0:
            with open(os.path.join(self.folder, "learner.log"), "a") as log:
                print(time.time(), file=log)
        for at, sample in enumerate(self.samples[self.said : self.said + FRAME]):
            frame[at] += sample
        self.said += FRAME


if sys.argv[1] == "play":
    play(sys.argv[2], int(sys.argv[3]))
else:
    record(sys.argv[2])
