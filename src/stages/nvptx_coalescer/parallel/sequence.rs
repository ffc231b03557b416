//! Puts a parallel copy in sequence.
//!
//! **Algorithm.** A register that no remaining move reads may be written. Its new value is copied
//! from the place where that value is now. The other readers then use the new place, so the old
//! place becomes free in turn. When no register is free, only cycles are left: saving one member
//! in a temporary frees it.
//!
//! **Source.** Boissinot et al. 2009, algorithm 1. **Complexity.** Linear.

use crate::mir::VRegId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A move of the parallel copy: `dst` gets the value that `src` had before all moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub dst: VRegId,
    pub src: VRegId,
}

/// The place of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    Reg(VRegId),
    /// The temporary of a cycle, by cycle number.
    Temporary(usize),
}

/// One copy of the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub dst: Location,
    pub src: Location,
}

/// Puts a parallel copy in sequence. No two moves have the same destination, and no move has its
/// source as its destination.
pub fn sequence(moves: &[Move], steps: &mut Vec<Step>) {
    steps.clear();
    // By register: the present place of its original value.
    let mut place: FxHashMap<VRegId, Location> = FxHashMap::default();
    let mut sources: FxHashMap<VRegId, VRegId> = FxHashMap::default();
    for m in moves {
        place.insert(m.src, Location::Reg(m.src));
        sources.insert(m.dst, m.src);
    }
    // Registers that no move reads may be written.
    let mut ready: Vec<VRegId> = moves.iter().map(|m| m.dst).filter(|dst| !place.contains_key(dst)).collect();
    let mut is_left: FxHashSet<VRegId> = moves.iter().map(|m| m.dst).collect();
    let mut num_temporaries = 0;
    for m in moves.iter().rev() {
        loop {
            while let Some(dst) = ready.pop() {
                let src = sources[&dst];
                let at = place[&src];
                steps.push(Step { dst: Location::Reg(dst), src: at });
                is_left.remove(&dst);
                place.insert(src, Location::Reg(dst));
                // Other readers use the new place from now on, so the old one is free.
                if at == Location::Reg(src) && sources.contains_key(&src) {
                    ready.push(src);
                }
            }
            if !is_left.contains(&m.dst) {
                break;
            }
            // A cycle.
            let temporary = Location::Temporary(num_temporaries);
            num_temporaries += 1;
            steps.push(Step { dst: temporary, src: Location::Reg(m.dst) });
            place.insert(m.dst, temporary);
            ready.push(m.dst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};

    fn moves(of: &[(u32, u32)]) -> Vec<Move> {
        let reg = VRegId::from_raw;
        of.iter().map(|&(dst, src)| Move { dst: reg(dst), src: reg(src) }).collect()
    }

    #[test]
    fn c5_a_rotation_of_four_is_five_copies_and_a_swap_three() {
        let mut steps = Vec::new();
        sequence(&moves(&[(0, 1), (1, 2), (2, 3), (3, 0)]), &mut steps);
        assert_eq!(steps.len(), 5);
        sequence(&moves(&[(0, 1), (1, 0)]), &mut steps);
        assert_eq!(steps.len(), 3);
        // Register 2 also reads a member of the cycle, so its copy serves as the temporary.
        sequence(&moves(&[(0, 1), (1, 0), (2, 0)]), &mut steps);
        assert_eq!(steps.len(), 3);
    }

    #[test]
    fn c5_sequences_do_what_parallel_copies_do() {
        let (mut rng, mut steps) = (Rng::new(5), Vec::new());
        for _ in 0..cases(2000) {
            let n = 2 + rng.below(8);
            let chosen: Vec<_> = (0..n).map(|dst| (dst, rng.below(n))).filter(|m| m.0 != m.1).collect();
            let chosen: Vec<_> = chosen.into_iter().filter(|_| !rng.one_in(4)).collect();
            sequence(&moves(&chosen), &mut steps);
            let reg = |r: u32| Location::Reg(VRegId::from_raw(r));
            let mut values: FxHashMap<Location, u32> = (0..n).map(|r| (reg(r), r)).collect();
            for s in &steps {
                let value = values[&s.src];
                values.insert(s.dst, value);
            }
            for r in 0..n {
                let wanted = chosen.iter().find(|m| m.0 == r).map_or(r, |m| m.1);
                assert_eq!(values[&reg(r)], wanted, "{chosen:?}: {steps:?}");
            }
            let cycles = steps.iter().filter(|s| matches!(s.dst, Location::Temporary(_))).count();
            assert_eq!(steps.len(), chosen.len() + cycles);
        }
    }
}
