//! Edits a function by each method that edits, one at a time.

use ptxpasses::llvm::{EditLog, MachineFunction, MachineInstr, NewInstr, NewOperand};
use ptxpasses::mir::Register;

/// All methods that [`edit`] knows: those that edit NVPTX code, whose instructions do not commute and have no parts of registers.
pub const METHODS: &[&str] = &[
    "set_reg",
    "set_kill",
    "set_undef",
    "set_dead",
    "set_early_clobber",
    "set_immediate",
    "set_opcode",
    "set_address",
    "change_to",
    "remove_operand",
    "make_copy",
    "make_implicit_def",
    "erase",
    "move_before",
    "move_to_end_of",
    "clone_before",
    "insert",
    "insert_before",
    "insert_after",
    "set_operation",
    "insert_operation_before",
    "insert_operation_behind",
    "insert_instr",
    "insert_instr_before",
    "insert_copy_before",
    "insert_copy_of_operand_before",
    "insert_assembly",
    "insert_implicit_def",
    "replace_reg_in_bundle",
    "add_register_dead",
    "add_register_killed",
    "add_phys_reg_dead",
    "add_phys_reg_killed",
    "add_implicit_def",
    "add_implicit_use",
    "replace_reg",
    "clear_kills",
    "forget_uses",
    "set_class_of_result",
    "log",
];

