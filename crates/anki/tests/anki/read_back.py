"""Imports files into an empty collection with Anki itself, and prints what Anki imported.

    read_back.py FOLDER FILE…

Packages (.apkg) and text files (.txt) are imported in their order. Prints one JSON object.
"""

import json
import sys
from pathlib import Path

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest, ImportCsvRequest


def main() -> None:
    folder, files = Path(sys.argv[1]), sys.argv[2:]
    col = Collection(str(folder / "collection.anki2"))
    changes = [import_file(col, file) for file in files]
    unchecked = col.db.scalar("select count() from notes where csum = 0")
    told = {"changes": changes, "notes": [tell_note(col, note) for note in col.find_notes("")]}
    problems, is_sound = col.fix_integrity()
    told["problems"] = [] if is_sound and unchecked == 0 else [problems, f"{unchecked} notes without checksum"]
    col.close()
    print(json.dumps(told))


def import_file(col: Collection, file: str) -> dict:
    if file.endswith(".apkg"):
        options = ImportAnkiPackageOptions(with_scheduling=True, merge_notetypes=False)
        log = col.import_anki_package(ImportAnkiPackageRequest(package_path=file, options=options)).log
    else:
        metadata = col.get_csv_metadata(path=file, delimiter=None)
        log = col.import_csv(ImportCsvRequest(path=file, metadata=metadata)).log
    return {"new": len(log.new), "updated": len(log.updated), "duplicate": len(log.duplicate),
            "conflicting": len(log.conflicting)}


def tell_note(col: Collection, note_id: int) -> dict:
    note = col.get_note(note_id)
    cards = note.cards()
    return {"guid": note.guid, "fields": note.fields, "tags": sorted(note.tags), "deck": col.decks.name(cards[0].did),
            "cards": [tell_card(col, card) for card in cards]}


def tell_card(col: Collection, card) -> dict:
    memory = card.memory_state
    # Cards that wait for days keep the day, counted from when the collection was made.
    # A step that ends after the next day begins, at four in the morning, is due on a day.
    in_days = col.crt + card.due * 86_400
    step = in_days if card.queue == 3 else card.due
    due = {1: step, 2: in_days, 3: step}
    reviews = col.card_stats_data(card.id).revlog
    return {
        "asks": ["front", "back"][card.ord], "stage": card.type, "hold": HOLDS.get(card.queue),
        "due_at_s": due.get(card.type), "interval_days": card.ivl, "factor": card.factor, "reps": card.reps,
        "lapses": card.lapses, "memory": [memory.stability, memory.difficulty] if memory else None,
        "reviews": [[entry.time, entry.button_chosen, entry.interval, entry.review_kind]
                    for entry in reversed(reviews) if entry.button_chosen > 0],
    }


HOLDS = {-1: "suspended", -2: "buried", -3: "buried"}


if __name__ == "__main__":
    main()
