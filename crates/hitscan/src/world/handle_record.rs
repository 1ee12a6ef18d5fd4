//! The handle of an object as it is baked: its number and its order key.

use crate::baked::{Reader, Writer};
use crate::{Error, ObjectId};

/// In the number of an object: its order key follows, which is not 0.
const HAS_ORDER_KEY: u64 = 1 << 63;

/// The largest number of an object: handles keep 63 bits.
const MAX_NUMBER: u64 = 1 << 62;

/// Appends the number and the key of an object to a table.
pub(super) fn bake_id(id: ObjectId, writer: &mut Writer<'_>) {
    match id.order_key() {
        0 => writer.u64(id.number()),
        key => {
            writer.u64(id.number() | HAS_ORDER_KEY);
            writer.u32(key);
        }
    }
}

/// The handle that a record begins with, of the object in this slot.
pub(super) fn read_id(reader: &mut Reader<'_>, slot: u32) -> Result<ObjectId, Error> {
    let number = reader.u64("number of an object")?;
    let key = match number & HAS_ORDER_KEY {
        0 => 0,
        _ => reader.u32("order key of an object")?,
    };
    let number = number & !HAS_ORDER_KEY;
    if number > MAX_NUMBER {
        return Err(reader.refused("number of an object", "at most 2^62"));
    }
    Ok(ObjectId::new(number, slot).with_order_key(key))
}
