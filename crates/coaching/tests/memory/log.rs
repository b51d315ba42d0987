//! Tests of reading review logs that other programs write.

use coaching::learner::{Calendar, Profile, Quality, ReadLog, read_log};

fn read(source: &str) -> Result<ReadLog, String> {
    read_log(source.as_bytes(), &Calendar::of(&Profile::default()))
}

/// Checks that the source reads as three reviews of one card: good, forgotten two days later, easy a day after
/// that.
fn check(source: &str) {
    let read = read(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let reviews: Vec<_> =
        read.log.cards()[0].iter().map(|r| (r.quality.is_recalled(), r.elapsed_days)).collect();
    assert_eq!(reviews, [(true, 0), (false, 2), (true, 1)], "{source}: {read:?}");
    assert_eq!((read.log.cards().len(), read.bad_rows_count), (1, 0), "{source}: {read:?}");
    assert_eq!(read.log.cards()[0][2].quality, Quality::EASY, "{source}");
}

#[test]
fn usual_headings_are_understood() {
    check(
        "card_id,review_datetime,rating\n1,2024-03-01T10:00:00Z,3\n1,2024-03-03T10:00:00Z,1\n1,2024-03-04T10:00:00Z,4\n",
    );
    check(
        "card_id,review_time,review_rating,review_state,review_duration\n7,1709287200000,3,0,5000\n7,1709460000000,1,2,900\n7,1709546400000,4,3,900\n",
    );
    // Anki's own table: a row's id is its time, and `time` is the duration of the answer.
    check(
        "id,cid,usn,ease,ivl,lastIvl,factor,time,type\n1709287200000,5,-1,3,1,0,2500,4000,0\n1709460000000,5,-1,1,1,1,2300,4000,1\n1709546400000,5,-1,4,1,1,2300,3000,2\n",
    );
    // Tabs, semicolons, words, other cases, a byte order mark, Windows line ends, quotes, and an empty line.
    check(
        "\u{feff}Card\tTimestamp\tRating\r\nhund\t1709287200\tGood\r\nhund\t1709460000\tagain\r\n\r\nhund\t1709546400\tEasy\r\n",
    );
    check(
        "\"Card ID\";\"Review Time\";\"Grade\";\"Note\"\n\"a\";\"2024-03-01 10:00:00\";\"3\";\"x; y\"\n\"a\";\"2024-03-03 10:00:00\";\"1\";\"two\nlines\"\n\"a\";\"2024-03-04 10:00:00\";\"4\";\"\"\n",
    );
    // Rows in any order, one of them twice.
    check("rating,time,card\n4,2024-03-04,x\n3,2024-03-01,x\n1,2024-03-03,x\n3,2024-03-01,x\n");
    // Qualities of SM-2, on both usual scales.
    check("item,date,quality\nx,2024-03-01,4\nx,2024-03-03,2\nx,2024-03-04,5\n");
    check("item,date,score\nx,2024-03-01,3\nx,2024-03-03,0\nx,2024-03-04,5\n");
    // Tables with a column of their own for days.
    check("card_id,day_offset,rating,elapsed_days\nx,0,3,-1\nx,2,1,2\nx,3,4,1\n");
    check("card_id,review_time,rating,delta_t\nx,1709287200,3.0,0\nx,1709287300,1.0,2\nx,1709287400,4.0,1\n");
}

#[test]
fn recall_alone_counts_as_a_rating() {
    let read = read("card,time,result\na,2024-03-01,1\na,2024-03-02,0\nb,2024-03-01,1\n").unwrap();
    let qualities: Vec<_> = read.log.cards()[0].iter().map(|reviewed| reviewed.quality).collect();
    assert_eq!(qualities, [Quality::GOOD, Quality::AGAIN]);
}

#[test]
fn days_follow_the_learners_clock() {
    let at_home = Profile { time_zone: "America/New_York".into(), day_starts_at: 4, ..Profile::default() };
    // Eleven in the evening and two in the morning are the same day; six in the morning is the next.
    let source =
        "card,time,rating\na,2024-03-02T04:00:00Z,3\na,2024-03-02T07:00:00Z,3\na,2024-03-02T11:00:00Z,3\n";
    let read = read_log(source.as_bytes(), &Calendar::of(&at_home)).unwrap();
    let elapsed: Vec<_> = read.log.cards()[0].iter().map(|reviewed| reviewed.elapsed_days).collect();
    assert_eq!(elapsed, [0, 0, 1]);
}

#[test]
fn a_bad_row_is_named_and_the_others_count() {
    let source = "card_id,review_datetime,rating\n\
        a,2024-03-01,3\n\
        a,soon,3\n\
        a,2024-03-02,7\n\
        ,2024-03-02,3\n\
        a,2024-03-02\n\
        a,2024-03-03,great\n\
        \"a\"x,2024-03-03,3\n\
        a,2024-03-04,2.5\n\
        a,2024-03-05,4\n\
        \"never closed,2024-03-06,4\n\
        b,2024-03-07,4\n";
    let read = read(source).unwrap();
    let lines: Vec<usize> = read.bad_rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7, 8, 9, 11], "{:?}", read.bad_rows);
    assert_eq!((read.bad_rows_count, read.log.len()), (8, 3));
    assert!(read.bad_rows[0].why.contains("“soon” is not a date"), "{:?}", read.bad_rows[0]);
    assert!(read.bad_rows[1].why.contains('7'), "{:?}", read.bad_rows[1]);
}

#[test]
fn manual_changes_are_no_answers() {
    let read =
        read("id,cid,ease,time\n1709287200000,5,3,1\n1709287300000,5,0,0\n1709460000000,5,1,1\n").unwrap();
    assert_eq!((read.log.len(), read.not_answers, read.bad_rows_count), (2, 1, 0));
}

#[test]
fn a_file_without_a_review_says_what_it_needs() {
    for (source, part) in [
        ("", "no rows"),
        ("card_id,review_time,rating\n", "no reviews"),
        ("card_id,review_time,rating\na,b,c\n", "line 2: “b” is not a date"),
        ("front,back\nHund,dog\n", "no column for card, time, rating"),
        ("card_id,rating\n1,3\n", "no column for time"),
        ("\u{0}\u{1}\u{2}", "no column for card, time, rating"),
    ] {
        let error = read(source).expect_err(source);
        assert!(error.contains(part), "{source:?}: {error}");
    }
}
