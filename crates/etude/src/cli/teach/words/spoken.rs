//! What the tutor says, in German. It speaks English; a terminal in another language looks its sentences up here. What
//! curricula and learners have written stays as it is.

/// Deeper than this no sentence holds another.
const MAX_DEPTH: usize = 4;

/// Sentences and the parts that they are made of, the special ones first. Names in braces stand for any text, which is
/// looked up in turn.
static SENTENCES: &[(&str, &str)] = &[
    // Marks.
    ("Right.", "Richtig."),
    ("Noted.", "Notiert."),
    ("Not yet.", "Noch nicht."),
    ("Not yet. It should say: {ideas}.", "Noch nicht. Es sollte heißen: {ideas}."),
    ("Partly right. Still missing: {ideas}.", "Zum Teil richtig. Es fehlt noch: {ideas}."),
    ("Mind the spelling.", "Achte auf die Schreibung."),
    (
        "No answer yet. A guess is welcome: it shows what to explain.",
        "Noch keine Antwort. Raten ist willkommen: Es zeigt, was zu erklären ist.",
    ),
    ("The order is not right yet.", "Die Reihenfolge stimmt noch nicht."),
    ("Nearly: two neighbours are swapped.", "Fast: Zwei Nachbarn sind vertauscht."),
    (
        "These are words from the right field. Say in a sentence how they belong together.",
        "Das sind Wörter aus dem richtigen Gebiet. Sag in einem Satz, wie sie zusammengehören.",
    ),
    ("One part does not fit the rest. {says}", "Ein Teil passt nicht zum Rest. {says}"),
    ("{right} of {all} gaps are right.", "{right} von {all} Lücken sind richtig."),
    (
        "Which one do you mean? Answer with one of {labels}.",
        "Welches meinst du? Antworte mit einem von {labels}.",
    ),
    ("Name each of {labels} once, in their order.", "Nenne jedes von {labels} einmal, in ihrer Reihenfolge."),
    ("Only the first {n} characters were read.", "Gelesen wurden nur die ersten {n} Zeichen."),
    ("About “{words}”: {says}", "Zu „{words}“: {says}"),
    ("{more}; “{words}” says it: {idea}", "{more}; „{words}“ sagt es: {idea}"),
    ("“{words}” says it: {idea}", "„{words}“ sagt es: {idea}"),
    ("A good answer: {answer}", "Eine gute Antwort: {answer}"),
    ("A good answer", "Eine gute Antwort"),
    ("The answer: {answer}", "Die Antwort: {answer}"),
    ("The answer", "Die Antwort"),
    (
        "Then it counts as right, by your own judgement.",
        "Dann zählt es als richtig, nach deinem eigenen Urteil.",
    ),
    ("Say something, or “skip” if you do not know.", "Sag etwas, oder „skip“, wenn du es nicht weißt."),
    (
        "That is a question. Say what you think as a statement, or begin with `?` to ask something of your own.",
        "Das ist eine Frage. Sag als Aussage, was du meinst, oder beginne mit `?`, um selbst etwas zu fragen.",
    ),
    (
        "By your own judgement; the rules had not found all they look for.",
        "Nach deinem eigenen Urteil; die Regeln hatten nicht alles gefunden, was sie suchen.",
    ),
    // A course.
    (
        "First a few questions, at most {most}, to find out what you know already. “I don't know” is a good answer.",
        "Zuerst ein paar Fragen, höchstens {most}: Was weißt du schon? „Weiß nicht“ ist eine gute Antwort.",
    ),
    ("Your map has {concepts}{time}. {known}", "Deine Karte hat {concepts}{time}. {known}"),
    ("1 concept", "1 Begriff"),
    ("{n} concepts", "{n} Begriffe"),
    (", about {n} minutes in all", ", zusammen etwa {n} Minuten"),
    (", about {n} hours in all", ", zusammen etwa {n} Stunden"),
    ("It begins at the beginning.", "Es beginnt am Anfang."),
    (
        "One of them you seem to know; it will go quickly.",
        "Einen davon kennst du wohl schon; der geht schnell.",
    ),
    (
        "{n} of them you seem to know; they will go quickly.",
        "{n} davon kennst du wohl schon; die gehen schnell.",
    ),
    (
        "“{title}” goes on: {concepts}, with all that was found out before.",
        "„{title}“ geht weiter: {concepts}, mit allem, was schon bekannt war.",
    ),
    (
        "“{title}” goes on: {n} of its {concepts} you have understood.",
        "„{title}“ geht weiter, verstanden sind {n} von: {concepts}.",
    ),
    (
        "You seem to know this already; a quick look will do.",
        "Das kennst du wohl schon; ein kurzer Blick genügt.",
    ),
    (
        "There is no text for this concept here. Read about it where you like best, then come back.",
        "Zu diesem Begriff gibt es hier keinen Text. Lies nach, wo du magst, und komm dann wieder.",
    ),
    ("No lesson could be written ({reason}).", "Keine Lektion konnte geschrieben werden ({reason})."),
    (
        "No map of “{topic}” could be made ({reason}). Try again now or later, or take a curriculum.",
        "Von „{topic}“ konnte keine Karte entstehen ({reason}). Versuch es jetzt oder später, oder nimm einen Lehrplan.",
    ),
    (
        "No model is asked for a map of “{topic}” any more: there is none, or it was asked too often. Take a curriculum, or start a new course.",
        "Nach einer Karte von „{topic}“ wird kein Modell mehr gefragt: Es gibt keines, oder es wurde zu oft gefragt. Nimm einen Lehrplan oder beginne einen neuen Kurs.",
    ),
    ("In the plan {told}; and {n} more.", "Im Plan: {told}; und {n} weitere."),
    ("In the plan {told}.", "Im Plan: {told}."),
    // Questions in between.
    ("Then let us go on.", "Dann geht es weiter."),
    ("Back to the question:", "Zurück zur Frage:"),
    (
        "That is not on the map of “{title}”. It may deserve a course of its own: start one with it as the topic.",
        "Das steht nicht auf der Karte von „{title}“. Vielleicht verdient es einen eigenen Kurs mit diesem Thema.",
    ),
    // Without a curriculum.
    (
        "{asked} Begin your answer with how sure you are, from 0 (no idea) to 5 (perfectly), then say it in a few words.",
        "{asked} Beginne mit einer Zahl dafür, wie sicher du bist, von 0 (keine Ahnung) bis 5 (ganz sicher), und sag es dann in ein paar Worten.",
    ),
    ("What do you know about {concept}?", "Was weißt du über {concept}?"),
    ("How would you explain {concept} to a friend?", "Wie würdest du {concept} einer Freundin erklären?"),
    (
        "What is an example of {concept}, or a use of it, in your own words?",
        "Was ist ein Beispiel für {concept} oder ein Nutzen davon, in eigenen Worten?",
    ),
    (
        "Say it in a few words behind the number, so that there is something to judge.",
        "Sag es hinter der Zahl in ein paar Worten, damit es etwas zu beurteilen gibt.",
    ),
    // What comes next.
    (
        "“{concept}” is understood. It comes back {when}.",
        "„{concept}“ ist verstanden und kommt {when} wieder.",
    ),
    (
        "“{concept}” has not settled yet. Let us look at it again.",
        "„{concept}“ sitzt noch nicht. Sehen wir es uns noch einmal an.",
    ),
    ("There is nothing to teach at the moment.", "Im Augenblick gibt es nichts zu unterrichten."),
    (
        "{needed} The next review is {when}; you can also practise now.",
        "{needed} Die nächste Wiederholung ist {when}; du kannst auch jetzt üben.",
    ),
    (
        "Answer “{concept}” right {times} to open “{next}”.",
        "Beantworte „{concept}“ {times} richtig, dann öffnet sich „{next}“.",
    ),
    (
        "Answer “{concept}” right {times}, and the course is complete.",
        "Beantworte „{concept}“ {times} richtig, dann ist der Kurs abgeschlossen.",
    ),
    (
        "“{next}” opens when what it builds on is mastered. {needed}",
        "„{next}“ öffnet sich, wenn gemeistert ist, worauf es aufbaut. {needed}",
    ),
    (
        "When everything is mastered, the course is complete. {needed}",
        "Wenn alles gemeistert ist, ist der Kurs abgeschlossen. {needed}",
    ),
    (
        "{concepts} are not yet; answer each right three times in a row (a choice counts a little less).",
        "Noch nicht so weit: {concepts}. Beantworte jeden dreimal hintereinander richtig (eine Auswahl zählt etwas weniger).",
    ),
    ("{times} (a choice counts a little less)", "{times} (eine Auswahl zählt etwas weniger)"),
    ("once more", "noch einmal"),
    ("{n} more times in a row", "noch {n}-mal hintereinander"),
    (
        "You have mastered all of “{title}”. Its reviews go on, ever more rarely.",
        "Du hast alles aus „{title}“ gemeistert. Die Wiederholungen gehen weiter, immer seltener.",
    ),
    (
        "“{title}” was put aside: nobody has come back to it for more than 30 days. What you know of it is kept, and so is the map; resume it whenever you like.",
        "„{title}“ wurde beiseitegelegt: Mehr als 30 Tage lang kam niemand zurück. Was du davon weißt, bleibt, und die Karte auch; nimm es wieder auf, wann du magst.",
    ),
    // Reviews.
    ("There is nothing to review now.", "Jetzt gibt es nichts zu wiederholen."),
    (
        "Nothing was asked; what is due comes back tomorrow.",
        "Nichts wurde gefragt; was fällig ist, kommt morgen wieder.",
    ),
    (
        "Nothing was asked; each concept comes back when it is due.",
        "Nichts wurde gefragt; jeder Begriff kommt wieder, wenn er fällig ist.",
    ),
    ("{good} of {all} recalled.", "{good} von {all} gewusst."),
    (
        "“{concept}” was recalled elsewhere in the meantime; it does not count twice.",
        "„{concept}“ wurde inzwischen anderswo abgefragt; es zählt nicht doppelt.",
    ),
    (
        "What this question asks for was taken off the map; it does not count.",
        "Wonach diese Frage fragt, steht nicht mehr auf der Karte; sie zählt nicht.",
    ),
    (
        "“{title}” was put aside, so nothing of it is asked any more.",
        "„{title}“ wurde beiseitegelegt, darum wird nichts mehr davon gefragt.",
    ),
    // Times.
    ("now", "jetzt"),
    ("within the hour", "in weniger als einer Stunde"),
    ("in an hour", "in einer Stunde"),
    ("in {n} hours", "in {n} Stunden"),
    ("tomorrow", "morgen"),
    ("in {n} days", "in {n} Tagen"),
    // Headings.
    ("{title}, once more", "{title}, noch einmal"),
    ("About {concept}", "Zu {concept}"),
];

