//! Maps virtual registers to registers within one block.
//!
//! The map is a dense array with stamps, so emptying it for the next block takes constant time.

use super::register::Register;

/// Virtual register to register, cleared in constant time.
#[derive(Default)]
pub struct RegMap {
    /// By virtual register index: the epoch in which the entry was written, and the target.
    entries: Vec<(u32, Register)>,
    epoch: u32,
    /// Keys whose target is or was a physical register. A clobber may remove them.
    physical: Vec<Register>,
}

impl RegMap {
    /// Empties the map and makes room for `num_virt_regs` registers.
    pub fn reset(&mut self, num_virt_regs: usize) {
        self.physical.clear();
        self.epoch = match self.epoch.checked_add(1) {
            Some(next) => next,
            None => {
                self.entries.clear();
                1
            }
        };
        if self.entries.len() < num_virt_regs {
            self.entries.resize(num_virt_regs, (0, Register::NONE));
        }
    }

    /// Returns the target of `key`, a virtual register.
    pub fn get(&self, key: Register) -> Option<Register> {
        match self.entries.get(key.virt_index()) {
            Some(&(epoch, to)) if epoch == self.epoch => Some(to),
            _ => None,
        }
    }

    /// Maps `key` to `to`, replacing any earlier target. Keys that are not virtual registers are
    /// ignored: nothing looks them up.
    pub fn set(&mut self, key: Register, to: Register) {
        if !key.is_virtual() {
            return;
        }
        if self.entries.len() <= key.virt_index() {
            self.entries.resize(key.virt_index() + 1, (0, Register::NONE));
        }
        self.entries[key.virt_index()] = (self.epoch, to);
        if to.is_physical() {
            self.physical.push(key);
        }
    }

    /// Maps `key` to `to` unless it is mapped.
    pub fn insert(&mut self, key: Register, to: Register) {
        if key.is_virtual() && self.get(key).is_none() {
            self.set(key, to);
        }
    }

    /// Unmaps `key`.
    pub fn remove(&mut self, key: Register) {
        if !key.is_virtual() {
            return;
        }
        if let Some(entry) = self.entries.get_mut(key.virt_index()) {
            entry.0 = 0;
        }
    }

    /// Returns whether any key may be mapped to a physical register.
    pub fn has_physical(&self) -> bool {
        !self.physical.is_empty()
    }

    /// Unmaps every key that is mapped to a physical register for which `clobbered` holds.
    pub fn remove_physical_if(&mut self, mut clobbered: impl FnMut(Register) -> bool) {
        let RegMap { entries, epoch, physical } = self;
        physical.retain(|key| {
            let entry = &mut entries[key.virt_index()];
            if entry.0 != *epoch || !entry.1.is_physical() {
                return false;
            }
            if clobbered(entry.1) {
                entry.0 = 0;
                return false;
            }
            true
        });
    }

    /// Follows the map from `reg` to the physical register that it may be coalesced with;
    /// [`Register::NONE`] if the chain ends before one.
    pub fn mapped_physical(&self, mut reg: Register) -> Register {
        while reg.is_virtual() {
            match self.get(reg) {
                Some(next) => reg = next,
                None => return Register::NONE,
            }
        }
        reg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t5_chains_are_followed_to_the_physical_register() {
        let v = Register::virt;
        let mut m = RegMap::default();
        m.reset(4);
        m.set(v(0), v(1));
        m.set(v(1), Register(7));
        m.insert(v(1), Register(8));
        assert_eq!(m.mapped_physical(v(0)), Register(7));
        assert_eq!(m.mapped_physical(v(2)), Register::NONE);
        assert!(m.has_physical());
        m.remove_physical_if(|r| r == Register(7));
        assert_eq!(m.mapped_physical(v(0)), Register::NONE);
        assert_eq!(m.get(v(0)), Some(v(1)));
        m.reset(4);
        assert_eq!(m.get(v(0)), None);
    }

    #[test]
    fn registers_made_by_the_pass_itself_have_room() {
        let mut m = RegMap::default();
        m.reset(1);
        assert_eq!(m.get(Register::virt(9)), None);
        m.set(Register::virt(9), Register::virt(0));
        assert_eq!(m.get(Register::virt(9)), Some(Register::virt(0)));
        m.remove(Register::virt(9));
        assert_eq!(m.get(Register::virt(9)), None);
    }
}
