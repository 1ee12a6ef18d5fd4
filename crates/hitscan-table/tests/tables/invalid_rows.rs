//! Rows that cannot be used are kept, counted and named; a caller may refuse them.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use hitscan_table::{BadRows, Error, InvalidRow, InvalidRows, Location, RunOptions, run};

use crate::{Page, Sum, answer_text, small_batches, text_input};

fn statuses(text: &str) -> Vec<String> {
    let (answers, _) = answer_text(text, &Sum).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    let header = answers.lines().next().unwrap().split(',');
    let column = header.clone().position(|name| name == "status").unwrap();
    let status = |line: &str| line.split(',').nth(column).unwrap().to_owned();
    answers.lines().skip(1).map(status).collect()
}

#[test]
fn every_unusable_number_is_found_in_its_row() {
    for field in [
        "", " ", "x", "nan", "NaN", "inf", "-inf", "1e39", "0x1", "1 2", "1;2", "\"\"",
    ] {
        let text = format!("x,z\n1,1\n{field},1\n1,{field}\n1,1\n");
        assert_eq!(
            statuses(&text),
            ["hit", "invalid", "invalid", "hit"],
            "{field:?}"
        );
    }
    for (t_max, status) in [
        ("", "hit"),
        ("inf", "hit"),
        ("Infinity", "hit"),
        ("nan", "invalid"),
        ("1e39", "invalid"),
        ("?", "invalid"),
    ] {
        assert_eq!(
            statuses(&format!("x,z,t_max\n1,1,{t_max}\n")),
            [status],
            "{t_max:?}"
        );
    }
}

#[test]
fn the_first_is_named_with_its_place_and_reason() {
    let rows = |bad: &str| format!("x,z\n{}{bad}\n1,1\nno,1\n", "1,1\n".repeat(7));
    for (bad, reason) in [
        (",1", "text, line 9 (row 7): the column `x` is empty"),
        (
            "1,\"a\"\"b\"",
            "the column `z` holds no number but `\"a\"\"b\"`",
        ),
        ("1e39,1", "`1e39` in the column `x` is too large for f32"),
        ("1,inf", "the column `z` is infinite"),
        ("0,0", "text, line 9 (row 7): the direction is zero"),
    ] {
        let (_, summary) = answer_text(rows(bad), &Sum).unwrap();
        assert_eq!((summary.rows, summary.invalid), (10, 2), "{bad}");
        let message = summary.first_invalid.unwrap().to_string();
        assert!(message.contains(reason), "{bad}: {message}");
    }
}

#[test]
fn they_can_be_refused() {
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        invalid_rows: InvalidRows::Refuse,
        ..small_batches(&cancel)
    };
    let text = format!("x,z\n{}1,?\n0,0\n", "1,1\n".repeat(100));
    let error = run(text_input(text), Page::default().output(), &Sum, &options).unwrap_err();
    assert!(matches!(error, Error::InvalidRows { count: 2, .. }));
    assert_eq!(
        error.to_string(),
        "text, line 102 (row 100): the column `z` holds no number but `?`; 2 of the 102 rows that \
         were read are invalid (1: the column `z` holds no number; 1: the direction is zero)"
    );
    let text = format!("x,z\n{}1,?\n", "1,1\n".repeat(100));
    let error = run(text_input(text), Page::default().output(), &Sum, &options).unwrap_err();
    assert!(matches!(error, Error::InvalidRow(_)));
}

#[test]
fn all_can_be_seen_before_they_are_refused() {
    let (cancel, seen) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let see = |row: &InvalidRow| {
        let column = row.column.as_deref().unwrap_or("-");
        seen.borrow_mut()
            .push(format!("{} {column}", row.location.row));
    };
    let options = RunOptions {
        invalid_rows: InvalidRows::RefuseAtEnd,
        bad_rows: BadRows::Skip,
        bad_row: Some(&see),
        ..small_batches(&cancel)
    };
    let text = format!("x,z\n1\n{}1,?\n{0}0,0\n", "1,1\n".repeat(100));
    let error = run(text_input(text), Page::default().output(), &Sum, &options).unwrap_err();
    assert!(matches!(
        error,
        Error::InvalidRows {
            count: 2,
            rows: 203,
            ..
        }
    ));
    assert_eq!(seen.into_inner(), ["0 -", "101 z", "202 -"]);
}

#[test]
fn remarks_are_made_between_them_in_order() {
    let (cancel, seen) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let see = |row: &InvalidRow| {
        seen.borrow_mut()
            .push(format!("{}: {}", row.location, row.reason))
    };
    let remark = |place: &Location, text: &str| seen.borrow_mut().push(format!("{place}: {text}"));
    let options = RunOptions {
        bad_row: Some(&see),
        remark: Some(&remark),
        ..small_batches(&cancel)
    };
    let text = format!(
        "x,z\n-1,1\n0,0\n1,1\n-2,5\n{}0,0\n-1,1\n",
        "1,1\n".repeat(100)
    );
    run(text_input(text), Page::default().output(), &Sum, &options).unwrap();
    let expected = [
        "text, line 2 (row 0): x is negative",
        "text, line 3 (row 1): the direction is zero",
        "text, line 5 (row 3): x is negative",
        "text, line 106 (row 104): the direction is zero",
        "text, line 107 (row 105): x is negative",
    ];
    assert_eq!(seen.into_inner(), expected);
}
