//! Unique names by their numbers: some 25 bytes each beside their letters, for a million objects.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use hashbrown::HashTable;
use hitscan::baked::Texts;

/// Names that are numbered in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    texts: Texts,
    /// By their hashes. Of names that were read it is made when the first is looked for.
    numbers: OnceLock<HashTable<u32>>,
    hasher: RandomState,
}

impl From<Texts> for Names {
    /// Unique names: of equal ones the first counts.
    fn from(texts: Texts) -> Self {
        Self {
            texts,
            ..Self::default()
        }
    }
}

impl Names {
    /// No names yet, and a table of their hashes that takes so many.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            numbers: OnceLock::from(HashTable::with_capacity(count)),
            ..Self::default()
        }
    }

    /// Appends a name, or returns the number of the one that is the same.
    pub(super) fn add(&mut self, name: &str) -> Result<(), usize> {
        if let Some(same) = self.find(name) {
            return Err(same);
        }
        let number = number_of(self.texts.len());
        self.texts.push(name);
        let (texts, hasher) = (&self.texts, &self.hasher);
        if let Some(numbers) = self.numbers.get_mut() {
            let rehash = |number: &u32| hasher.hash_one(get(texts, *number));
            numbers.insert_unique(hasher.hash_one(name), number, rehash);
        }
        Ok(())
    }

    /// The name with this number.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.texts.get(number)
    }

    /// The number of a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let hash = self.hasher.hash_one(name);
        let is_same = |number: &u32| get(&self.texts, *number) == name;
        Some(*self.numbers().find(hash, is_same)? as usize)
    }

    fn numbers(&self) -> &HashTable<u32> {
        self.numbers.get_or_init(|| {
            let (texts, hasher) = (&self.texts, &self.hasher);
            let mut numbers = HashTable::with_capacity(self.len());
            for number in (0..self.len()).map(number_of) {
                let name = get(texts, number);
                let entry = numbers.entry(
                    hasher.hash_one(name),
                    |other: &u32| get(texts, *other) == name,
                    |other| hasher.hash_one(get(texts, *other)),
                );
                entry.or_insert(number);
            }
            numbers
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// All of them, as they are baked.
    pub(super) fn texts(&self) -> &Texts {
        &self.texts
    }
}

/// A scene has no more than 2^32 names: the world numbers its objects in as many bits.
fn number_of(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// The name with a number that is in use.
fn get(texts: &Texts, number: u32) -> &str {
    texts.get(number as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_is_added_once() {
        let mut names = Names::default();
        for number in 0..1000 {
            assert_eq!(names.add(&format!("n{number}")), Ok(()));
        }
        assert_eq!(names.add("n7"), Err(7));
        assert_eq!((names.find("n7"), names.find("m7")), (Some(7), None));
        assert_eq!(
            (names.len(), names.get(999), names.get(1000)),
            (1000, Some("n999"), None)
        );
    }

    #[test]
    fn names_that_were_read_are_found_and_added_to() {
        let mut names = Names::default();
        for name in ["moon", "sun", "été"] {
            names.add(name).unwrap();
        }
        let mut read = Names::from(names.texts().clone());
        assert_eq!((read.find("été"), read.find("sea")), (Some(2), None));
        let mut read_again = Names::from(names.texts().clone());
        assert_eq!(read_again.add("sun"), Err(1));
        assert_eq!(read.add("sea"), Ok(()));
        assert_eq!((read.find("sea"), read.get(3)), (Some(3), Some("sea")));
    }
}
