//! Tests of how a learner's words are judged: one table for many languages.

use coaching::text::{Heard, How, Match, Piece, Target, TargetError};

/// Each row: the target, the heard text, and how it counts.
const TABLE: &[(&str, &str, How)] = &[
    // Whole phrases, with words around them.
    ("Wie viel kostet das?", "wie viel kostet das", How::Surface),
    ("Wie viel kostet das?", "Entschuldigung, wie viel kostet das bitte", How::Surface),
    ("Wie viel kostet das?", "WIE VIEL KOSTET DAS???", How::Surface),
    ("Wie viel kostet das?", "wie viel das kostet", How::None),
    ("Wie viel kostet das?", "wie viel kostet", How::None),
    ("Wie viel kostet das?", "wie viel denn kostet das", How::None),
    ("Wie viel kostet das?", "wie viel kostet dass", How::None),
    ("da", "das ist gut", How::None),
    ("da", "ja, da!", How::Surface),
    // Short words must be exact; long ones may differ a little.
    ("ja", "Je.", How::None),
    ("tri", "tre", How::None),
    ("Dober dan", "Dobr dan", How::Fuzzy),
    ("Dober dan", "dober den", How::None),
    ("Dober dan", "Dobre dan", How::Fuzzy),
    ("Hvala", "vala", How::Fuzzy),
    ("Hvala", "fala", How::None),
    ("Entschuldigung", "Enschuldigun", How::Fuzzy),
    ("Entschuldigung", "Entschlldiguug", How::Fuzzy),
    ("Entschuldigung", "Enschldign", How::None),
    ("kava", "kav", How::Fuzzy),
    ("kava", "kv", How::None),
    ("Hausnummer 1234", "Hausnummer 1235", How::None),
    ("Hausnummer 1234", "Hausnumer 1234", How::Fuzzy),
    ("Wie viel kostet das?", "wieviel kostet das", How::Fuzzy),
    ("Auf Wiedersehen", "auf wieder sehen", How::Fuzzy),
    ("das", "da s", How::None),
    // Slots.
    ("Eno ___, prosim.", "Eno kavo prosim", How::Surface),
    ("Eno ___, prosim.", "eno veliko kavo z mlekom, prosim", How::Surface),
    ("Eno ___, prosim.", "Prosim eno", How::None),
    ("Eno ___, prosim.", "Eno prosim", How::None),
    ("Eno ___, prosim.", "ena kavo prosim", How::None),
    ("Eno ___, prosim.", "eno kavo prosem", How::Fuzzy),
    ("Eno ___, prosim.", "eno a b c d e f g h prosim", How::Surface),
    ("Eno ___, prosim.", "eno a b c d e f g h i prosim", How::None),
    ("Ich heiße ___.", "ich heisse Anna", How::Surface),
    ("Ich heiße ___.", "ich heiße", How::None),
    ("___ bitte", "bitte", How::None),
    ("___ bitte", "einen Kaffee bitte", How::Surface),
    ("Me gusta ___ pero no ___", "me gusta el té pero no el café", How::Surface),
    ("Me gusta ___ pero no ___", "me gusta el té pero no", How::None),
    ("a ___ a ___ b", "a a a a a a a b", How::Surface),
    ("______ ist da", "Anna ist da", How::Surface),
    // Variants.
    ("Rad / Rada bi ___.", "Rada bi kavo", How::Surface),
    ("Rad / Rada bi ___.", "Rad bi čaj", How::Surface),
    ("Rad / Rada bi ___.", "Rad", How::None),
    ("Rad / Rada bi ___.", "Rad Rada bi", How::None),
    ("Rad/Rada bi ___.", "rada bi vodo", How::Surface),
    ("Er / Sie / Es ist müde", "es ist müde", How::Surface),
    ("Estoy cansado / cansada", "estoy cansada", How::Surface),
    ("Estoy cansado / cansada", "cansada", How::None),
    ("Estoy cansado/cansada hoy", "estoy cansada hoy", How::Surface),
    ("Dobro jutro / dan", "dobro jutro", How::Surface),
    ("Dobro jutro / dan", "dobro dan", How::Surface),
    ("Guten Tag / Guten Morgen", "guten morgen Paul", How::Surface),
    ("Guten Tag / Guten Morgen", "Guten Tag", How::Surface),
    ("Guten Tag / Guten Morgen", "Guten Guten Morgen", How::Surface),
    ("Guten Tag / Guten Morgen", "Morgen", How::None),
    ("mein Freund / meine Freundin", "meine Freundin", How::Surface),
    ("mein Freund / meine Freundin", "mein Freundin", How::Fuzzy),
    ("Ich heiße ___ / Mein Name ist ___", "mein Name ist Paul", How::Surface),
    ("Danke // Vielen Dank", "danke", How::Surface),
    ("Danke // Vielen Dank", "vielen dank!", How::Surface),
    ("Danke // Vielen Dank", "vielen", How::None),
    // Case, accents, apostrophes, dashes, noise.
    ("Živjo, čaj!", "zivjo caj", How::Surface),
    ("STRASSE", "straße", How::Surface),
    ("Straße", "STRASSE", How::Surface),
    ("Straße", "STRAẞE", How::Surface),
    ("¿Dónde está el baño?", "donde esta el bano", How::Surface),
    ("¡Mañana!", "MAÑANA", How::Surface),
    ("J’ai faim", "j'ai faim", How::Surface),
    ("J'ai faim", "jai faim", How::Surface),
    ("Aujourd'hui", "aujourd´hui", How::Surface),
    ("peut-être", "peut être", How::Surface),
    ("cœur", "coeur", How::Surface),
    ("ça va", "ca va", How::Surface),
    ("Smørrebrød", "smorrebrod", How::Surface),
    ("Łódź", "lodz", How::Surface),
    ("đ", "d", How::Surface),
    ("Þakka þér", "thakka ther", How::Surface),
    ("blåbær", "blabaer", How::Surface),
    ("col·legi", "collegi", How::Surface),
    ("cafe\u{301}", "café", How::Surface),
    ("Hallo", "Hal\u{200B}lo", How::Surface),
    ("Hallo", "Hal\u{AD}lo\u{7}", How::Surface),
    ("Hallo", "👋Hallo👋🏽", How::Surface),
    ("Hallo Anna", "Hallo—Anna", How::Surface),
    ("ＨＡＬＬＯ", "hallo", How::Surface),
    ("ﬁn", "fin", How::Surface),
    ("fünf 5", "fünf ５", How::Surface),
    // Turkish.
    ("ISPARTA", "ısparta", How::Surface),
    ("İstanbul", "istanbul", How::Surface),
    ("günaydın", "GUNAYDIN", How::Surface),
    ("teşekkür ederim", "tesekkur ederim", How::Surface),
    ("hayır", "hayir", How::Surface),
    // Greek, with its final sigma, and Cyrillic.
    ("Πώς σε λένε;", "ΠΩΣ ΣΕ ΛΕΝΕ", How::Surface),
    ("Οδυσσεύς", "οδυσσευσ", How::Surface),
    ("καλημέρα", "καλημερα", How::Surface),
    ("Всё хорошо", "все хорошо", How::Surface),
    ("мой", "мои", How::None),
    ("мой", "МОИ\u{306}", How::Surface),
    ("Спасибо", "спасиба", How::Fuzzy),
    // Arabic and Hebrew: vowel signs fold, order is logical.
    ("مَرْحَبًا", "مرحبا", How::Surface),
    ("السلام عليكم", "السَّلَامُ عَلَيْكُمْ يا أخي", How::Surface),
    ("أريد ___ من فضلك", "اريد قهوة من فضلك", How::Surface),
    ("شكـــراً", "شكرا", How::Surface),
    ("إلى", "الي", How::Surface),
    ("שָׁלוֹם", "שלום", How::Surface),
    ("תודה רבה", "תּוֹדָה רַבָּה לך", How::Surface),
    ("צה״ל", "צהל", How::Surface),
    ("لا", "لابد", How::None),
    // Japanese, Chinese, Thai: no spaces, still whole words.
    ("こんにちは", "こんにちは、アンナさん", How::Surface),
    ("こんにちは", "こんにちわ", How::Fuzzy),
    ("ありがとう", "ありがとうございます", How::Surface),
    ("水をください", "すみません、水をください。", How::Surface),
    ("水をください", "水 を ください", How::Surface),
    ("___をください", "コーヒーをください", How::Surface),
    ("___をください", "をください", How::None),
    ("コーヒー", "ｺｰﾋｰ", How::Surface),
    ("コーヒー", "こーひー", How::Surface),
    ("ありがとう", "ｱﾘｶﾞﾄｳ", How::Surface),
    ("が", "か", How::None),
    ("が", "か\u{3099}", How::Surface),
    ("水", "水曜日です", How::None),
    ("いくらですか", "これはいくらですか", How::Surface),
    ("お願いします", "コーヒーをお願いします", How::Surface),
    ("日本", "日本語", How::None),
    ("私は___です", "私はアンナです", How::Surface),
    ("你好", "你好，安娜！", How::Surface),
    ("你好", "您好", How::None),
    ("谢谢", "谢谢你", How::Surface),
    ("我要___", "我要咖啡", How::Surface),
    ("多少钱", "请问这个多少钱？", How::Surface),
    ("我不知道", "我不知道怎么走", How::Surface),
    ("请", "请问", How::None),
    ("很高兴认识你", "很高心认识你", How::Fuzzy),
    ("สวัสดี", "สวัสดีครับ", How::Surface),
    ("ขอบคุณ", "ขอบคุณมากค่ะ", How::Surface),
    ("ขอ___หน่อย", "ขอน้ำหน่อยครับ", How::Surface),
    ("ไม่", "ใหม่", How::None),
    ("ใช่", "ไม่ใช่", How::None),
    ("กาแฟ", "ขอกาแฟหนึ่งแก้ว", How::Surface),
    ("ຂອບໃຈ", "ຂອບໃຈຫຼາຍໆ", How::Surface),
    ("អរគុណ", "អរគុណច្រើន", How::Surface),
    // Korean and Vietnamese, Hindi.
    ("안녕하세요", "안녕하세요 안나", How::Surface),
    ("안녕하세요", "안녕하세오", How::Fuzzy),
    ("물", "물론", How::None),
    ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", How::Surface),
    ("Xin chào", "xin chao", How::Surface),
    ("Cảm ơn", "cam on nhieu", How::Surface),
    ("Đường", "duong", How::Surface),
    ("नमस्ते", "नमस्ते जी", How::Surface),
    ("हिन्दी", "हन्द", How::None),
    // No attempt at all.
    ("Hallo", "", How::None),
    ("Hallo", "!!! … 👋", How::None),
    ("Hallo", " \n\t\u{200B}\u{FE0F}", How::None),
];

