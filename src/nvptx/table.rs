//! The table of opcodes, with a row for each.

use super::accesses::{immediates_before_type, AddressPlace};
use super::arithmetic::{is_widening, IntegerOp};
use super::comparisons::CompareOp;
use super::computation::{Computation, InstrDesc, Operation};
use super::counterparts::{ClassImmediates, Counterpart};
use super::created::CreatedOp;
use super::extremes::SignedOp;
use super::floats::FloatOp;
use super::form::Form;
use super::moves::Move;
use super::narrowing::Narrowing;
use super::packed::PackedOp;
use super::uniformity::Uniformity;
use crate::versions::{Nvptx, VERSIONS};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// A row of the table: everything that an opcode's name tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpcodeInfo {
    /// The kind of computation.
    pub operation: Operation,
    /// Its classification as a move.
    pub move_: Option<Move>,
    /// Its classification as integer arithmetic.
    pub arithmetic: Option<IntegerOp>,
    /// Its classification as 32-bit floating-point arithmetic.
    pub float: Option<FloatOp>,
    /// Its classification as a maximum, minimum, negation or bit field of signed 32-bit integers.
    pub signed: Option<SignedOp>,
    /// Its classification as an operation on a pair of 16-bit integers.
    pub packed: Option<PackedOp>,
    /// Its classification as a comparison of 32-bit integers.
    pub comparison: Option<CompareOp>,
    /// It computes 64 bits from 32, see [`is_widening`].
    pub is_widening: bool,
    /// It loads 64 bits into one register.
    pub is_scalar_load64: bool,
    /// Where its address is, if it accesses memory at an address that a stage may change.
    pub address: Option<AddressPlace>,
    /// How to compute the low half of its result.
    pub narrowing: Option<Narrowing>,
    /// How many immediates come before the type of a load or store.
    pub immediates_before_type: Option<u32>,
    /// How its immediates depend on the class of its registers.
    pub class_immediates: ClassImmediates,
    /// When its result is uniform.
    pub uniformity: Uniformity,
}

impl OpcodeInfo {
    /// Classifies the opcode of this name in the LLVM that this build is for.
    pub fn from_name(name: &str) -> OpcodeInfo {
        OpcodeInfo::of_version(name, Form::NAMED, &VERSIONS.nvptx)
    }

    /// Classifies the opcode of this name, with operands of this form, in another LLVM version.
    pub fn of_version(name: &str, form: Form, version: &Nvptx) -> OpcodeInfo {
        let move_ = Move::from_name(name);
        let mut arithmetic = IntegerOp::of_opcode(name, move_);
        let mut narrowing = Narrowing::of_opcode(name, move_, arithmetic);
        if let Some(completed) = form.complete(name) {
            arithmetic = arithmetic.or_else(|| IntegerOp::from_name(&completed));
            narrowing = narrowing.or_else(|| Narrowing::from_name(&completed));
        }
        OpcodeInfo {
            operation: Operation::from_name(name, move_, arithmetic),
            move_,
            arithmetic,
            float: FloatOp::from_name(name, move_),
            signed: SignedOp::from_name(name),
            packed: PackedOp::from_name(name, move_),
            comparison: CompareOp::from_name(name),
            is_widening: is_widening(name),
            is_scalar_load64: name.starts_with("LD_i64"),
            address: AddressPlace::from_name(name, version),
            narrowing,
            immediates_before_type: immediates_before_type(name, version),
            class_immediates: ClassImmediates::from_name(name),
            uniformity: Uniformity::from_name(name, arithmetic),
        }
    }
}

/// Looks up opcodes of the target, as LLVM's `TargetInstrInfo` does.
pub trait OpcodeNames {
    /// Returns the name of an opcode.
    fn name(&self, opcode: u32) -> String;
    /// Returns the opcode of this name. The search starts near another opcode, because similar
    /// names are neighbours.
    fn opcode(&self, name: &str, near: u32) -> Option<u32>;
}

/// The rows by opcode and form, filled on first use. A process has one NVPTX target, so its opcodes
/// are always the same.
#[derive(Default)]
pub struct OpcodeTable {
    infos: RefCell<SparseRows<OpcodeInfo>>,
    computations: RefCell<SparseRows<Computation>>,
    counterparts: RefCell<FxHashMap<(u32, Counterpart), u32>>,
    created: [Cell<Lookup>; CreatedOp::ALL.len()],
}

/// The result of looking up an opcode by name.
#[derive(Clone, Copy, Default)]
enum Lookup {
    #[default]
    Pending,
    Missing,
    Found(u32),
}

impl OpcodeTable {
    /// Returns the row of an opcode with operands of this form. Calls `name` on first use only.
    pub fn info<Name: AsRef<str>>(&self, opcode: u32, form: Form, name: impl FnOnce() -> Name) -> OpcodeInfo {
        let new = || OpcodeInfo::of_version(name().as_ref(), form, &VERSIONS.nvptx);
        get_or_insert(&self.infos, row(opcode, form), new)
    }

