//! Chooses the emoji that a bot may react with.

/// The emoji on the list of the Bot API, without variation selectors.
const PERMITTED: &str = "\
    ❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 \
    🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 \
    😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 \
    🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡";

/// Emoji that bots may not use, and a permitted one that means the same.
const STAND_INS: &[(&str, &str)] = &[("✅ ✔ ☑", "👍"), ("🥳 🎊", "🎉"), ("⭐ 🌟", "🤩"), ("💪", "👏")];

/// Returns the emoji to react with. `None` if no permitted one means the same: a wrong answer must not be liked.
pub(super) fn permitted(emoji: &str) -> Option<&'static str> {
    let bare: String = emoji.trim().chars().filter(|char| *char != '\u{fe0f}').collect();
    let has = |list: &str| list.split(' ').any(|one| one == bare);
    let stand_in = STAND_INS.iter().find(|(from, _)| has(from)).map(|(_, to)| *to);
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
