//! Predicts how many registers ptxas uses for a function, and whether saving some is worth
//! instructions.
//!
//! **Problem.** Stages trade registers for instructions before registers are assigned. That pays
//! only in two cases. Either ptxas would use enough registers to reduce the number of resident
//! warps, or more than the function's target.
//!
//! **Algorithm.** A live value takes 32-bit registers, a predicate, uniform registers (from sm_75
//! on, if all threads share it), or nothing ([`Storage`]). Constants and parameters take nothing,
//! as they are operands of instructions. A value that a few instructions compute from those and
//! from thread numbers takes nothing either: ptxas recomputes it. The values that are live at once
//! are a [`Demand`]. The prediction is 7/8 of its registers plus `BASE`. It is less than the
//! maximum in our order because ptxas reorders code. A [`Budget`] compares the prediction with the
//! number of registers that is enough.
//!
//! **Source.** As for [`occupancy`](super::occupancy). The line is fitted to the registers that
//! ptxas uses: docs/measured.md, "Registers predicted". **Deviation:** none.
//!
//! **Complexity.** Constant.

use super::occupancy::{Architecture, RegisterTarget, MAX_REGISTERS};
use std::ops::{AddAssign, SubAssign};

/// The registers that ptxas uses where nothing is live: for addresses and for loading ahead.
const BASE: u32 = 12;
/// The uniform registers of a warp.
const UNIFORM_REGISTERS: i32 = 63;
/// In nine of ten functions ptxas uses at most this many registers more than predicted.
const MARGIN: u32 = 10;

/// The price of a live 32-bit register. Stages compare differences of prices, so only the ratio to
/// `PREDICATE_PRICE` matters.
pub const REGISTER_PRICE: u32 = 4;
/// The price of a live predicate. There are seven; any more become bits of a register.
const PREDICATE_PRICE: u32 = 1;

/// Returns how many 32-bit registers a value of `bits` takes. A narrow value takes a whole
/// register.
pub fn registers32(bits: u32) -> u32 {
    bits.div_ceil(32)
}

/// Returns the price of a live value of `bits`.
pub fn price(bits: u32) -> u32 {
    match bits {
        1 => PREDICATE_PRICE,
        _ => registers32(bits) * REGISTER_PRICE,
    }
}

/// Where ptxas keeps a value while it is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In this many 32-bit registers.
    Registers(u32),
    /// In this many uniform registers, as long as there are any left.
    Uniform(u32),
    /// In a predicate.
    Predicate,
    /// Nowhere: it is a constant, a parameter, or recomputed where it is read.
    Nowhere,
}

/// The facts about a value that its storage depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its size.
    pub bits: u32,
    /// It is a constant or a parameter.
    pub is_free: bool,
    /// All threads share it, and ptxas sees that.
    pub is_uniform: bool,
    /// ptxas recomputes it by itself where it is read.
    pub is_recomputed: bool,
}

impl Storage {
    /// Chooses the storage of a value.
    pub fn of(value: Value, architecture: Architecture) -> Storage {
        let Value { bits, is_free, is_uniform, is_recomputed } = value;
        match bits {
            _ if is_free => Storage::Nowhere,
            1 => Storage::Predicate,
            _ if is_recomputed => Storage::Nowhere,
            _ if is_uniform && architecture.has_uniform_registers => Storage::Uniform(registers32(bits)),
            _ => Storage::Registers(registers32(bits)),
        }
    }
}

/// The values that are live at once, counted by register file. A difference may be negative.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Demand {
    /// Registers of 32 bits.
    pub registers: i32,
    /// Uniform registers of 32 bits.
    pub uniform: i32,
    /// Predicates.
    pub predicates: i32,
}

impl Demand {
    /// Predicts the registers that ptxas uses for a function with this maximum demand.
    pub fn predicted_registers(self) -> u32 {
        let live = (self.registers + (self.uniform - UNIFORM_REGISTERS).max(0)).max(0) as u32;
        (BASE + live - live / 8).min(MAX_REGISTERS)
    }
    /// Returns the maximum in each register file.
    pub fn max(self, other: Demand) -> Demand {
        Demand {
            registers: self.registers.max(other.registers),
            uniform: self.uniform.max(other.uniform),
            predicates: self.predicates.max(other.predicates),
        }
    }
}

