//! The text of every type, against the crate that says what it must be.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::{
    Buffer, IntervalDayTime, IntervalMonthDayNano, NullBuffer, OffsetBuffer, ScalarBuffer, i256,
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Field, Fields, UnionFields};
use hitscan_testkit::Rng;

use super::*;

/// Compares the text of every value, alone and within all that can hold values.
fn check(values: ArrayRef) {
    assert!(values.len() > 1);
    let length = i32::try_from(values.len()).unwrap();
    let data_type = values.data_type().clone();
    let item = Arc::new(Field::new("item", data_type.clone(), true));
    let all = || OffsetBuffer::new(vec![0, 0, 1, length].into());
    let nulls = NullBuffer::from(vec![true, true, false]);
    let list = ListArray::new(item.clone(), all(), values.clone(), Some(nulls.clone()));
    let map_fields = Fields::from(vec![
        Field::new("keys", DataType::Int32, false),
        Field::new("values", data_type.clone(), true),
    ]);
    let keys: ArrayRef = Arc::new(Int32Array::from_iter_values(0..length));
    let entries = StructArray::new(map_fields.clone(), vec![keys.clone(), values.clone()], None);
    let entries_field = Field::new("entries", DataType::Struct(map_fields.clone()), false);
    let rows: Vec<Option<i64>> = (0..i64::from(length)).map(Some).chain([None]).collect();
    let dictionary = DictionaryArray::<Int64Type>::try_new(rows.into(), values.clone());
    let ends = Int32Array::from_iter_values((1..=length).map(|run| 2 * run));
    let runs = RunArray::<Int32Type>::try_new(&ends, &values).unwrap();
    let ids = vec![7_i8; values.len()];
    let members = || UnionFields::try_new([7], [item.clone()]).unwrap();
    let sparse = UnionArray::try_new(members(), ids.into(), None, vec![values.clone()]);
    let reversed: Vec<i32> = (0..length).rev().collect();
    let ids = vec![7_i8; values.len()];
    let dense = UnionArray::try_new(
        members(),
        ids.into(),
        Some(reversed.into()),
        vec![values.clone()],
    );
    compare(&values);
    compare(&values.slice(1, values.len() - 1));
    compare(&list);
    compare(&list.slice(1, 2));
    compare(&LargeListArray::new(
        item.clone(),
        OffsetBuffer::new(vec![0, i64::from(length)].into()),
        values.clone(),
        None,
    ));
    let starts = || ScalarBuffer::from(vec![1, 0, 0]);
    let sizes = || ScalarBuffer::from(vec![length - 1, 2, 1]);
    let views = Some(nulls);
    compare(&ListViewArray::new(
        item.clone(),
        starts(),
        sizes(),
        values.clone(),
        views,
    ));
    compare(&LargeListViewArray::new(
        item.clone(),
        vec![0].into(),
        vec![1].into(),
        values.clone(),
        None,
    ));
    let pairs = values.slice(0, values.len() / 2 * 2);
    compare(&FixedSizeListArray::new(item.clone(), 2, pairs, None).slice(0, 1));
    compare(&entries.slice(1, values.len() - 1));
    compare(&MapArray::new(
        Arc::new(entries_field),
        all(),
        entries,
        None,
        false,
    ));
    compare(&dictionary.unwrap());
    compare(&runs.slice(1, values.len()));
    compare(&sparse.unwrap());
    compare(&dense.unwrap());
}

/// Compares the text of each value; without any where there is none.
fn compare(array: &dyn Array) {
    const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(false);
    let (ours, expected) = (
        ValueText::new(array),
        ArrayFormatter::try_new(array, &OPTIONS),
    );
    let (ours, expected) = match (ours, expected) {
        (Ok(ours), Ok(expected)) => (ours, expected),
        (Err(ours), Err(expected)) => {
            assert_eq!(ours.to_string(), expected.to_string());
            return;
        }
        (ours, expected) => panic!(
            "{}: {} {}",
            array.data_type(),
            ours.is_ok(),
            expected.is_ok()
        ),
    };
    for row in 0..array.len() {
        let (mut text, mut expected_text) = (String::new(), String::new());
        let result = ours.write(row, &mut text);
        let expected_result = write!(expected_text, "{}", expected.value(row));
        assert_eq!(
            result,
            expected_result,
            "{} {row}: {text}",
            array.data_type()
        );
        if result.is_ok() {
            assert_eq!(text, expected_text, "{} {row}", array.data_type());
        }
    }
}