/// What was said, paragraph by paragraph. What is not known stays as it is.
pub(super) fn in_german(said: &str) -> String {
    said.split("\n\n").map(|text| sentence(text, 0)).collect::<Vec<_>>().join("\n\n")
}

fn sentence(text: &str, depth: usize) -> String {
    let known = SENTENCES.iter().filter(|_| depth < MAX_DEPTH);
    let found = known.filter_map(|(english, german)| Some((german, values(english, text)?))).next();
    let Some((german, values)) = found else { return text.to_owned() };
    let mut filled = String::new();
    let mut rest = *german;
    while let Some((before, name, after)) = blank(rest) {
        let value = values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
        filled += before;
        filled += &sentence(value, depth + 1);
        rest = after;
    }
    filled + rest
}

/// What stands in the blanks of a sentence, if it is this one.
fn values<'a>(sentence: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let mut values = Vec::new();
    let (mut sentence, mut text) = (sentence, text);
    while let Some((before, name, after)) = blank(sentence) {
        text = text.strip_prefix(before)?;
        let next = blank(after).map_or(after, |(before, ..)| before);
        let end = match (next.is_empty(), blank(after).is_none()) {
            (true, true) => text.len(),
            // Two blanks side by side: the first one ends before a comma or a full stop.
            (true, false) => text.find([',', '.'])?,
            (false, true) => text.len().checked_sub(next.len()).filter(|end| text.is_char_boundary(*end))?,
            (false, false) => text.find(next)?,
        };
        values.push((name, &text[..end]));
        (sentence, text) = (after, &text[end..]);
    }
    (sentence == text).then_some(values)
}