    /// Returns an opcode's kind of computation. Calls the closures on first use only.
    pub fn computation<Name: AsRef<str>>(
        &self,
        opcode: u32,
        form: Form,
        name: impl FnOnce() -> Name,
        desc: impl FnOnce() -> InstrDesc,
    ) -> Computation {
        let new = || Computation::new(self.info(opcode, form, name).operation, desc());
        get_or_insert(&self.computations, row(opcode, form), new)
    }

    /// Returns the counterpart of an opcode.
    ///
    /// # Panics
    /// If the target has none.
    pub fn counterpart(&self, opcode: u32, which: Counterpart, names: &impl OpcodeNames) -> u32 {
        *self.counterparts.borrow_mut().entry((opcode, which)).or_insert_with(|| {
            let name = names.name(opcode);
            let wanted = which.name(&name);
            names.opcode(&wanted, opcode).unwrap_or_else(|| panic!("NVPTX has {name} and no {wanted}"))
        })
    }

    /// Returns the opcode of an operation that a stage creates; `None` if the target has none.
    pub fn find_created(&self, op: CreatedOp, names: &impl OpcodeNames) -> Option<u32> {
        let index = CreatedOp::ALL.iter().position(|&o| o == op).expect("all are listed");
        let lookup = &self.created[index];
        if let Lookup::Pending = lookup.get() {
            let opcode = op.names_in(&VERSIONS.nvptx).find_map(|name| names.opcode(name, 0));
            lookup.set(opcode.map_or(Lookup::Missing, Lookup::Found));
        }
        match lookup.get() {
            Lookup::Found(opcode) => Some(opcode),
            _ => None,
        }
    }

    /// Returns the opcode of an operation that every target has.
    ///
    /// # Panics
    /// If the target has none.
    pub fn created(&self, op: CreatedOp, names: &impl OpcodeNames) -> u32 {
        self.find_created(op, names).unwrap_or_else(|| panic!("NVPTX has {:?}", op.names()))
    }
}

/// Returns the position of the row of an opcode with operands of this form.
fn row(opcode: u32, form: Form) -> usize {
    match VERSIONS.nvptx.opcodes_name_constants {
        true => opcode as usize,
        false => opcode as usize * Form::COUNT + form.index(),
    }
}

/// Rows that are filled on first use. A module uses few of the target's thousands of opcodes. So
/// each position stores only a row number, and only filled rows take the room of a row.
struct SparseRows<T> {
    /// By position, the number of its row plus one; 0 if there is none yet.
    numbers: Vec<u16>,
    rows: Vec<T>,
}

impl<T> Default for SparseRows<T> {
    fn default() -> Self {
        SparseRows { numbers: Vec::new(), rows: Vec::new() }
    }
}

impl<T: Copy> SparseRows<T> {
    fn get(&self, position: usize) -> Option<T> {
        let number = usize::from(*self.numbers.get(position)?);
        self.rows.get(number.wrapping_sub(1)).copied()
    }
    fn insert(&mut self, position: usize, row: T) {
        if self.numbers.len() <= position {
            self.numbers.resize(position + 1, 0);
        }
        self.rows.push(row);
        self.numbers[position] = u16::try_from(self.rows.len()).expect("a target has fewer opcodes");
    }
}

/// Returns a row, which `new` makes on first use. `new` may ask for other rows.
fn get_or_insert<T: Copy>(rows: &RefCell<SparseRows<T>>, position: usize, new: impl FnOnce() -> T) -> T {
    if let Some(known) = rows.borrow().get(position) {
        return known;
    }
    let row = new();
    rows.borrow_mut().insert(position, row);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvptx::arithmetic::Extension;

    struct Names(&'static [&'static str]);
    impl OpcodeNames for Names {
        fn name(&self, opcode: u32) -> String {
            self.0[opcode as usize].to_owned()
        }
        fn opcode(&self, name: &str, _: u32) -> Option<u32> {
            self.0.iter().position(|&n| n == name).map(|n| n as u32)
        }
    }

    #[test]
    fn a_name_is_looked_at_once() {
        let table = OpcodeTable::default();
        let asked = Cell::new(0);
        let name = || {
            asked.set(asked.get() + 1);
            "ADD64rr"
        };
        assert_eq!(table.info(7, Form::NAMED, name), table.info(7, Form::NAMED, name));
        assert_eq!(asked.get(), 1);
        let desc = || InstrDesc { only_computes: true, defines_predicate: false };
        assert_eq!(table.computation(7, Form::NAMED, name, desc), Computation::Cheap);
        let known = || unreachable!("it is known");
        assert_eq!(table.computation(7, Form::NAMED, name, known), Computation::Cheap);
        assert_eq!(asked.get(), 1);
    }

    #[test]
    fn opcodes_are_found_by_name() {
        let names = Names(&["ADDi64rr", "ADDi64ri", "MULWIDES64"]);
        let table = OpcodeTable::default();
        assert_eq!(table.counterpart(0, Counterpart::WithConstant, &names), 1);
        assert_eq!(table.created(CreatedOp::MulWide(Extension::Sign), &names), 2);
        assert_eq!(table.find_created(CreatedOp::MulAddWide(Extension::Sign), &names), None);
    }
}
