//! Names the sentences of a grade. Their texts are in `words/`.

use crate::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

crate::words! {
    misspelt() = "grade-misspelt";
    wrong() = "grade-wrong";
    wrong_because(says) = "grade-wrong-because";
    no_answer() = "grade-no-answer";
    order_wrong() = "grade-order-wrong";
    order_nearly() = "grade-order-nearly";
    only_words() = "grade-only-words";
    missing(ideas) = "grade-missing";
    partly(ideas) = "grade-partly";
    loose() = "grade-loose";
    doubt() = "grade-doubt";
    compare(own, good) = "grade-compare";
    with_entries(ask, entries) = "grade-with-entries";
    had_all() = "grade-had-all";
    had_some() = "grade-had-some";
    had_none() = "grade-had-none";
    name_had(labels) = "grade-name-had";
    number_rounded(answer) = "grade-number-rounded";
    give_number() = "grade-give-number";
    give_one_number() = "grade-give-one-number";
    query_failed(says) = "grade-query-failed";
    query_differs(says) = "grade-query-differs";
    query_columns(given, wanted) = "grade-query-columns";
    query_rows(given, wanted) = "grade-query-rows";
    query_order() = "grade-query-order";
    query_row(row) = "grade-query-row";
    query_no_rows() = "grade-query-no-rows";
    query_more_rows(most) = "grade-query-more-rows";
    query_more_statements(most) = "grade-query-more-statements";
    query_takes_too_long() = "grade-query-takes-too-long";
    query_forbidden() = "grade-query-forbidden";
    query_hidden() = "grade-query-hidden";
    unchecked() = "grade-unchecked";
    program_failed(passed, all, first) = "grade-program-failed";
    program_difference(input, actual, expected) = "grade-program-difference";
    program_said(verdict, says) = "grade-program-said";
    contradicts(says) = "grade-contradicts";
    gaps(right, all) = "grade-gaps";
    cut(chars) = "grade-cut";
    and_cut(feedback, chars) = "grade-and-cut";
    asked() = "grade-asked";
    name_one(labels) = "grade-name-one";
    name_all(labels) = "grade-name-all";
}
