//! Lists the sentences beside the coach's own: in chats, in mails, and to people without a linked chat.

use coaching::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

coaching::words! {
    /// The prompt after a lesson in a chat, where there is no key to press.
    ready() = "tell-ready";
    /// A message that a learner sends to themselves, to see whether it arrives.
    test() = "tell-test";
    /// The warning that a course was left long ago.
    stale_subject() = "tell-stale-subject";
    stale(title, days, how) = "tell-stale";
    stale_answer() = "tell-stale-answer";
    stale_command(command) = "tell-stale-command";
    chat_help(flows) = "chat-help";
    /// A command that opens a flow.
    chat_opens(command, about) = "chat-opens";
    /// Two texts, one below the other.
    chat_lines(above, below) = "chat-lines";
    chat_nothing_waits() = "chat-nothing-waits";
    chat_asked_nothing() = "chat-asked-nothing";
    chat_text_only() = "chat-text-only";
    chat_no_map() = "chat-no-map";
    /// The reply if no open flow offers the verb of a command.
    chat_not_offered(command) = "chat-not-offered";
    chat_over() = "chat-over";
    chat_over_now(question) = "chat-over-now";
    chat_over_ready() = "chat-over-ready";
    chat_no_course() = "chat-no-course";
    chat_say_what() = "chat-say-what";
    chat_put_aside() = "chat-put-aside";
    chat_course(title, status, mastered) = "chat-course";
    chat_nothing_marked() = "chat-nothing-marked";
    chat_last_mark(quality, feedback) = "chat-last-mark";
    chat_ended() = "chat-ended";
    chat_not_now() = "chat-not-now";
    chat_gone() = "chat-gone";
    chat_trouble() = "chat-trouble";
    chat_welcome() = "chat-welcome";
    chat_bad_code() = "chat-bad-code";
    chat_linked() = "chat-linked";
    chat_not_linked() = "chat-not-linked";
    mail_exit(command) = "mail-exit";
    mail_recall_subject(title) = "mail-recall-subject";
    mail_recall(title, count, command) = "mail-recall";
    mail_reviews_subject(title) = "mail-reviews-subject";
    mail_reviews(command) = "mail-reviews";
    mail_aside_subject(title) = "mail-aside-subject";
    mail_aside(command) = "mail-aside";
    mail_goes_on_subject(title) = "mail-goes-on-subject";
    mail_goes_on(command) = "mail-goes-on";
    mail_your_course() = "mail-your-course";
    digest_subject() = "digest-subject";
    digest_due(title, count, command) = "digest-due";
    digest_nothing_due() = "digest-nothing-due";
    digest_exit(command) = "digest-exit";
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_language_says_everything() {
        assert_eq!(coaching::words::problems(super::FILES, super::KEYS), Vec::<String>::new());
    }
}
