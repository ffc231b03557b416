//! Finds a register class under several constraints (requirements E4 to E6).
//!
//! Problem: an instruction's operand, the type of a value and each of its users name a class. A
//! register has one class, which must be a sub-class of all of them.
//!
//! Algorithm: a class has a bit set of its sub-classes. LLVM numbers a class after its
//! super-classes. So the largest common sub-class of two is the first bit of the intersection.
//!
//! Source: `TargetRegisterInfo::getCommonSubClass`, `getAllocatableClass`,
//! `MachineRegisterInfo::constrainRegClass`. Deviation: none. Complexity: one pass over a mask,
//! whose size is fixed for a target.

use super::host::EmitterHost;
use crate::mir::dag::description::class_flag;
use crate::mir::dag::ids::ClassId;
use crate::nvptx::registers::is_predicate_class;
use index_vec::IndexVec;

/// Below this many registers a class is not narrowed: a COPY to a wider one is better (requirement
/// E6).
pub const MIN_RC_SIZE: u32 = 4;

/// A register class.
#[derive(Clone, Copy, Default)]
struct Class {
    num_regs: u32,
    flags: u32,
    /// The number of 32-bit registers that one takes; 0 for a predicate.
    registers32: u32,
}

/// All classes of a target.
#[derive(Default)]
pub struct Classes {
    classes: IndexVec<ClassId, Class>,
    /// Size of a mask.
    words: usize,
    /// The sub-classes of each class.
    masks: Vec<u32>,
}

/// How a register gets a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constrained {
    /// The register's class fits as it is.
    AsIs,
    /// It fits after it has become this one.
    Narrowed(ClassId),
    /// The two have too few registers in common.
    No,
}

