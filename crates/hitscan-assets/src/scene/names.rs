//! Unique names by their numbers: some 25 bytes each beside their letters, for a million objects.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Names that are numbered in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// One after the other.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Names {
    /// No names yet, and memory for so many, which are then added without moving those before.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            ends: Vec::with_capacity(count),
            numbers: HashTable::with_capacity(count),
            ..Self::default()
        }
    }

    /// Appends a name, or returns the number of the one that is the same.
    pub(super) fn add(&mut self, name: &str) -> Result<(), usize> {
        let hash = self.hasher.hash_one(name);
        let (text, ends) = (&self.text, &self.ends);
        let is_same = |number: &u32| get(text, ends, *number as usize) == Some(name);
        if let Some(&number) = self.numbers.find(hash, is_same) {
            return Err(number as usize);
        }
        // A scene file of at most 4 GiB cannot name more.
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let rehash =
            |number: &u32| hasher.hash_one(get(text, ends, *number as usize).unwrap_or(""));
        self.numbers.insert_unique(hash, number, rehash);
        Ok(())
    }

    /// The name with this number.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        get(&self.text, &self.ends, number)
    }

    /// The number of a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let hash = self.hasher.hash_one(name);
        let is_same = |number: &u32| self.get(*number as usize) == Some(name);
        Some(*self.numbers.find(hash, is_same)? as usize)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

fn get<'a>(text: &'a str, ends: &[usize], number: usize) -> Option<&'a str> {
    let end = *ends.get(number)?;
    let before = number.checked_sub(1).and_then(|before| ends.get(before));
    text.get(before.copied().unwrap_or(0)..end)
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
}