fn numbers<T: ArrowPrimitiveType>(
    values: impl IntoIterator<Item = T::Native>,
) -> PrimitiveArray<T> {
    values.into_iter().map(Some).chain([None]).collect()
}

fn check_numbers<T: ArrowPrimitiveType>(values: impl IntoIterator<Item = T::Native>) {
    check(Arc::new(numbers::<T>(values)));
}

/// Numbers at the ends of ranges, and of every magnitude.
fn nasty_i64() -> impl Iterator<Item = i64> {
    let mut rng = Rng::new(11);
    let ends = [
        0,
        1,
        -1,
        999,
        -999,
        1_000,
        59_999,
        60_000,
        86_399,
        86_400,
        i64::MIN,
        i64::MAX,
    ];
    let whole = (0..12).flat_map(|power| [10_i64.pow(power), -(86_400 * 10_i64.pow(power))]);
    let random = move |_| {
        let bits = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        bits.cast_signed() >> (rng.next_u32() % 64)
    };
    ends.into_iter().chain(whole).chain((0..2_000).map(random))
}

#[expect(clippy::cast_possible_truncation, reason = "any bits will do")]
fn nasty_i32() -> impl Iterator<Item = i32> {
    [i32::MIN, i32::MAX]
        .into_iter()
        .chain(nasty_i64().map(|value| value as i32))
}

#[test]
fn integers() {
    check_numbers::<Int8Type>(i8::MIN..=i8::MAX);
    check_numbers::<UInt8Type>(0..=u8::MAX);
    check_numbers::<Int16Type>([i16::MIN, -1, 0, i16::MAX]);
    check_numbers::<UInt16Type>([0, u16::MAX]);
    check_numbers::<Int32Type>(nasty_i32());
    check_numbers::<UInt32Type>(nasty_i32().map(i32::cast_unsigned));
    check_numbers::<Int64Type>(nasty_i64());
    check_numbers::<UInt64Type>(nasty_i64().map(i64::cast_unsigned));
}

#[test]
fn floats() {
    let mut rng = Rng::new(12);
    let powers = (-45..=38).map(|power| format!("1e{power}").parse::<f32>().unwrap());
    let special = [
        0.0,
        -0.0,
        0.1,
        -1.5,
        16_777_216.0,
        f32::NAN,
        f32::INFINITY,
        f32::MIN,
    ];
    let random: Vec<f32> = (0..5_000).map(|_| f32::from_bits(rng.next_u32())).collect();
    let singles: Vec<f32> = powers.chain(special).chain(random).collect();
    check_numbers::<Float64Type>(singles.iter().map(|&single| single.into()));
    check_numbers::<Float32Type>(singles);
    let powers = (-324..=308).map(|power| format!("-1.25e{power}").parse::<f64>().unwrap());
    let random = nasty_i64().map(|bits| f64::from_bits(bits.cast_unsigned()));
    check_numbers::<Float64Type>(powers.chain(random).chain([5e-324, f64::NEG_INFINITY]));
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    let halves = ScalarBuffer::new(Buffer::from_vec(bits), 0, 1 << 16);
    check(Arc::new(Float16Array::new(halves, None)));
}

#[test]
fn decimals() {
    for scale in [-5, -1, 0, 1, 3, 9] {
        let values = numbers::<Decimal32Type>(nasty_i32());
        check(Arc::new(values.with_precision_and_scale(9, scale).unwrap()));
        let values = numbers::<Decimal64Type>(nasty_i64());
        check(Arc::new(
            values.with_precision_and_scale(18, scale).unwrap(),
        ));
        let wide = nasty_i64().map(|value| i128::from(value) * 1_000_000_007 * 1_000_000_009);
        let values = numbers::<Decimal128Type>(wide.chain([i128::MIN, i128::MAX]));
        check(Arc::new(
            values.with_precision_and_scale(38, 4 * scale).unwrap(),
        ));
        let wide = nasty_i64().map(|value| i256::from_parts(u128::MAX / 3, value.into()));
        let values = numbers::<Decimal256Type>(wide.chain([i256::MIN, i256::MAX, i256::ZERO]));
        check(Arc::new(
            values.with_precision_and_scale(76, 8 * scale).unwrap(),
        ));
    }
}