/// The instructions of a function.
fn instrs(mf: MachineFunction<'_>) -> impl Iterator<Item = MachineInstr<'_>> {
    mf.blocks().flat_map(|block| block.instrs())
}

/// A sum of two registers.
fn sum(mf: MachineFunction<'_>) -> MachineInstr<'_> {
    let is_sum = |mi: &MachineInstr| mi.opcode_name().starts_with("ADD") && mi.num_operands() == 3;
    let has_registers = |mi: &MachineInstr| (1..3).all(|at| mi.operand(at).is_virtual());
    instrs(mf).find(|mi| is_sum(mi) && has_registers(mi)).expect("the function has a sum")
}

/// Edits the function by a method, without regard to what it means then. Those that are deprecated are tried as long as they are there.
#[allow(deprecated)]
pub fn edit(mf: MachineFunction, method: &str) {
    let mi = sum(mf);
    let [result, read, other] = [0, 1, 2].map(|at| mi.operand(at).reg());
    let operands = || {
        [NewOperand::new_def(mf.new_reg_like(result)), NewOperand::new_use(read), NewOperand::new_use(other)]
    };
    let sum_of = |result, inputs: [Register; 2]| NewInstr::new(mi.opcode()).add_def(result).add_uses(&inputs);
    let (block, physical, new) = (mi.block(), Register(1), || mf.new_reg_like(read));
    match method {
        "set_reg" => mi.set_reg(1, other),
        "set_kill" => mi.set_kill(1, !mi.operand(1).is_kill()),
        "set_undef" => mi.set_undef(1, true),
        "set_dead" => mi.set_dead(0, true),
        "set_early_clobber" => mi.set_early_clobber(0),
        "set_immediate" => mi.set_immediate(2, 3),
        "set_opcode" => mi.set_opcode(mf.opcodes().find("KILL").expect("LLVM has it")),
        "change_to" => mi.change_to(NewInstr::new(mi.opcode()).add_uses(&[other, read])),
        "insert" => drop(block.insert(Some(mi), sum_of(new(), [read, other]))),
        "insert_before" => drop(mi.insert_before(sum_of(new(), [read, other]))),
        "insert_after" => drop(mi.insert_after(sum_of(new(), [read, other]))),
        "set_address" => mi.set_address(None, 1, other, 4),
        "set_operation" => mi.set_operation(mi.opcode(), &[other, read]),
        "remove_operand" => mi.remove_operand(2),
        "make_copy" => mi.make_copy(),
        "make_implicit_def" => mi.make_implicit_def(),
        "erase" => mi.erase(),
        "move_before" => mi.move_before(block, block.first()),
        "move_to_end_of" => {
            mi.move_to_end_of(mf.blocks().last().expect("there are blocks"));
        }
        "clone_before" => drop(mi.clone_before(mi)),
        "insert_operation_before" => drop(mi.insert_operation_before(mi.opcode(), &[read, other], None)),
        "insert_operation_behind" => drop(mi.insert_operation_behind(mi.opcode(), read, 1)),
        "insert_instr" => drop(block.insert_instr(Some(mi), mi.opcode(), &operands())),
        "insert_instr_before" => drop(mi.insert_instr_before(mi.opcode(), &operands())),
        "insert_copy_before" => drop(mi.insert_copy_before(new(), read, 0)),
        "insert_copy_of_operand_before" => drop(mi.insert_copy_of_operand_before(new(), 0, 1)),
        "insert_assembly" => drop(block.insert_assembly(Some(mi), "// here")),
        "insert_implicit_def" => drop(block.insert_implicit_def(Some(mi), mi, new())),
        "replace_reg_in_bundle" => mi.replace_reg_in_bundle(read, other),
        "add_register_dead" => mi.add_register_dead(result),
        "add_register_killed" => {
            mi.set_kill(2, false);
            mi.add_register_killed(other);
        }
        "add_phys_reg_dead" => mi.add_phys_reg_dead(physical),
        "add_phys_reg_killed" => mi.add_phys_reg_killed(physical),
        "add_implicit_def" => mi.add_implicit_def(physical),
        "add_implicit_use" => mi.add_implicit_use(physical, false),
        "replace_reg" => mf.replace_reg(read, other),
        "clear_kills" => {
            let killed =
                |mi: &MachineInstr| (0..mi.num_operands()).map(|at| mi.operand(at)).find(|op| op.is_kill());
            mf.clear_kills(instrs(mf).find_map(|mi| killed(&mi)).expect("some operand kills").reg());
        }
        "forget_uses" => mf.forget_uses(read),
        "set_class_of_result" => {
            let class = |mi: &MachineInstr| mf.class_id(mi.operand(0).reg());
            let has_result = |mi: &MachineInstr| mi.num_described_defs() == 1 && mi.operand(0).is_virtual();
            let others =
                instrs(mf).filter(has_result).find(|mi| class(mi) != mf.class_id(result) && !mi.is_phi());
            mf.set_class_of_result(result, others.expect("there is another class").opcode());
        }
        "log" => {
            let mut log = EditLog::new(mf);
            log.set_reg(mi, 1, other);
            log.apply();
        }
        other => panic!("no method is named '{other}'"),
    }
}

/// Edits that change nothing.
pub fn edit_nothing(mf: MachineFunction) {
    let mi = sum(mf);
    let (block, read) = (mi.block(), mi.operand(1));
    mi.set_reg(1, read.reg());
    mi.set_kill(1, read.is_kill());
    mi.set_undef(1, false);
    mi.set_dead(0, false);
    mi.move_before(block, Some(mi));
    mi.move_before(block, mi.next());
    mf.replace_reg(read.reg(), read.reg());
    mf.set_class_of_result(mi.operand(0).reg(), mi.opcode());
    assert!(mf.constrain_class_like(read.reg(), read.reg()));
    for mi in instrs(mf).filter(|mi| mi.num_operands() > 0 && mi.operand(0).is_virtual()) {
        if mf.reg_operands(mi.operand(0).reg()).all(|o| !o.operand.is_kill()) {
            mf.clear_kills(mi.operand(0).reg());
        }
    }
    EditLog::new(mf).apply();
}

extern "C" {
    /// The shim's edits, which the library does not see.
    fn ptx_mi_free(mi: *mut std::ffi::c_void);
}

/// Takes an instruction out, by a call that the library does not hear of.
pub fn edit_unnoted(mf: MachineFunction) {
    // SAFETY: the key is the address of the instruction, to which no handle is used any more.
    unsafe { ptx_mi_free(sum(mf).key() as *mut std::ffi::c_void) }
}
