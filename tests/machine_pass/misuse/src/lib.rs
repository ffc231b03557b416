//! Uses the library wrongly, on purpose; and rightly, where it makes instructions.

mod builds;
mod edits;

use ptxpasses::llvm::{Analyses, EditLog, MachineInstr, NewInstr, NewMemory, NewOperand, Outcome, Place};
use ptxpasses::machine_pass::{Check, MachinePass, Pass, PassOption, PassRun, Plugin, PluginOption};
use ptxpasses::mir::{AddressSpace, BlockNumber, Opcode, RegClassId, Register};

static HOW: PassOption<String> =
    PassOption::new("misuse-how", "way", "The way in which it is wrong", String::new);

#[derive(Default)]
struct Misuse;

impl MachinePass for Misuse {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        let mf = run.mf;
        let instrs = || mf.blocks().flat_map(|block| block.instrs());
        let first = || instrs().next().expect("the function has code");
        let computing = || {
            let computes = |mi: &MachineInstr| {
                mi.num_operands() > 0 && mi.operand(0).is_def() && mi.operand(0).is_virtual()
            };
            instrs().find(computes).expect("the function computes something")
        };
        let opcodes = run.opcodes::<Present>();
        assert!(mf.opcode_name(opcodes.copy) == "COPY" && opcodes.other.is_none());
        assert!(instrs().all(|mi| mi.is(opcodes.copy) == mi.is_copy()));
        let how = HOW.get();
        if let Some(method) = how.strip_prefix("unchanged: ") {
            edits::edit(mf, method);
            return Outcome::Unchanged;
        }
        match &*how {
            "" | "keeps" | "stands in" | "bias" | "bias by symbol" | "float" => return Outcome::Unchanged,
            "methods" => {
                eprintln!("{}", edits::METHODS.join(" "));
                return Outcome::Unchanged;
            }
            "nothing" => {
                edits::edit_nothing(mf);
                return Outcome::Unchanged;
            }
            "new register" => {
                mf.new_reg_like(computing().operand(0).reg());
                return Outcome::Unchanged;
            }
            "unnoted" => {
                edits::edit_unnoted(mf);
                return Outcome::Unchanged;
            }
            "delegates" => return Outcome::Delegate,
            "panic" => panic!("on purpose"),
            "operand" => drop(first().operand(1000)),
            "set operand" => first().set_reg(1000, Register::NONE),
            "register" => drop(mf.class_id(Register::virt(1 << 20))),
            "physical register" => drop(mf.register_name(Register(1 << 20))),
            "class" => drop(mf.new_reg(RegClassId::from_usize(1 << 20))),
            "opcode" => drop(mf.opcode_name(1u32 << 20)),
            "block" => drop(mf.block_numbered(BlockNumber::from_raw(1 << 20))),
            "erased" => {
                let (mi, copy) = (computing(), computing());
                mi.erase();
                // Its memory is there still.
                assert!(!copy.text().is_empty() && copy.key() == mi.key());
                let _ = copy.block();
            }
            "read erased" => {
                let (mi, copy) = (computing(), computing());
                mi.erase();
                mf.clear_kills(copy.operand(0).reg());
            }
            "count of erased" => {
                let mi = computing();
                mi.erase();
                assert!(mi.num_operands() > 0);
            }
            "kind of erased" => {
                let mi = computing();
                mi.erase();
                assert!(!mi.is_copy());
            }
            "change erased" => {
                let mi = computing();
                mi.erase();
                mi.set_dead(0, true);
            }
            "erased twice" => {
                let (mi, copy) = (computing(), computing());
                mi.erase();
                copy.erase();
            }
            "move erased" => {
                let (mi, block) = (computing(), computing().block());
                let mut log = EditLog::new(mf);
                log.erase(mi);
                log.move_before(mi, block, None);
                log.apply();
            }
            "few operands" => {
                let (mi, operands) = (computing(), [NewOperand::Imm(1)]);
                let new = NewInstr::new(mi.opcode());
                mi.insert_before(operands[..0].iter().fold(new, |new, &operand| new.add_operand(operand)));
            }
            "new def" => {
                let mi = computing();
                mi.change_to(NewInstr::new(mi.opcode()).add_def(mf.new_reg_like(mi.operand(0).reg())));
            }
            "no result" => drop(mf.new_result(mf.opcodes().find("KILL").expect("LLVM has it"))),
            "no size" => add_access(computing(), NewMemory::load(AddressSpace::Global, 0)),
            "alignment" => add_access(computing(), NewMemory::load(AddressSpace::Global, 4).aligned(3)),
            "other space" => {
                let place = mf.global("reduce").expect("it is the function itself");
                add_access(computing(), NewMemory::load(AddressSpace::Shared, 4).at(place, 0));
            }
            "offset" => {
                let place = mf.global("reduce").expect("it is the function itself");
                let copy = mf.opcodes().find("COPY").expect("LLVM has it");
                let result = mf.new_reg_like(computing().operand(0).reg());
                computing().insert_before(NewInstr::new(copy).add_def(result).add_global(place, 4));
            }
            "not asked for" => drop(run.opcodes::<Absent>()),
            "wrong value" => {
                // The second operand of some sum becomes the first.
                let reads = |mi: &MachineInstr, at: usize| {
                    mi.num_operands() > at && mi.operand(at).is_use() && mi.operand(at).is_whole()
                };
                let same_class =
                    |mi: &MachineInstr| mf.class_id(mi.operand(1).reg()) == mf.class_id(mi.operand(2).reg());
                let different = |mi: &MachineInstr| mi.operand(1).reg() != mi.operand(2).reg();
                let sum = instrs().find(|mi| reads(mi, 1) && reads(mi, 2) && same_class(mi) && different(mi));
                let sum = sum.expect("the function has an instruction with two operands");
                sum.set_reg(2, sum.operand(1).reg());
            }
            "two defs" => {
                let (mi, copy) = (computing(), computing().operand(0).reg());
                mi.insert_copy_before(copy, copy, 0);
            }
            "unverified" => computing().erase(),
            other => panic!("no way of misuse is named '{other}'"),
        }
        Outcome::Changed
    }
}

