//! Where the threads of a kernel meet: memory that they access atomically or in order, and the
//! values that they look for there.
//!
//! **Problem.** Memory that was never written holds hashes. A compare-and-swap hardly ever finds
//! such a value equal, a lock is never free, a ticket is never served. The code after these does
//! not run.
//!
//! **Method.** A run records the places of its atomic and ordered accesses. For each instruction it
//! records the first two values that it compares with there. Further launches begin with one of
//! these values in such a place, or with zero: that is a free lock, and the next ticket. Both texts
//! must give the same result whatever memory holds before a launch; so any choice is sound.
//!
//! **Complexity.** A look-up for each access, up to a number of places.

use std::collections::BTreeMap;

use crate::ptx::trace::Space;

/// The most places that are recorded.
const PLACES: usize = 64;
/// The most values that are recorded for an instruction at a place.
const NUMBERS: usize = 2;

/// A number that is put into memory before a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The state space that it is in.
    pub space: Space,
    /// The address of its first byte.
    pub address: u64,
    /// Its size in bytes, at most 8.
    pub bytes: usize,
    /// The number, little-endian.
    pub value: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    bytes: usize,
    /// By line, the values that the instruction compares with.
    wanted: BTreeMap<usize, Vec<u64>>,
}

/// The record of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    places: BTreeMap<(Space, u64), Place>,
}

impl Meetings {
    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Records an access, and the value that it compares with.
    pub fn note(&mut self, space: Space, address: u64, bytes: usize, line: usize, wanted: Option<u64>) {
        if !matches!(space, Space::Global | Space::Shared) {
            return;
        }
        if self.places.len() >= PLACES && !self.places.contains_key(&(space, address)) {
            return;
        }
        let place = self.places.entry((space, address)).or_default();
        place.bytes = place.bytes.max(bytes);
        if let Some(wanted) = wanted {
            let numbers = place.wanted.entry(line).or_default();
            if numbers.len() < NUMBERS && !numbers.contains(&wanted) {
                numbers.push(wanted);
            }
        }
    }

    /// Adds what another run has recorded.
    pub fn add(&mut self, other: &Meetings) {
        for (&(space, address), place) in &other.places {
            self.note(space, address, place.bytes, 0, None);
            for (&line, numbers) in &place.wanted {
                numbers.iter().for_each(|&wanted| self.note(space, address, place.bytes, line, Some(wanted)));
            }
        }
    }

    /// The values that are looked for at a place: the first of each instruction, then the second.
    fn numbers(place: &Place) -> Vec<u64> {
        let mut numbers: Vec<u64> = Vec::new();
        for index in 0..NUMBERS {
            for wanted in place.wanted.values().filter_map(|wanted| wanted.get(index)) {
                if !numbers.contains(wanted) {
                    numbers.push(*wanted);
                }
            }
        }
        numbers
    }

    /// The most values that are looked for at any place.
    pub fn rounds(&self) -> usize {
        self.places.values().map(|place| Self::numbers(place).len()).max().unwrap_or(0)
    }

    /// Memory in which each place holds one of the values that are looked for there, or zero.
    pub fn planted(&self, round: usize) -> Vec<Planted> {
        self.with(|place| {
            let numbers = Self::numbers(place);
            numbers.get(round % numbers.len().max(1)).copied().unwrap_or(0)
        })
    }

    /// Memory in which all places hold this value.
    pub fn all(&self, value: u64) -> Vec<Planted> {
        self.with(|_| value)
    }

    fn with(&self, value: impl Fn(&Place) -> u64) -> Vec<Planted> {
        let plant = |(&(space, address), place): (&(Space, u64), &Place)| Planted {
            space,
            address,
            bytes: place.bytes,
            value: value(place),
        };
        self.places.iter().map(plant).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_instructions_have_their_round() {
        let mut met = Meetings::default();
        for wanted in 4..9 {
            met.note(Space::Shared, 16, 4, 1, Some(wanted));
            met.note(Space::Shared, 16, 4, 2, Some(wanted + 4));
        }
        met.note(Space::Global, 8, 8, 3, None);
        met.note(Space::Local, 8, 8, 3, None);
        let values = |round| met.planted(round).iter().map(|planted| planted.value).collect::<Vec<_>>();
        assert_eq!(met.rounds(), 4);
        assert_eq!([values(0), values(1), values(2), values(3)], [[0, 4], [0, 8], [0, 5], [0, 9]]);
        assert_eq!(met.all(7).len(), 2);
    }

    #[test]
    fn places_are_limited() {
        let mut met = Meetings::default();
        (0..1000).for_each(|at| met.note(Space::Global, at, 4, 1, Some(at)));
        assert_eq!(met.all(0).len(), PLACES);
    }
}
