//! Which emoji a bot may react with.

/// The list of the Bot API, without variation selectors.
const PERMITTED: &str = "\
    ❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 \
    🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 \
    😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 \
    🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡";

/// What stands for an emoji that bots may not use and that means the same.
const STAND_INS: &[(&str, &str)] = &[
    ("✅", "👍"),
    ("✔", "👍"),
    ("☑", "👍"),
    ("🥳", "🎉"),
    ("🎊", "🎉"),
    ("⭐", "🤩"),
    ("🌟", "🤩"),
    ("💪", "👏"),
];

/// The emoji to react with. None where nothing permitted means the same: a wrong answer must not be liked.
pub(super) fn permitted(emoji: &str) -> Option<&'static str> {
    let bare: String = emoji.trim().chars().filter(|char| *char != '\u{fe0f}').collect();
    let stand_in = STAND_INS.iter().find(|(from, _)| *from == bare).map(|(_, to)| *to);
    stand_in.or_else(|| PERMITTED.split(' ').find(|one| *one == bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_means_the_same_stands_in() {
        let rows = [
            ("✅", Some("👍")),
            ("✔\u{fe0f}", Some("👍")),
            ("❤\u{fe0f}", Some("❤")),
            ("❤\u{fe0f}\u{200d}🔥", Some("❤\u{200d}🔥")),
            (" 👍 ", Some("👍")),
            ("❌", None),
            ("ok", None),
            ("", None),
        ];
        for (emoji, expected) in rows {
            assert_eq!(permitted(emoji), expected, "{emoji:?}");
        }
        assert!(STAND_INS.iter().all(|(_, to)| PERMITTED.split(' ').any(|one| one == *to)));
    }
}