#[test]
fn every_row_of_the_table() {
    let wrong: Vec<String> = TABLE.iter().filter_map(|row| check(row).err()).collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(&(target, heard, how): &(&str, &str, How)) -> Result<(), String> {
    let result = hear(target, &[], heard);
    let consistent = result.matched == (how != How::None)
        && (result.difference.is_empty() || !matches!(how, How::Surface | How::Alias));
    (result.how == how && consistent)
        .then_some(())
        .ok_or(format!("“{target}” heard as “{heard}”: {result:?}"))
}

#[test]
fn aliases_count_after_the_words_and_before_tolerance() {
    let aliases = ["zero", "cheevo you", "…"];
    for (heard, how) in [
        ("Zero.", How::Alias),
        ("well, zero then", How::Alias),
        ("cheevo you", How::Alias),
        ("cheevo", How::None),
        ("zeros", How::None),
        ("zero živjo", How::Surface),
        ("zero zivo", How::Alias),
        ("zivo", How::Fuzzy),
        ("…", How::None),
    ] {
        assert_eq!(hear("Živjo", &aliases, heard).how, how, "{heard}");
    }
}

#[test]
fn the_difference_quotes_both_sides() {
    for (target, heard, expected) in [
        ("Dober dan", "Dobr dan!", vec![changed("Dober", "Dobr"), same("dan")]),
        ("Dober dan", "dober den", vec![same("Dober"), changed("dan", "den")]),
        (
            "Wie viel kostet das?",
            "Wieviel kostet das",
            vec![changed("Wie viel", "Wieviel"), same("kostet"), same("das")],
        ),
        ("Auf Wiedersehen!", "auf Wieder sehen", vec![same("Auf"), changed("Wiedersehen", "Wieder sehen")]),
        (
            "Wie viel kostet das?",
            "hm, wie viel das",
            vec![same("Wie"), same("viel"), missing("kostet"), same("das")],
        ),
        (
            "Wie geht es dir",
            "wie geht denn es dir",
            vec![same("Wie"), same("geht"), extra("denn"), same("es"), same("dir")],
        ),
        ("Eno ___, prosim.", "eno kavo prosem", vec![same("Eno"), same("kavo"), changed("prosim", "prosem")]),
        ("Eno ___, prosim.", "Eno prosim", vec![same("Eno"), missing("___"), same("prosim")]),
        ("ja", "nein", vec![changed("ja", "nein")]),
        ("Guten Morgen", "Guten Tag", vec![same("Guten"), changed("Morgen", "Tag")]),
        ("こんにちは", "こんにちわ", vec![changed("こんにちは", "こんにちわ")]),
    ] {
        assert_eq!(hear(target, &[], heard).difference, expected, "{target} / {heard}");
    }
}

#[test]
fn a_match_is_one_small_object_on_the_wire() {
    let json = serde_json::to_value(hear("Dober dan", &[], "Dobr dan")).unwrap();
    let expected = serde_json::json!({"matched": true, "how": "fuzzy", "difference": [
        {"is": "changed", "expected": "Dober", "heard": "Dobr"}, {"is": "same", "text": "dan"}]});
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<Match>(json).unwrap(), hear("Dober dan", &[], "Dobr dan"));
}

