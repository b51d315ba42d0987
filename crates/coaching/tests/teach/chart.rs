//! Tests of bar charts for mails and terminals.

use coaching::teach::chart::{Bar, html, text, text_within};

fn bar(label: &str, share: f64, note: &str) -> Bar {
    Bar { label: label.to_owned(), share, note: note.to_owned() }
}

#[test]
fn bars_of_text_stand_in_columns() {
    let bars = [
        bar("Ownership", 1.0, "100 %"),
        bar("Träger", 0.5, "50 %"),
        bar("A", 0.03, "3 %"),
        bar("", f64::NAN, "-"),
        bar("more", 7.0, "!"),
    ];
    let expected = [
        "Ownership  ████████████████████  100 %",
        "Träger     ██████████            50 %",
        "A          ▋                     3 %",
        "                                 -",
        "more       ████████████████████  !",
    ];
    assert_eq!(text(&bars).lines().collect::<Vec<_>>(), expected);
    assert_eq!(text(&[]), "");
    for columns in [16, 20, 30] {
        let drawn = text_within(&bars, columns);
        assert!(drawn.lines().all(|line| line.chars().count() <= columns), "{columns}:\n{drawn}");
    }
}

#[test]
fn bars_of_html_have_widths_and_no_foreign_markup() {
    let rows = [(0.25, Some(60), Some(180)), (0.0, None, Some(240)), (9.0, Some(240), None)];
    for (share, full, rest) in rows {
        let table = html(&[bar("<script>", share, "\"&")]);
        let has = |px: Option<u32>, colour: &str| match px {
            Some(px) => table.contains(&format!("<td width=\"{px}\" bgcolor=\"{colour}\"")),
            None => !table.contains(&format!("bgcolor=\"{colour}\"")),
        };
        assert!(has(full, "#2f7d5d") && has(rest, "#e4e9e6"), "{share}: {table}");
        assert!(table.contains("&lt;script&gt;") && table.contains("&quot;&amp;"), "{table}");
        assert!(!table.contains("<script"), "{table}");
    }
}
