//! Dates, times of day, moments and durations, as ISO 8601 has them.
//!
//! A moment with a time zone has the zone's offset. Zones are offsets such as `+02:00`: the names of
//! places would need a table of their history.

use std::fmt::{self, Debug, Write as _};

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{
    as_datetime, as_datetime_with_timezone, date32_to_datetime, date64_to_datetime,
    duration_ns_to_duration, duration_us_to_duration, time32ms_to_time, time32s_to_time,
    time64ns_to_time, time64us_to_time, try_duration_ms_to_duration, try_duration_s_to_duration,
};
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowTimestampType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use chrono::{SecondsFormat, TimeDelta};

use super::{WriteRow, display, no_such_type};

pub(super) fn writer<'a>(array: &'a dyn Array) -> Result<WriteRow<'a>, ArrowError> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    Ok(match array.data_type() {
        DataType::Date32 => calendar::<Date32Type, _>(array, |days| {
            date32_to_datetime(days).map(|midnight| midnight.date())
        }),
        DataType::Date64 => calendar::<Date64Type, _>(array, date64_to_datetime),
        DataType::Time32(Second) => calendar::<Time32SecondType, _>(array, time32s_to_time),
        DataType::Time32(Millisecond) => {
            calendar::<Time32MillisecondType, _>(array, time32ms_to_time)
        }
        DataType::Time64(Microsecond) => {
            calendar::<Time64MicrosecondType, _>(array, time64us_to_time)
        }
        DataType::Time64(Nanosecond) => {
            calendar::<Time64NanosecondType, _>(array, time64ns_to_time)
        }
        DataType::Timestamp(unit, zone) => {
            let zone = zone.as_deref().map(str::parse).transpose()?;
            match unit {
                Second => moment::<TimestampSecondType>(array, zone),
                Millisecond => moment::<TimestampMillisecondType>(array, zone),
                Microsecond => moment::<TimestampMicrosecondType>(array, zone),
                Nanosecond => moment::<TimestampNanosecondType>(array, zone),
            }
        }
        DataType::Duration(Second) => {
            duration::<DurationSecondType>(array, try_duration_s_to_duration)
        }
        DataType::Duration(Millisecond) => {
            duration::<DurationMillisecondType>(array, try_duration_ms_to_duration)
        }
        DataType::Duration(Microsecond) => {
            duration::<DurationMicrosecondType>(array, |value| Some(duration_us_to_duration(value)))
        }
        DataType::Duration(Nanosecond) => {
            duration::<DurationNanosecondType>(array, |value| Some(duration_ns_to_duration(value)))
        }
        other => return Err(no_such_type(other)),
    })
}

/// What `convert` makes of a value has its ISO 8601 text for `Debug`, with a `T` before the time.
fn calendar<'a, T: ArrowPrimitiveType, C: Debug + 'a>(
    array: &'a dyn Array,
    convert: fn(T::Native) -> Option<C>,
) -> WriteRow<'a> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| {
        let converted = convert(array.value(row)).ok_or(fmt::Error)?;
        write!(text, "{converted:?}")
    })
}

fn moment<T: ArrowTimestampType>(array: &dyn Array, zone: Option<Tz>) -> WriteRow<'_> {
    let Some(zone) = zone else {
        return calendar::<T, _>(array, as_datetime::<T>);
    };
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| {
        let moment = as_datetime_with_timezone::<T>(array.value(row), zone).ok_or(fmt::Error)?;
        text.write_str(&moment.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    })
}

fn duration<'a, T: ArrowPrimitiveType>(
    array: &'a dyn Array,
    convert: fn(T::Native) -> Option<TimeDelta>,
) -> WriteRow<'a> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| match convert(array.value(row)) {
        Some(duration) => display(duration, text),
        None => text.write_str("<invalid>"),
    })
}
