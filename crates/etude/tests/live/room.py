"""A room with a loudspeaker, a microphone and a learner. Sound that is played comes back as an echo, later and weaker.

    room.py FOLDER    records 16-bit samples at 16 kHz, in real time

FOLDER/room.json holds the acoustics of the room and the actions of the learner:

    {"gain": 0.3, "delay": 0.08, "learner": [{"pcm": FILE, "at": 0.5}, {"pcm": FILE, "after": 2}]}

`at` counts seconds from the first recorded sample, `after` from the first sound of the coach.

FOLDER/learner.log gets a line with the time whenever the learner begins, and FOLDER/coach is touched whenever the coach is
heard.

A player first writes its sample rate into FOLDER/rate, and then its samples into the pipe FOLDER/mouth. The room has one
clock, that of the recording: a player can write no faster than the room records, and while it is late the clock stands
still. So a busy machine delays everything by the same amount, and not the echo alone. Samples that a player has not played
when it ends are not heard.
"""

import array
import fcntl
import json
import os
import select
import sys
import time

RATE = 16_000
FRAME = 512
# The smallest capacity of a pipe, in bytes.
PIPE = 4_096
# Milliseconds without samples after which a player has ended.
LATE = 250


class Mouth:
    def __init__(self, folder):
        self.rate = os.path.join(folder, "rate")
        self.pipe = os.open(os.path.join(folder, "mouth"), os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, PIPE)
        self.poll = select.poll()
        self.poll.register(self.pipe, select.POLLIN)

    def hear(self):
        """Returns one frame, which is shorter at the end of the sound."""
        pcm, size = b"", None
        while size is None or len(pcm) < size:
            events = dict(self.poll.poll(0 if size is None else LATE)).get(self.pipe, 0)
            if events & select.POLLHUP:
                while os.read(self.pipe, PIPE):
                    pass
                break
            if not events & select.POLLIN:
                break
            if size is None:
                with open(self.rate) as file:
                    rate = int(file.read())
                size = 2 * (rate * FRAME // RATE)
            pcm += os.read(self.pipe, size - len(pcm))
        return at_our_rate(array.array("h", pcm[: len(pcm) // 2 * 2]), rate) if pcm else []


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
    mouth = Mouth(folder)
    echo = [0] * int(room["delay"] * RATE)
    waiting = [Learner(folder, what) for what in room["learner"]]
    coach = os.path.join(folder, "coach")
    due, frames, coach_at = time.monotonic(), 0, None
    while True:
        now = frames * FRAME / RATE
        played = mouth.hear()
        if played:
            open(coach, "w").close()
            coach_at = now if coach_at is None else coach_at
        echo.extend(int(sample * room["gain"]) for sample in played)
        echo.extend([0] * (FRAME - len(played)))
        frame, echo = echo[:FRAME], echo[FRAME:]
        for learner in waiting:
            learner.speak(frame, now, coach_at)
        loud = array.array("h", (max(-32_768, min(32_767, sample)) for sample in frame))
        sys.stdout.buffer.write(loud.tobytes())
        sys.stdout.buffer.flush()
        frames += 1
        # A delay is not made up for.
        due = max(due + FRAME / RATE, time.monotonic())
        time.sleep(max(0, due - time.monotonic()))


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


record(sys.argv[1])