#[test]
fn only_words_are_an_attempt() {
    for (heard, is_attempt) in [
        ("", false),
        ("!!!", false),
        ("🙂", false),
        ("\u{301}", false),
        ("'", false),
        ("_", false),
        ("5", true),
        ("é", true),
        ("水", true),
    ] {
        assert_eq!(Heard::new(heard).is_attempt(), is_attempt, "{heard:?}");
    }
}

#[test]
fn an_unusable_target_is_refused() {
    let long = "ja ".repeat(70);
    let many = "a/b ".repeat(6);
    for (text, error) in [
        ("", TargetError::NoWords),
        ("…!", TargetError::NoWords),
        ("___", TargetError::NoWords),
        ("ja /", TargetError::EmptyVariant),
        ("/ ja", TargetError::EmptyVariant),
        ("ja / / nein", TargetError::EmptyVariant),
        ("ja // ", TargetError::EmptyVariant),
        ("Ich bin ___ / Anna", TargetError::SlotVariant),
        (&long, TargetError::TooLong),
        (&many, TargetError::TooManyReadings),
    ] {
        assert_eq!(Target::parse(text).err(), Some(error), "{text}");
    }
}

fn hear(target: &str, aliases: &[&str], heard: &str) -> Match {
    Target::parse(target).unwrap().with_aliases(aliases).hear(&Heard::new(heard))
}

fn same(text: &str) -> Piece {
    Piece::Same { text: text.to_owned() }
}

fn missing(text: &str) -> Piece {
    Piece::Missing { text: text.to_owned() }
}

fn extra(text: &str) -> Piece {
    Piece::Extra { text: text.to_owned() }
}

fn changed(expected: &str, heard: &str) -> Piece {
    Piece::Changed { expected: expected.to_owned(), heard: heard.to_owned() }
}
