//! Builds a load of a global, a sum, and a constant, as a pass does that uses the library rightly.

use ptxpasses::llvm::{Global, MachineInstr, NewInstr, NewMemory, NewOperand, Outcome};
use ptxpasses::machine_pass::{MachinePass, PassRun};
use ptxpasses::mir::{Float, Kind, Opcode, Register};

ptxpasses::opcodes! {
    pub struct Opcodes {
        add: Opcode = "ADDi32rr" | "ADD32rr" | "ADD32",
        float: Opcode = "FMOV32ri" | "FMOV32i" | "MOV_F32_i",
    }
}

/// The place of the new load in its text.
enum By {
    Global,
    Symbol,
}

#[derive(Default)]
pub struct Builds;

impl MachinePass for Builds {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let (mf, how) = (run.mf, crate::HOW.get());
        let by = match &*how {
            "bias" => Some(By::Global),
            "bias by symbol" => Some(By::Symbol),
            "float" => None,
            _ => return Outcome::Unchanged,
        };
        let opcodes = run.opcodes::<Opcodes>();
        let instrs = || mf.blocks().flat_map(|block| block.instrs());
        let store = instrs().find(|mi| mi.properties().may_store()).expect("the kernel stores");
        let value = store.operand(0).reg();
        let result = match by {
            Some(by) => {
                let bias = mf.global("bias").expect("the module has it");
                let of_table =
                    |mi: &MachineInstr| (0..mi.num_operands()).any(|at| is_global(*mi, at, "table"));
                let like = instrs().find(of_table).expect("the kernel loads of the table");
                let loaded = load_like(like, store, bias, by);
                let sum = mf.new_result(opcodes.add);
                store.insert_before(NewInstr::new(opcodes.add).add_def(sum).add_use(value).add_use(loaded));
                sum
            }
            None => {
                let constant = mf.new_result(opcodes.float);
                let made = store
                    .insert_before(NewInstr::new(opcodes.float).add_def(constant).add_float(Float::F32(1.5)));
                assert!(made.is(opcodes.float) && made.float(1) == Some(Float::F32(1.5)));
                constant
            }
        };
        // Up to LLVM 20 a constant of a floating-point type has a class of its own, which this store does not take.
        if mf.class_id(result) == mf.class_id(value) {
            store.set_reg(0, result);
            mf.clear_kills(value);
        }
        Outcome::Changed
    }
}

/// Whether an operand is the global of this name.
fn is_global(mi: MachineInstr, index: usize, name: &str) -> bool {
    mi.global(index).is_some_and(|global| global.name() == name)
}

/// Inserts a load that reads another global, with the modifiers of one that is there: they differ between LLVM's versions.
fn load_like<'f>(like: MachineInstr<'f>, before: MachineInstr<'f>, from: Global<'f>, by: By) -> Register {
    let loaded = before.function().new_result(like.opcode());
    let mut load = NewInstr::new(like.opcode()).add_def(loaded);
    for index in 1..like.num_operands() {
        load = match (like.operand(index).kind(), &by) {
            (Kind::Imm, _) => load.add_imm(like.immediate(index)),
            (Kind::Reg, _) => load.add_operand(NewOperand::new_use(like.operand(index).reg())),
            (_, By::Global) => load.add_global(from, 0),
            (_, By::Symbol) => load.add_symbol(from.name()),
        };
    }
    let place = NewMemory::load(from.space(), 4).aligned(from.alignment()).at(from, 0).dereferenceable();
    let made = before.insert_before(load.add_memory(place));
    let accesses = made.memory_operands();
    assert!(accesses.len() == 1 && accesses[0].is_load && accesses[0].space() == from.space());
    loaded
}