/// Appends a memory operand to a copy of nothing.
fn add_access(before: MachineInstr, access: NewMemory) {
    let mf = before.function();
    let copy = mf.opcodes().find("COPY").expect("LLVM has it");
    let reg = before.operand(0).reg();
    let new = NewInstr::new(copy).add_def(mf.new_reg_like(reg)).add_use(reg);
    before.insert_before(new.add_memory(access));
}

ptxpasses::opcodes! {
    /// No LLVM has one of them.
    struct Absent {
        _one: Opcode = "FROBNICATE32",
    }
}

ptxpasses::opcodes! {
    /// LLVM has one of each; what else is asked for may be missing.
    struct Present {
        copy: Opcode = "FROBNICATE32" | "COPY",
        other: Option<Opcode> = "FROBNICATE32" | "FROBNICATE64",
    }
}

/// Asks for opcodes, and looks whether they are what they are called; the environment has it ask for one that no LLVM has.
fn with_opcodes(pass: Pass) -> Pass {
    let pass = pass.opcodes::<Present>();
    if std::env::var_os("MISUSE_OPCODES").is_some() {
        pass.opcodes::<Absent>()
    } else {
        pass
    }
}

/// Reads a name from the environment, as options are not known yet.
fn name(variable: &str, default: &'static str) -> &'static str {
    std::env::var(variable).map_or(default, |name| name.leak())
}

/// An option that the environment names.
struct NamedOption;

impl PluginOption for NamedOption {
    fn name(&self) -> &'static str {
        name("MISUSE_OPTION", "misuse-other")
    }
    fn value_name(&self) -> &'static str {
        ""
    }
    fn help(&self) -> &'static str {
        "Does nothing"
    }
    fn set(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

/// Stands in for a pass of LLVM's, which takes each function.
#[derive(Default)]
struct StandsIn;

impl MachinePass for StandsIn {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        if HOW.get() == "stands in" {
            edits::edit(run.mf, "set_reg");
        }
        Outcome::Delegate
    }
}

/// Keeps an analysis that names an instruction which it erases.
#[derive(Default)]
struct KeepsTooMuch;

impl MachinePass for KeepsTooMuch {
    fn run(&mut self, run: &mut PassRun) -> Outcome {
        if HOW.get() != "keeps" {
            return Outcome::Unchanged;
        }
        run.mf.blocks().find_map(|block| block.first()).expect("the function has code").erase();
        Outcome::Changed
    }
}

/// The plugin, unless its description is to fail.
fn plugin() -> Plugin {
    assert!(std::env::var_os("MISUSE_DESCRIPTION").is_none(), "no description, on purpose");
    Plugin::new(name("MISUSE_NAME", "misuse"))
}

ptxpasses::machine_pass!(plugin()
    .option(&HOW)
    .option(&NamedOption)
    .pass(Pass::new::<StandsIn>("stands-in", Place::InsteadOf("dead-mi-elimination")))
    .pass(with_opcodes(
        Pass::new::<Misuse>(
            name("MISUSE_PASS", "misuse"),
            Place::After(name("MISUSE_ANCHOR", "peephole-opt"))
        )
        .keeps(Analyses::CFG)
        .check(Check::SameValues(Default::default())),
    ))
    .pass(
        Pass::new::<builds::Builds>("builds", Place::After("peephole-opt"))
            .targets(&["nvptx64"])
            .opcodes::<builds::Opcodes>()
    )
    .pass(
        Pass::new::<KeepsTooMuch>(
            "keeps-too-much",
            Place::Before(name("MISUSE_BEFORE", "register-coalescer"))
        )
        .needs(Analyses::LIVE_INTERVALS)
        .keeps(Analyses::LIVE_INTERVALS)
    ));