#[test]
fn truths_text_and_bytes() {
    check(Arc::new(BooleanArray::from(vec![
        Some(true),
        None,
        Some(false),
    ])));
    check(Arc::new(NullArray::new(3)));
    let texts = vec![
        Some(""),
        Some(" a,\"b\"\n"),
        None,
        Some("é, and more than is in line"),
    ];
    check(Arc::new(StringArray::from(texts.clone())));
    check(Arc::new(LargeStringArray::from(texts.clone())));
    check(Arc::new(StringViewArray::from(texts.clone())));
    let bytes = |text: &Option<&'static str>| text.map(str::as_bytes);
    let bytes: Vec<Option<&[u8]>> = texts
        .iter()
        .map(bytes)
        .chain([Some(&b"\0\xff"[..])])
        .collect();
    check(Arc::new(BinaryArray::from(bytes.clone())));
    check(Arc::new(LargeBinaryArray::from(bytes.clone())));
    check(Arc::new(BinaryViewArray::from(bytes)));
    let bytes = [Some([0_u8, 255]), None, Some([16, 1])].into_iter();
    check(Arc::new(
        FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, 2).unwrap(),
    ));
}

#[test]
fn dates_and_times_of_day() {
    check_numbers::<Date32Type>(nasty_i32());
    check_numbers::<Date64Type>(nasty_i64());
    check_numbers::<Time32SecondType>(nasty_i32());
    check_numbers::<Time32MillisecondType>(nasty_i32());
    check_numbers::<Time64MicrosecondType>(nasty_i64());
    check_numbers::<Time64NanosecondType>(nasty_i64());
}

#[test]
fn moments_and_durations() {
    fn check_moments<T: ArrowTimestampType>() {
        check_numbers::<T>(nasty_i64());
        for zone in [
            "+00:00",
            "+02:00",
            "-0930",
            "+14",
            "UTC",
            "Europe/Berlin",
            "+99:99",
            "",
        ] {
            check(Arc::new(numbers::<T>(nasty_i64()).with_timezone(zone)));
        }
    }
    check_moments::<TimestampSecondType>();
    check_moments::<TimestampMillisecondType>();
    check_moments::<TimestampMicrosecondType>();
    check_moments::<TimestampNanosecondType>();
    check_numbers::<DurationSecondType>(nasty_i64());
    check_numbers::<DurationMillisecondType>(nasty_i64());
    check_numbers::<DurationMicrosecondType>(nasty_i64());
    check_numbers::<DurationNanosecondType>(nasty_i64());
}

#[test]
fn intervals() {
    check_numbers::<IntervalYearMonthType>(nasty_i32());
    let times = || nasty_i64().zip(nasty_i32().chain([0, 0, 1, -1].into_iter().cycle()));
    let days = nasty_i32()
        .zip(nasty_i32().skip(5))
        .chain(nasty_i32().map(|time| (0, time)));
    check_numbers::<IntervalDayTimeType>(days.map(|(days, time)| IntervalDayTime::new(days, time)));
    for months in [0, 1, -1, i32::MIN] {
        check_numbers::<IntervalMonthDayNanoType>(
            times().map(|(time, days)| IntervalMonthDayNano::new(months, days, time)),
        );
        check_numbers::<IntervalMonthDayNanoType>(
            nasty_i64().map(|time| IntervalMonthDayNano::new(months, 0, time)),
        );
    }
}

#[test]
fn values_that_hold_values_that_hold_values() {
    let numbers = [
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
        Some(vec![Some(i16::MIN)]),
    ];
    let lists = ListArray::from_iter_primitive::<Int16Type, _, _>(numbers);
    check(Arc::new(lists.clone()));
    let kinds: DictionaryArray<UInt8Type> = [Some("a"), None, Some("b, c"), Some("a")]
        .into_iter()
        .collect();
    let kinds: ArrayRef = Arc::new(kinds);
    let fields = vec![
        Field::new("list", lists.data_type().clone(), true),
        Field::new("a kind", kinds.data_type().clone(), true),
    ];
    let nulls = NullBuffer::from(vec![true, true, true, false]);
    let columns: Vec<ArrayRef> = vec![Arc::new(lists), kinds];
    let records = StructArray::new(fields.into(), columns, Some(nulls));
    check(Arc::new(records));
    check(Arc::new(StructArray::new_empty_fields(2, None)));
}