impl Classes {
    /// Reads the classes of the host's target.
    pub fn read(&mut self, host: &impl EmitterHost) {
        let n = host.num_classes();
        self.words = (n as usize).div_ceil(32);
        self.classes.clear();
        self.masks.clear();
        for id in (0..n).map(ClassId::from_raw) {
            let facts = host.class(id);
            let is_predicate = is_predicate_class(&facts.name);
            self.classes.push(Class {
                num_regs: facts.num_regs,
                flags: facts.flags,
                registers32: if is_predicate { 0 } else { facts.bits.div_ceil(32) },
            });
            self.masks.extend_from_slice(&facts.sub_classes[..self.words]);
        }
    }
    fn mask(&self, id: ClassId) -> &[u32] {
        &self.masks[id.index() * self.words..][..self.words]
    }
    fn has(&self, id: ClassId, flag: u32) -> bool {
        self.classes[id].flags & flag != 0
    }
    /// The number of 32-bit registers that one takes. Predicates have a register file of their own
    /// and take none.
    pub fn registers32(&self, id: ClassId) -> u32 {
        self.classes[id].registers32
    }
    /// Whether copying a register of it is impossible or expensive.
    pub fn is_copy_impossible(&self, id: ClassId) -> bool {
        self.has(id, class_flag::COPY_IMPOSSIBLE)
    }
    /// Whether it holds values that differ from thread to thread.
    pub fn is_divergent(&self, id: ClassId) -> bool {
        self.has(id, class_flag::DIVERGENT)
    }
    /// Whether `part` is `whole` or a sub-class of it.
    pub fn has_sub_class_eq(&self, whole: ClassId, part: ClassId) -> bool {
        self.mask(whole)[part.index() / 32] >> (part.index() % 32) & 1 != 0
    }
    /// The largest class that is a sub-class of both.
    pub fn common_sub_class(&self, a: ClassId, b: ClassId) -> Option<ClassId> {
        if a == b {
            return Some(a);
        }
        self.mask(a).iter().zip(self.mask(b)).enumerate().find_map(|(i, (x, y))| {
            let both = x & y;
            (both != 0).then(|| ClassId::from_raw(i as u32 * 32 + both.trailing_zeros()))
        })
    }
    /// The class, or the largest sub-class of it, whose registers may be allocated.
    pub fn allocatable(&self, id: ClassId) -> Option<ClassId> {
        if self.has(id, class_flag::ALLOCATABLE) {
            return Some(id);
        }
        self.classes
            .indices()
            .find(|&part| self.has_sub_class_eq(id, part) && self.has(part, class_flag::ALLOCATABLE))
    }
    /// Narrows class `old` to its common sub-class with `wanted`, if that has at least `min_regs`
    /// registers.
    pub fn constrain(&self, old: ClassId, wanted: ClassId, min_regs: u32) -> Constrained {
        if old == wanted {
            return Constrained::AsIs;
        }
        match self.common_sub_class(old, wanted) {
            Some(common) if common == old => Constrained::AsIs,
            Some(common) if self.classes[common].num_regs >= min_regs => Constrained::Narrowed(common),
            _ => Constrained::No,
        }
    }
    /// For tests: classes by number of registers, flags and mask.
    #[cfg(test)]
    pub fn of(classes: &[(u32, u32, u32)]) -> Classes {
        Classes {
            classes: classes
                .iter()
                .map(|&(num_regs, flags, _)| Class { num_regs, flags, registers32: 1 })
                .collect(),
            words: 1,
            masks: classes.iter().map(|c| c.2).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0: all 16 registers; 1: 8 of them; 2: 3 of those 8; 3: 8 others; 4: all and one that is
    /// reserved, not allocatable.
    fn classes() -> Classes {
        Classes::of(&[(16, 1, 0b01111), (8, 1, 0b00110), (3, 1, 0b00100), (8, 1, 0b01000), (17, 0, 0b11111)])
    }

    #[test]
    fn e5_the_common_class_is_the_largest() {
        let c = classes();
        assert_eq!(c.common_sub_class(ClassId::new(0), ClassId::new(1)), Some(ClassId::new(1)));
        assert_eq!(c.common_sub_class(ClassId::new(4), ClassId::new(0)), Some(ClassId::new(0)));
        assert_eq!(c.common_sub_class(ClassId::new(1), ClassId::new(3)), None);
    }

    #[test]
    fn e5_allocatable_is_the_class_or_its_largest_part() {
        let c = classes();
        assert_eq!(c.allocatable(ClassId::new(4)), Some(ClassId::new(0)));
        assert_eq!(c.allocatable(ClassId::new(2)), Some(ClassId::new(2)));
    }

    #[test]
    fn e6_a_class_of_fewer_than_four_registers_is_not_forced() {
        let c = classes();
        assert_eq!(c.constrain(ClassId::new(1), ClassId::new(2), MIN_RC_SIZE), Constrained::No);
        assert_eq!(c.constrain(ClassId::new(1), ClassId::new(2), 0), Constrained::Narrowed(ClassId::new(2)));
        assert_eq!(
            c.constrain(ClassId::new(0), ClassId::new(1), MIN_RC_SIZE),
            Constrained::Narrowed(ClassId::new(1))
        );
        // A class that is already small is not a reason for a copy.
        assert_eq!(c.constrain(ClassId::new(2), ClassId::new(0), MIN_RC_SIZE), Constrained::AsIs);
        assert_eq!(c.constrain(ClassId::new(1), ClassId::new(3), 0), Constrained::No);
    }

    #[test]
    fn classes_beyond_the_first_word() {
        let n = 40;
        let mut c = Classes { classes: vec![Class::default(); n].into(), words: 2, masks: vec![0; 2 * n] };
        for (id, bit) in [(1, 39), (2, 39), (2, 38)] {
            c.masks[id * 2 + 1] |= 1 << (bit - 32);
        }
        assert_eq!(c.common_sub_class(ClassId::new(1), ClassId::new(2)), Some(ClassId::new(39)));
        assert!(
            c.has_sub_class_eq(ClassId::new(2), ClassId::new(38))
                && !c.has_sub_class_eq(ClassId::new(1), ClassId::new(38))
        );
    }
}
