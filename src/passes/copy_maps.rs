//! Tells where the values of virtual registers come from and go to within a block (requirement T5).
//!
//! These are LLVM's `SrcRegMap` and `DstRegMap`. `src` maps a register to the one that it is copied
//! from, or that is tied to it. `dst` maps it to the one that its value goes to. Followed step by
//! step they lead to the physical register that a virtual one is likely to be coalesced with. Both
//! are dense and emptied in constant time.

use crate::mir::{RegMap, Register};

/// Both maps, for one block.
#[derive(Default)]
pub struct CopyMaps {
    /// The register that a virtual register is copied from; a chain may end in a physical one.
    pub src: RegMap,
    /// The register that it is copied to.
    pub dst: RegMap,
    /// Keys of `src` whose source is virtual, if these are kept; possibly more than once.
    keys: Vec<Register>,
    keeps_keys: bool,
}

impl CopyMaps {
    /// Empties both and makes room for `num_virt_regs` registers. [`CopyMaps::copies`] needs
    /// `keeps_keys`.
    pub fn reset(&mut self, num_virt_regs: usize, keeps_keys: bool) {
        self.src.reset(num_virt_regs);
        self.dst.reset(num_virt_regs);
        self.keys.clear();
        self.keeps_keys = keeps_keys;
    }

    /// Records that `dst` has the value of `src`, in place of any earlier source.
    pub fn set_source(&mut self, dst: Register, src: Register) {
        if self.keeps_keys && dst.is_virtual() && src.is_virtual() && self.src.get(dst).is_none() {
            self.keys.push(dst);
        }
        self.src.set(dst, src);
    }

    /// Records that the value of `first` goes to the first register of `chain`, from there to the
    /// second one, and so on. A destination that is already recorded stays. Empties the chain.
    pub fn set_destinations(&mut self, first: Register, chain: &mut Vec<Register>) {
        let Some(mut to) = chain.pop() else { return };
        while let Some(from) = chain.pop() {
            self.dst.insert(from, to);
            to = from;
        }
        self.dst.insert(first, to);
    }

    /// The pairs (register, source) of virtual registers at the end of the block; some possibly
    /// twice.
    pub fn copies(&self) -> impl Iterator<Item = (Register, Register)> + '_ {
        let source = |&key| self.src.get(key).filter(|src| src.is_virtual()).map(|src| (key, src));
        self.keys.iter().filter_map(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R7: Register = Register(7);

    fn v(index: u32) -> Register {
        Register::virt(index)
    }

    #[test]
    fn t5_a_chain_of_copies_leads_to_the_physical_register_from_every_link() {
        // %1 = COPY %0; %2 = op %1(tied); $7 = COPY %2
        let mut maps = CopyMaps::default();
        maps.reset(3, false);
        maps.set_destinations(v(0), &mut vec![v(1), v(2), R7]);
        for reg in 0..3 {
            assert_eq!(maps.dst.mapped_physical(v(reg)), R7);
        }
        // The value of %0 came from the same register.
        maps.src.insert(v(0), R7);
        maps.set_source(v(1), v(0));
        maps.set_source(v(2), v(1));
        for reg in 0..3 {
            assert_eq!(maps.src.mapped_physical(v(reg)), R7);
        }
    }

    #[test]
    fn t5_a_chain_that_joins_another_keeps_that_one() {
        let mut maps = CopyMaps::default();
        maps.reset(5, false);
        maps.set_destinations(v(1), &mut vec![v(2), v(3)]);
        maps.set_destinations(v(0), &mut vec![v(1), v(4)]);
        assert_eq!(maps.dst.get(v(0)), Some(v(1)));
        assert_eq!(maps.dst.get(v(1)), Some(v(2)), "the first one counts");
        maps.set_destinations(v(4), &mut vec![]);
        assert_eq!(maps.dst.get(v(4)), None);
    }

    #[test]
    fn t5_copies_are_what_the_block_leaves() {
        let mut maps = CopyMaps::default();
        maps.reset(5, true);
        maps.set_source(v(1), v(0));
        maps.set_source(v(2), v(1));
        maps.set_source(v(3), v(0));
        maps.set_source(v(3), v(2)); // commuted
        maps.set_source(v(4), v(3));
        maps.src.remove(v(4)); // three-address now
        maps.set_source(v(2), R7); // comes from a physical register
        assert_eq!(maps.copies().collect::<Vec<_>>(), [(v(1), v(0)), (v(3), v(2))]);
        maps.reset(5, true);
        assert_eq!(maps.copies().count(), 0);
        maps.reset(5, false);
        maps.set_source(v(1), v(0));
        assert_eq!(maps.copies().count(), 0, "not asked for");
    }
}
