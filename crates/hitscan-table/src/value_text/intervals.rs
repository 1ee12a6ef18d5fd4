//! Calendar intervals: months, days and a part of a day, none a multiple of another.

use std::fmt::{self, Write as _};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType};
use arrow_schema::IntervalUnit;

use super::WriteRow;

pub(super) fn writer(array: &dyn Array, unit: IntervalUnit) -> WriteRow<'_> {
    match unit {
        IntervalUnit::YearMonth => {
            let array = array.as_primitive::<IntervalYearMonthType>();
            Box::new(move |row, text| {
                let months = array.value(row);
                let (years, months) = (months.div_euclid(12), months.rem_euclid(12));
                write!(text, "{years} years {months} mons")
            })
        }
        IntervalUnit::DayTime => {
            let array = array.as_primitive::<IntervalDayTimeType>();
            Box::new(move |row, text| {
                let value = array.value(row);
                let parts = [(value.days.into(), "days")];
                write_parts(text, &parts, value.milliseconds.into(), 3)
            })
        }
        IntervalUnit::MonthDayNano => {
            let array = array.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(move |row, text| {
                let value = array.value(row);
                let parts = [(value.months.into(), "mons"), (value.days.into(), "days")];
                write_parts(text, &parts, value.nanoseconds, 9)
            })
        }
    }
}

/// Appends the parts that are not zero, each with its own sign, as in `1 mons -2 hours -0.500 secs`.
/// `time` counts units, ten to the power of `digits` a second.
fn write_parts(text: &mut String, parts: &[(i64, &str)], time: i64, digits: usize) -> fmt::Result {
    let start = text.len();
    let second = if digits == 3 { 1_000 } else { 1_000_000_000 };
    let (seconds, fraction) = (time / second, time % second);
    let clock = [(seconds / 3600, "hours"), (seconds / 60 % 60, "mins")];
    let separator = |text: &String| if text.len() > start { " " } else { "" };
    for &(count, unit) in parts.iter().chain(&clock) {
        if count != 0 {
            write!(text, "{}{count} {unit}", separator(text))?;
        }
    }
    let seconds = seconds % 60;
    if seconds != 0 || fraction != 0 {
        let sign = if time < 0 { "-" } else { "" };
        let (seconds, fraction) = (seconds.abs(), fraction.abs());
        let separator = separator(text);
        write!(text, "{separator}{sign}{seconds}.{fraction:0digits$} secs")?;
    }
    if text.len() == start {
        text.write_str("0 secs")?;
    }
    Ok(())
}