impl From<Storage> for Demand {
    fn from(storage: Storage) -> Demand {
        let none = Demand::default();
        match storage {
            Storage::Registers(count) => Demand { registers: count as i32, ..none },
            Storage::Uniform(count) => Demand { uniform: count as i32, ..none },
            Storage::Predicate => Demand { predicates: 1, ..none },
            Storage::Nowhere => none,
        }
    }
}

impl AddAssign for Demand {
    fn add_assign(&mut self, other: Demand) {
        self.registers += other.registers;
        self.uniform += other.uniform;
        self.predicates += other.predicates;
    }
}

impl SubAssign for Demand {
    fn sub_assign(&mut self, other: Demand) {
        self.registers -= other.registers;
        self.uniform -= other.uniform;
        self.predicates -= other.predicates;
    }
}

/// How many registers per thread are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    enough: u32,
}

impl Budget {
    /// Makes the budget of a function: the most registers that keep all warp slots filled and stay
    /// within its target.
    pub fn of(architecture: Architecture, target: Option<RegisterTarget>) -> Budget {
        let of_warps = architecture.most_of_step(1);
        Budget { enough: target.map_or(of_warps, |target| target.registers.min(of_warps)) }
    }
    /// Whether using fewer registers than predicted gains nothing, even if ptxas uses `MARGIN`
    /// more.
    pub fn has_room(self, demand: Demand) -> bool {
        demand.predicted_registers() + MARGIN <= self.enough
    }
}

#[cfg(test)]
mod tests {
    use super::super::occupancy::LaunchBounds;
    use super::*;

    const VALUE: Value = Value { bits: 32, is_free: false, is_uniform: false, is_recomputed: false };

    #[test]
    fn l8_values_take_what_ptxas_has_for_them() {
        let [turing, volta] = ["sm_75", "sm_70"].map(Architecture::of);
        for (value, on_turing, on_volta) in [
            (VALUE, Storage::Registers(1), Storage::Registers(1)),
            (Value { bits: 16, ..VALUE }, Storage::Registers(1), Storage::Registers(1)),
            (Value { bits: 128, ..VALUE }, Storage::Registers(4), Storage::Registers(4)),
            (Value { bits: 1, ..VALUE }, Storage::Predicate, Storage::Predicate),
            (Value { bits: 64, is_uniform: true, ..VALUE }, Storage::Uniform(2), Storage::Registers(2)),
            (Value { bits: 64, is_free: true, ..VALUE }, Storage::Nowhere, Storage::Nowhere),
            (Value { bits: 1, is_recomputed: true, ..VALUE }, Storage::Predicate, Storage::Predicate),
            (Value { is_recomputed: true, ..VALUE }, Storage::Nowhere, Storage::Nowhere),
        ] {
            assert_eq!(Storage::of(value, turing), on_turing, "{value:?}");
            assert_eq!(Storage::of(value, volta), on_volta, "{value:?}");
        }
    }

    #[test]
    fn l8_a_narrow_value_has_the_price_of_a_register() {
        assert_eq!([1, 16, 32, 64, 128].map(price), [1, 4, 4, 8, 16]);
    }

    #[test]
    fn l8_predictions_follow_the_line() {
        let predicted =
            |registers, uniform| Demand { registers, uniform, predicates: 40 }.predicted_registers();
        assert_eq!([0, 8, 64, 80, 1000].map(|live| predicted(live, 0)), [12, 19, 68, 82, 255]);
        assert_eq!([63, 71].map(|uniform| predicted(0, uniform)), [12, 19], "uniform registers are used up");
        assert!((0..300).all(|live| predicted(live, 0) <= predicted(live + 1, 0)));
    }

    #[test]
    fn l8_registers_are_enough_where_fewer_would_not_raise_occupancy() {
        let most = |processor, registers| {
            let target = RegisterTarget::of(registers, LaunchBounds::default());
            let budget = Budget::of(Architecture::of(processor), target);
            let has_room = |&registers: &i32| budget.has_room(Demand { registers, ..Demand::default() });
            (0..300).take_while(has_room).last()
        };
        // 32, 40 and 64 registers fill the warp slots. These numbers of live registers predict 10
        // fewer.
        assert_eq!(
            [most("sm_90", None), most("sm_86", None), most("sm_75", None)],
            [Some(11), Some(20), Some(48)]
        );
        // A target with more registers changes nothing; one with fewer does.
        assert_eq!([most("sm_90", Some(128)), most("sm_90", Some(24))], [Some(11), Some(2)]);
        assert_eq!(most("sm_90", Some(16)), None);
    }
}
