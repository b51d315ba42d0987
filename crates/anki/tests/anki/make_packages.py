"""Makes packages with genanki and with Anki itself, and prints their contents.

    make_packages.py FOLDER

Prints one JSON object. Its description of Anki's packages comes from Anki's own view of the collection.
"""

import json
import sys
from pathlib import Path

import genanki
from anki.collection import Collection, ExportAnkiPackageOptions
from read_back import tell_note


def main() -> None:
    folder = Path(sys.argv[1])
    (folder / "anki").mkdir()
    print(json.dumps({"genanki": with_genanki(folder), "anki": with_anki(folder)}))


# Each row: note type, deck, fields as typed, tags, and the front and back that a person sees.
GENANKI_NOTES = [
    ("swapped", "Sprachen", ["<b>bread</b>", "das Brot"], [], "das Brot", "bread"),
    ("swapped", "Sprachen::Deutsch", ["cheese &amp; wine", "K&auml;se<br>und Wein"], ["essen", "trinken"],
     "Käse\nund Wein", "cheese & wine"),
    ("swapped", "Sprachen::Deutsch", ["1 &lt; 2 &#x1F600;", "<div>eins</div><div>zwei</div>"], [], "eins\nzwei", "1 < 2 😀"),
    ("odd", "Hebrew", ["שלום[sound:shalom.mp3]", 'peace<img src="a.png">', "note"], ["rtl"], "שלום", "peace"),
    ("odd", "Hebrew", ["مَرْحَبًا", "hello", ""], ["rtl", "العربية"], "مَرْحَبًا", "hello"),
    ("odd", "日本::N5", ["食べる", "<ruby>to eat</ruby>", ""], [], "食べる", "to eat"),
    ("cloze", "Sprachen", ["Ich {{c1::trinke::verb}} {{c2::Tee}}.", ""], [], "Ich trinke Tee.", "Ich [verb] […]."),
    ("cloze", "Sprachen", ["{{c1::Guten {{c2::Tag}}}}!", "Good day!"], [], "Guten Tag!", "Good day!"),
]


def with_genanki(folder: Path) -> dict:
    models = {
        "swapped": genanki.Model(1201, "Swapped", fields=[{"name": "Back"}, {"name": "Front"}],
                                 templates=[template("Front", "Back")]),
        "odd": genanki.Model(1202, "Odd names", fields=[{"name": "Word"}, {"name": "Sense"}, {"name": "Note"}],
                             templates=[template("Word", "Sense")]),
        "cloze": genanki.Model(1203, "Gaps", model_type=genanki.Model.CLOZE, fields=[{"name": "Text"}, {"name": "Extra"}],
                               templates=[{"name": "Gap", "qfmt": "{{cloze:Text}}", "afmt": "{{cloze:Text}}{{Extra}}"}]),
    }
    decks: dict[str, genanki.Deck] = {}
    notes = []
    for model, deck, fields, tags, front, back in GENANKI_NOTES:
        decks.setdefault(deck, genanki.Deck(5000 + len(decks), deck))
        note = genanki.Note(model=models[model], fields=fields, tags=tags)
        decks[deck].add_note(note)
        notes.append({"guid": note.guid, "deck": deck, "front": front, "back": back, "tags": tags})
    package = genanki.Package(list(decks.values()))
    (folder / "shalom.mp3").write_bytes(b"not really sound")
    package.media_files = [str(folder / "shalom.mp3")]
    package.write_to_file(folder / "genanki.apkg")
    return {"notes": notes, "sounds": 1, "images": 1, "media_files": 1, "cards_left_out": 1}


def template(front: str, back: str) -> dict:
    return {"name": "Card", "qfmt": "{{%s}}" % front, "afmt": "{{FrontSide}}<hr>{{%s}}" % back}


def with_anki(folder: Path) -> dict:
    col = Collection(str(folder / "anki" / "collection.anki2"))
    col.set_config("fsrs", True)
    fill(col)
    study(col)
    for name, legacy in [("legacy.apkg", True), ("latest.apkg", False)]:
        options = ExportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy)
        col.export_anki_package(out_path=str(folder / name), options=options, limit=None)
    col.export_note_csv(out_path=str(folder / "notes.txt"), limit=None, with_html=True, with_tags=True, with_deck=True,
                        with_notetype=True, with_guid=True)
    told = {"notes": [tell_note(col, note) for note in col.find_notes("")],
            "changes_by_hand": col.db.scalar("select count() from revlog where ease = 0")}
    col.close()
    return told


def fill(col: Collection) -> None:
    for number in range(12):
        note = col.new_note(col.models.by_name("Basic"))
        note.fields = [f"Wort {number}", f"word <i>{number}</i>"]
        note.tags = ["even" if number % 2 == 0 else "odd", "all"]
        col.add_note(note, col.decks.id("German::Words" if number < 8 else "German"))
    note = col.new_note(col.models.by_name("Basic (and reversed card)"))
    note.fields = ["hin", "there"]
    col.add_note(note, col.decks.id("Both ways"))


def study(col: Collection) -> None:
    """Presses every button, and leaves one card waiting for days, one forgotten, one suspended and one buried."""
    for deck in ["German", "Both ways"]:
        col.decks.select(col.decks.id(deck))
        for turn in range(10):
            card = col.sched.getCard()
            if card is None:
                break
            card.start_timer()
            col.sched.answerCard(card, [3, 4, 1, 2, 3][turn % 5])
    learned = list(col.find_cards("is:review"))
    col.sched.set_due_date(learned[:1], "0")
    card = col.get_card(learned[0])
    card.start_timer()
    col.sched.answerCard(card, 1)
    col.sched.set_due_date(learned[1:2], "5")
    col.sched.suspend_cards(col.find_cards('"Wort 10"'))
    col.sched.bury_cards(col.find_cards('"Wort 11"'), manual=True)


main()
