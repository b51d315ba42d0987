"""An Anki profile, to import from and to bring answers back into.

    profile.py FOLDER                make it, and export it as legacy.apkg and latest.apkg
    profile.py FOLDER FILE           import a package into it, as a person would

Prints the resulting contents of the profile as one JSON object.
"""

import json
import sys
from pathlib import Path

from anki.collection import (Collection, ExportAnkiPackageOptions, ImportAnkiPackageOptions,
                             ImportAnkiPackageRequest)

DAY_MS = 86_400_000
FIRST_MS = 1_779_000_000_000


def main() -> None:
    folder, packages = Path(sys.argv[1]), sys.argv[2:]
    is_new = not (folder / "collection.anki2").exists()
    col = Collection(str(folder / "collection.anki2"))
    if is_new:
        fill(col)
        for name, legacy in [("legacy.apkg", True), ("latest.apkg", False)]:
            options = ExportAnkiPackageOptions(with_scheduling=True, with_media=True, legacy=legacy)
            col.export_anki_package(out_path=str(folder / name), options=options, limit=None)
    imported = [import_package(col, package) for package in packages]
    told = {"imported": imported, "notes": [tell_note(col, note) for note in sorted(col.find_notes(""))]}
    problems, is_sound = col.fix_integrity()
    told["problems"] = [] if is_sound else [problems]
    col.close()
    print(json.dumps(told))


def fill(col: Collection) -> None:
    both = col.models.by_name("Basic (and reversed card)")
    own = col.models.copy(col.models.by_name("Basic"))
    own["name"] = "My own"
    col.models.add_field(own, col.models.new_field("Source"))
    col.models.update_dict(own)
    for at, (kind, fields) in enumerate([(both, ["das Brot", "bread"]), (own, ["<b>die Milch</b>", "milk", "p. 3"])]):
        note = col.new_note(kind)
        note.fields = fields
        col.add_note(note, col.decks.id("Sprachen::Deutsch"))
        card = note.cards()[0]
        # Intervals as Anki chooses them: days between answers, and one in seconds, as a negative number.
        for step, (button, interval) in enumerate([(3, -600), (3, 4), (2, 9)]):
            row = (FIRST_MS + at + step * 3 * DAY_MS, card.id, -1, button, interval, 0, 2500, 4200, min(step, 1))
            col.db.execute("insert into revlog values(?,?,?,?,?,?,?,?,?)", *row)
        card.type, card.queue, card.ivl, card.due, card.reps, card.factor = 2, 2, 9, 5, 3, 2350
        col.update_card(card)


def import_package(col: Collection, package: str) -> dict:
    options = ImportAnkiPackageOptions(with_scheduling=True, merge_notetypes=False)
    log = col.import_anki_package(ImportAnkiPackageRequest(package_path=package, options=options)).log
    return {"new": len(log.new), "conflicting": len(log.conflicting)}


def tell_note(col: Collection, note_id: int) -> dict:
    note = col.get_note(note_id)
    return {"id": note.id, "guid": note.guid, "type": note.mid, "fields": note.fields,
            "cards": [tell_card(col, card) for card in note.cards()]}


def tell_card(col: Collection, card) -> dict:
    history = col.db.all("select id, ease, ivl, type from revlog where cid = ? order by id", card.id)
    return {"id": card.id, "place": card.ord, "stage": card.type, "interval": card.ivl, "reps": card.reps,
            "factor": card.factor, "history": history}


if __name__ == "__main__":
    main()