/// The first blank of a sentence: what stands before it, its name, and what stands after it.
fn blank(sentence: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = sentence.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_said_in_german() {
        let check = |english: &str, german: &str| assert_eq!(in_german(english), german);
        check("Right.", "Richtig.");
        check("“alpha” says it: it is alpha.", "„alpha“ sagt es: it is alpha.");
        check(
            "Not yet. It should say: it is alpha.\n\nA good answer: It is alpha.",
            "Noch nicht. Es sollte heißen: it is alpha.\n\nEine gute Antwort: It is alpha.",
        );
        check(
            "Your map has 3 concepts, about 15 minutes in all. It begins at the beginning.",
            "Deine Karte hat 3 Begriffe, zusammen etwa 15 Minuten. Es beginnt am Anfang.",
        );
        check(
            "Your map has 1 concept. It begins at the beginning.",
            "Deine Karte hat 1 Begriff. Es beginnt am Anfang.",
        );
        check(
            "Answer “SELECT” right 2 more times in a row (a choice counts a little less) to open “WHERE”. The next \
             review is in 2 days; you can also practise now.",
            "Beantworte „SELECT“ noch 2-mal hintereinander (eine Auswahl zählt etwas weniger) richtig, dann öffnet \
             sich „WHERE“. Die nächste Wiederholung ist in 2 Tagen; du kannst auch jetzt üben.",
        );
        check("“{a}” is understood. It comes back now.", "„{a}“ ist verstanden und kommt jetzt wieder.");
        check("A table holds rows.", "A table holds rows.");
    }

    /// Whoever gives the tutor a new sentence is told here that it has none in German.
    #[test]
    fn every_sentence_of_the_tutor_is_known() {
        let sources = [
            include_str!("../../../../../coaching/src/teach/words.rs"),
            include_str!("../../../../../coaching/src/grade/phrases.rs"),
        ];
        let mut count = 0;
        for text in sources.iter().flat_map(|source| texts(source)) {
            let said = filled(&text);
            assert_ne!(in_german(&said), said, "this has no German: {text:?}");
            count += 1;
        }
        assert!(count > 50, "{count}");
    }

    /// The texts of several words in some source.
    fn texts(source: &str) -> Vec<String> {
        let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n").replace("\\\n", "\u{1}");
        let quoted = code.split('"').skip(1).step_by(2);
        let joined = quoted.map(|text| {
            let mut parts = text.split('\u{1}');
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| text + part.trim_start())
        });
        joined.filter(|text| text.trim().contains(' ') && !text.contains("\\n")).collect()
    }

    /// With something in its blanks.
    fn filled(text: &str) -> String {
        let mut said = String::new();
        let text = text.replace("{WRONG}", "Not yet.");
        let mut rest = text.as_str();
        while let Some((before, _, after)) = blank(rest) {
            said += &format!("{before}7");
            rest = after;
        }
        said + rest
    }
}
