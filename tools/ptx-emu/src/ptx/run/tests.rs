//! Tests the interpreter by mutation: it must see small changes of a text that change its result,
//! and must not see changes that do not.

use super::super::parse::parse;
use super::super::trace::{compare, Agreement, Difference, Senses};
use super::*;

const HEAD: &str = ".visible .func (.param .b32 func_retval0) f(\n.param .b64 f_param_0,\n.param .b32 f_param_1,\n.param .b32 f_param_2\n)\n\
    {\n.local .align 16 .b8 __local_depot3[16];\n.reg .b64 %SP, %SPL;\n.reg .pred %p<9>;\n.reg .b16 %rs<9>;\n\
    .reg .b32 %r<40>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<20>;\n";

fn with_program<T>(body: &str, use_it: impl FnOnce(&Program) -> T) -> T {
    let functions = parse(&format!("{HEAD}{body}\n}}\n"));
    assert_eq!(functions.len(), 1);
    assert_eq!(functions[0].problem, None, "{body}");
    use_it(&Program::new(&functions[0]))
}

fn traces(body: &str, seeds: u64) -> Vec<Trace> {
    with_program(body, |program| {
        let mut executed = vec![false; program.num_steps()];
        (0..seeds).map(|seed| program.run(seed, 2_000, &mut executed)).collect()
    })
}

/// Compares two texts, ours following stock's branches.
fn check_either(stock: &str, ours: &str) -> Result<Vec<Agreement>, Difference> {
    let stock = traces(stock, 16);
    with_program(ours, |program| {
        let mut executed = vec![false; program.num_steps()];
        let mut follow = |(seed, other): (usize, &Trace)| {
            let ours = program.follow(&other.conditions, seed as u64, 2_000, &mut executed);
            compare(other, &ours, Senses::Either)
        };
        stock.iter().enumerate().map(&mut follow).collect()
    })
}

fn check(stock: &str, ours: &str) -> Result<Vec<Agreement>, Difference> {
    check_seeds(stock, ours, 8)
}

fn check_seeds(stock: &str, ours: &str, seeds: u64) -> Result<Vec<Agreement>, Difference> {
    traces(stock, seeds).iter().zip(&traces(ours, seeds)).map(|(a, b)| compare(a, b, Senses::Same)).collect()
}

/// A kernel with everything that the passes handle: a loop that rotates three values, a PHI of
/// halves, tied assembly, a call, a table, memory of all spaces.
const KERNEL: &str = "\
ld.param.b64 %rd1, [f_param_0];
ld.param.b32 %r1, [f_param_1];
and.b32 %r2, %r1, 7;
mov.b32 %r3, %tid.x;
mov.b32 %r4, 1;
mov.b32 %r5, 2;
mov.b32 %r6, 0;
mov.b64 %rd2, 5;
$L1:
mov.b32 %r7, %r3;
mov.b32 %r3, %r4;
mov.b32 %r4, %r5;
mov.b32 %r5, %r7;
mul.wide.u32 %rd3, %r6, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.b32 [%rd4], %r3;
mov.b64 {%r8, %r9}, %rd2;
add.s32 %r8, %r8, %r5;
mov.b64 %rd2, {%r8, %r9};
add.s32 %r6, %r6, 1;
setp.lt.s32 %p1, %r6, %r2;
@%p1 bra $L1;
mov.b64 %SPL, __local_depot3;
cvta.local.u64 %SP, %SPL;
st.local.v2.b32 [%SPL+8], {%r4, %r5};
ld.b32 %r10, [%SP+12];
{
.param .b32 param0;
st.param.b32 [param0+0], %r10;
.param .align 8 .b8 param1[8];
st.param.b64 [param1+0], %rd2;
.param .b32 retval0;
call.uni (retval0), g, (param0, param1);
ld.param.b32 %r11, [retval0+0];
}
mov.b32 %r12, %r10;
// begin inline asm
// volatile asm %r12 &%r13 <- %r12 : %r11 %rd2
// end inline asm
bar.sync 0;
mov.b32 %f1, %r12;
fma.rn.f32 %f2, %f1, 0f3F800000, %f1;
st.shared.f32 [table+4], %f2;
and.b32 %r14, %r11, 1;
$T: .branchtargets $L2, $L3;
brx.idx %r14, $T;
$L2:
shl.b32 %r13, %r13, 3;
$L3:
st.param.b32 [func_retval0+0], %r13;
ret;";

/// Replaces the text of one line.
fn mutant(from: &str, to: &str) -> String {
    assert_eq!(KERNEL.matches(from).count(), 1, "{from}");
    KERNEL.replace(from, to)
}

#[test]
fn a_text_equals_itself() {
    let agreements = check(KERNEL, KERNEL).expect("equal");
    assert!(agreements.iter().all(|agreement| !agreement.is_prefix && agreement.events >= 4));
    assert!(agreements.iter().any(|agreement| agreement.bytes > 40), "the loop runs more than once");
    assert_eq!(agreements.iter().map(|agreement| agreement.undefined).sum::<u64>(), 0);
}

#[test]
fn every_small_change_is_seen() {
    let changes = [
        // A parallel copy in the wrong order, and one without its temporary.
        (
            "mov.b32 %r7, %r3;\nmov.b32 %r3, %r4;\nmov.b32 %r4, %r5;\n",
            "mov.b32 %r7, %r3;\nmov.b32 %r4, %r5;\nmov.b32 %r3, %r4;\n",
        ),
        ("mov.b32 %r5, %r7;", "mov.b32 %r5, %r3;"),
        // A missing copy.
        ("mov.b32 %r4, %r5;\n", ""),
        ("mov.b32 %r12, %r10;\n", ""),
        // Constants.
        ("mov.b32 %r4, 1;", "mov.b32 %r4, 3;"),
        ("mov.b64 %rd2, 5;", "mov.b64 %rd2, -5;"),
        ("0f3F800000", "0f3F800001"),
        ("[%SP+12]", "[%SP+8]"),
        ("[table+4]", "[table+8]"),
        // Halves.
        ("mov.b64 {%r8, %r9}, %rd2;", "mov.b64 {%r9, %r8}, %rd2;"),
        ("mov.b64 %rd2, {%r8, %r9};", "mov.b64 %rd2, {%r8, %r8};"),
        // Operands.
        ("{%r4, %r5};", "{%r5, %r4};"),
        ("<- %r12 : %r11 %rd2", "<- %r12 : %r12 %rd2"),
        ("fma.rn.f32 %f2, %f1, 0f3F800000, %f1;", "fma.rn.f32 %f2, %f1, %f1, 0f3F800000;"),
        ("call.uni (retval0), g, (param0, param1);", "call.uni (retval0), g, (param1, param0);"),
        // A result that is overwritten before all operands are read.
        ("%r12 &%r13 <- %r12 : %r11 %rd2", "%r12 &%r11 <- %r12 : %r11 %rd2"),
        // Control flow.
        ("@%p1 bra $L1;", "@!%p1 bra $L1;"),
        ("$T: .branchtargets $L2, $L3;", "$T: .branchtargets $L3, $L2;"),
        ("setp.lt.s32", "setp.le.s32"),
        ("setp.lt.s32 %p1, %r6, %r2;", "setp.lt.s32 %p1, %r6, %r21;"),
        ("\n@%p1 bra $L1;", ""),
        // Side effects.
        ("bar.sync 0;\n", ""),
        ("bar.sync 0;", "bar.sync 1;"),
        ("st.global.b32 [%rd4], %r3;\n", ""),
        ("st.global.b32 [%rd4], %r3;\n", "st.global.b32 [%rd4], %r3;\nst.global.b32 [%rd4], %r3;\n"),
        ("ret;", "trap;"),
        // A register that was never written.
        ("st.param.b32 [func_retval0+0], %r13;", "st.param.b32 [func_retval0+0], %r22;"),
        ("mov.b32 %r6, 0;\n", ""),
        ("mov.b64 %rd2, 5;\n", ""),
        // A move after the next definition of its source.
        ("shl.b32 %r13, %r13, 3;", "shl.b32 %r13, %r11, 3;"),
        ("bar.sync 0;\nmov.b32 %f1, %r12;", "mov.b32 %r12, %r11;\nbar.sync 0;\nmov.b32 %f1, %r12;"),
    ];
    for (from, to) in changes {
        assert!(check(KERNEL, &mutant(from, to)).is_err(), "not seen: {from} -> {to}");
    }
}

#[test]
fn what_computes_the_same_is_equal() {
    let changes = [
        // An immediate for a register, another register, an unused copy, exchanged moves.
        ("shl.b32 %r13, %r13, 3;", "mov.b32 %r30, 3;\nshl.b32 %r31, %r13, %r30;\nmov.b32 %r13, %r31;"),
        ("mov.b32 %r4, 1;\n", "mov.b32 %r33, %r3;\nmov.b32 %r4, 1;\n"),
        ("mov.b32 %r4, 1;\nmov.b32 %r5, 2;\n", "mov.b32 %r5, 2;\nmov.b32 %r4, 1;\n"),
        ("mov.b64 {%r8, %r9}, %rd2;", "mov.b64 {%r8, _}, %rd2;\nmov.b64 {_, %r9}, %rd2;"),
        // A branch around another, a renamed label.
        ("@%p1 bra $L1;", "@!%p1 bra $L9;\nbra.uni $L1;\n$L9:"),
        ("st.global.b32", "st.global.u32"),
        ("fma.rn.f32 %f2, %f1, 0f3F800000, %f1;", "mov.b32 %f3, 0f3F800000;\nfma.rn.f32 %f2, %f1, %f3, %f1;"),
    ];
    for (from, to) in changes {
        let compared = check(KERNEL, &mutant(from, to));
        assert!(compared.is_ok(), "{from} -> {to}: {compared:?}");
    }
}

#[test]
fn a_load_does_not_cross_a_barrier_or_a_store() {
    let around = |middle: &str| {
        format!("mov.b64 %rd1, 64;\nmov.b32 %r2, 7;\n{middle}\nst.param.b32 [func_retval0+0], %r1;\nret;")
    };
    for between in ["bar.sync 0;", "st.global.b32 [%rd1], %r2;", "atom.global.add.u32 %r3, [%rd1], %r2;"] {
        let before = around(&format!("ld.global.b32 %r1, [%rd1];\n{between}"));
        let after = around(&format!("{between}\nld.global.b32 %r1, [%rd1];"));
        assert!(check(&before, &after).is_err(), "{between}");
    }
    let before = around("ld.global.nc.b32 %r1, [%rd1];\nbar.sync 0;");
    let after = around("bar.sync 0;\nld.global.nc.b32 %r1, [%rd1];");
    assert!(check(&before, &after).is_ok());
    let before =
        around("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd1];\nst.shared.b32 [%rd1+64], %r2;");
    let after =
        around("st.shared.b32 [%rd1+64], %r2;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd1];");
    assert!(check(&before, &after).is_err());
}

/// The one returned value, with seed 0.
fn returned(body: &str) -> Value {
    let trace = &traces(&format!("{body}\nst.param.b32 [func_retval0+0], %r1;\nret;"), 1)[0];
    let address = symbol_address("func_retval0");
    (0..4).fold(Value::default(), |value, at| {
        let write = trace.segments[0][&(Space::Param, address + at)][0];
        value.append(Value::with_undef(write.byte.into(), write.undef.into(), 8))
    })
}

#[test]
fn arithmetic() {
    let cases = [
        ("mov.b32 %r2, -7;\ndiv.s32 %r1, %r2, 2;", 0xffff_fffd),
        ("mov.b32 %r2, -7;\nshr.s32 %r1, %r2, 40;", 0xffff_ffff),
        ("mov.b32 %r2, -7;\nshr.u32 %r1, %r2, 40;", 0),
        ("mov.b32 %r2, 0xabcd;\nbfe.u32 %r1, %r2, 4, 8;", 0xbc),
        ("mov.b32 %r2, 0xabcd;\nbfe.s32 %r1, %r2, 4, 8;", 0xffff_ffbc),
        ("mov.b32 %r2, -7;\nbfe.u32 %r1, %r2, 28, 8;", 15),
        ("mov.b32 %r2, -7;\nbfe.s32 %r1, %r2, 40, 8;", 0xffff_ffff),
        ("mov.b32 %r2, -7;\nbfe.s32 %r1, %r2, 4, 0;", 0),
        ("mov.b32 %r2, -7;\nmul.hi.s32 %r1, %r2, 3;", 0xffff_ffff),
        ("mov.b32 %r2, -7;\nmul.hi.u32 %r1, %r2, 3;", 2),
        ("mov.b32 %r2, -1;\nmul.wide.s32 %rd1, %r2, 5;\nmov.b64 {_, %r1}, %rd1;", 0xffff_ffff),
        ("mov.b32 %r2, -1;\nmin.s32 %r1, %r2, 5;", 0xffff_ffff),
        ("mov.b32 %r2, -1;\nmin.u32 %r1, %r2, 5;", 5),
        ("mov.b16 %rs1, 0x8001;\ncvt.s32.s16 %r1, %rs1;", 0xffff_8001),
        ("mov.b16 %rs1, 0x8001;\ncvt.u32.u8 %r1, %rs1;", 1),
        ("mov.b32 %r2, 0x1ff;\ncvt.s8.s32 %rs1, %r2;\nmov.b32 %r1, {%rs1, 2};", 0x2_ffff),
        ("setp.lt.s32 %p1, -1, 0;\nselp.b32 %r1, 3, 4, %p1;", 3),
        ("setp.lt.u32 %p1, 0xffffffff, 0;\nnot.pred %p1, %p1;\n@!%p1 mov.b32 %r1, 9;\n@%p1 mov.b32 %r1, 8;", 8),
        ("mad.lo.s32 %r1, 3, 4, 5;", 17),
        ("mov.b64 %rd1, 0x100;\ncvta.shared.u64 %rd2, %rd1;\nmov.b32 %r2, 6;\nst.shared.b32 [%rd1], %r2;\nld.b32 %r1, [%rd2];", 6),
        ("mov.b64 %rd1, 0x100;\nmov.b32 %r2, -2;\nst.local.b8 [%rd1], %r2;\nld.local.s8 %r1, [%rd1];", 0xffff_fffe),
    ];
    for (body, expected) in cases {
        assert_eq!(returned(body).defined(), Some(expected), "{body}");
    }
}

#[test]
fn undefined_bits() {
    assert_eq!(returned("mov.b32 %r1, %r2;").undef, 0xffff_ffff);
    assert_eq!(returned("mov.b32 %r1, 4;\n// implicit-def: %r1").undef, 0xffff_ffff);
    assert_eq!(returned("mov.b32 %r1, {%rs1, 4};").undef, 0xffff);
    assert_eq!(returned("and.b32 %r1, %r2, 255;").undef, 0xff);
    assert_eq!(returned("or.b32 %r1, %r2, 255;").undef, 0xffff_ff00);
    assert_eq!(returned("add.s32 %r1, %r2, 1;").undef, 0xffff_ffff);
    assert_eq!(returned("popc.b32 %r1, %r2;").undef, 0xffff_ffff);
    assert_eq!(returned("mov.b32 %r1, 4;\n@%p1 mov.b32 %r1, 5;").undef, 0xffff_ffff);
}

#[test]
fn undefined_branches_and_addresses_end_the_run() {
    let end = |body| traces(body, 1)[0].end.clone();
    assert!(matches!(end("@%p1 bra $A;\n$A: ret;"), End::Undefined(..)));
    assert!(matches!(end("st.global.b32 [%rd1], 1;\nret;"), End::Undefined(..)));
    assert!(matches!(end("bra $A;\n$A: ret;"), End::Done));
    assert!(matches!(end("$A: bra $A;"), End::Budget));
}

#[test]
fn a_carry_is_a_value() {
    let text = |last: &str| {
        format!("mov.b32 %r2, 5;\nadd.cc.u32 %r3, %r2, 7;\n{last}addc.u32 %r1, %r2, 0;\nst.param.b32 [func_retval0+0], %r1;\nret;")
    };
    assert!(check(&text(""), &text("add.cc.u32 %r4, %r2, 9;\n")).is_err());
}

#[test]
fn a_forced_branch_runs_both_sides_and_compares_its_condition() {
    let text = |condition: &str| {
        format!("setp.eq.s32 %p1, 1, {condition};\n@%p1 bra $A;\nst.global.b32 [64], 1;\nret;\n$A: st.global.b32 [64], 2;\nret;")
    };
    let stored: Vec<u8> =
        traces(&text("2"), 8).iter().map(|t| t.segments[0][&(Space::Global, 64)][0].byte).collect();
    assert!(stored.iter().step_by(2).all(|&byte| byte == 1), "even seeds obey the condition");
    assert!(stored.contains(&2), "the others do not");
    let forced = |condition| traces(&text(condition), 2).remove(1);
    assert!(compare(&forced("2"), &forced("1"), Senses::Same).is_err());
    assert!(compare(&forced("2"), &forced("3"), Senses::Same).is_ok());
}

/// Two branches on values that no input has; the last block stores.
fn behind_two_branches(first: [&str; 2], second: [&str; 2], value: u8) -> String {
    let [[first, not_first], [second, not_second]] = [first, second];
    format!(
        "ld.param.b32 %r1, [f_param_1];\nsetp.{first}.s32 %p1, %r1, 12345;\n@%p1 bra {not_first};\n$A: setp.{second}.s32 %p2, %r1, 54321;\n\
         @%p2 bra {not_second};\n$C: st.global.b32 [64], {value};\nret;\n$B: st.global.b32 [64], 7;\nret;\n$D: st.global.b32 [64], 8;\nret;"
    )
}

#[test]
fn an_opposite_branch_must_exchange_its_targets() {
    let stock = behind_two_branches(["ne", "$B"], ["ne", "$D"], 1);
    let opposite = "ld.param.b32 %r1, [f_param_1];\nsetp.eq.s32 %p1, %r1, 12345;\n@%p1 bra $A;\n$B: st.global.b32 [64], 7;\nret;\n\
         $A: setp.eq.s32 %p2, %r1, 54321;\n@!%p2 bra $D;\n$C: st.global.b32 [64], 1;\nret;\n$D: st.global.b32 [64], 8;\nret;";
    assert!(check(&stock, opposite).is_err());
    assert!(check_either(&stock, opposite).is_ok());
    for wrong in [
        opposite.replace("eq.s32 %p1", "ne.s32 %p1"),
        opposite.replace("bra $D", "bra $C"),
        opposite.replace("], 1;", "], 3;"),
    ] {
        assert!(check_either(&stock, &wrong).is_err(), "{wrong}");
    }
}

/// The runs with forced branches must reach the same blocks as those that found the difference.
#[test]
fn a_wrong_value_after_branches_is_found_whatever_their_senses() {
    let of = |value| behind_two_branches(["ne", "$B"], ["ne", "$D"], value);
    assert!(check(&of(1), &of(3)).is_err());
    assert!(check_either(&of(1), &of(3)).is_err());
}

#[test]
fn a_sense_may_not_change_and_an_undefined_branch_is_followed() {
    let branch = |condition: &str, [first, second]: [u8; 2]| {
        format!("{condition}\n@%p1 bra $A;\nst.global.b32 [64], {first};\nret;\n$A: st.global.b32 [64], {second};\nret;")
    };
    assert!(check_either(&branch("", [1, 2]), &branch("", [1, 2])).is_ok());
    assert!(check_either(&branch("", [1, 2]), &branch("", [3, 4])).is_err(), "of an undefined predicate");
    let defined = "setp.eq.s32 %p1, 1, 1;";
    assert!(check_either(&branch(defined, [1, 2]), &branch("", [1, 2])).is_err());
    let looped = |condition: &str| {
        format!("mov.b32 %r1, 0;\n$A: add.s32 %r1, %r1, 1;\nsetp.{condition} %p1, %r1, 3;\n@%p1 bra $B;\n$B: setp.lt.s32 %p2, %r1, 5;\n@%p2 bra $A;\nret;")
    };
    assert!(check_either(&looped("lt.s32"), &looped("ge.s32")).is_ok(), "its targets are the same");
    assert!(check_either(&looped("lt.s32"), &looped("gt.s32")).is_err(), "they differ for 3 alone");
}

/// Instruction selection turns `lt` into `geu`, which is true for NaN.
#[test]
fn a_comparison_of_floats_has_an_opposite() {
    let text = |order: &str, [first, second]: [u8; 2]| {
        format!("ld.param.b64 %rd1, [f_param_0];\nld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nsetp.{order}.f32 %p1, %f1, %f2;\n\
             @%p1 bra $A;\nst.global.b32 [64], {first};\nret;\n$A: st.global.b32 [64], {second};\nret;")
    };
    for (order, opposite) in [
        ("lt", "geu"),
        ("le", "gtu"),
        ("gt", "leu"),
        ("ge", "ltu"),
        ("eq", "neu"),
        ("ne", "equ"),
        ("num", "nan"),
    ] {
        let stock = text(order, [1, 2]);
        assert!(check_either(&stock, &text(opposite, [2, 1])).is_ok(), "{order}");
        assert!(check_either(&stock, &text(opposite, [1, 2])).is_err(), "{order}");
        assert!(
            check_either(&stock, &text(&opposite.replace('u', ""), [2, 1])).is_err() || order == "num",
            "{order}"
        );
        assert!(check(&stock, &text(opposite, [1, 2])).is_err(), "{order}");
    }
}

#[test]
fn an_index_of_a_table_has_no_opposite() {
    let table = |index: &str| {
        format!(
            "ld.param.b32 %r1, [f_param_1];\n{index}\n$T: .branchtargets $A, $B;\nbrx.idx %r2, $T;\n$A: st.global.b32 [64], 1;\nret;\n\
             $B: st.global.b32 [64], 2;\nret;"
        )
    };
    let stock = table("and.b32 %r2, %r1, 1;");
    assert!(check_either(&stock, &stock).is_ok());
    assert!(check_either(&stock, &table("and.b32 %r2, %r1, 3;")).is_err());
    assert!(check_either(&stock, &table("not.b32 %r2, %r1;\nand.b32 %r2, %r2, 1;")).is_err());
}

/// LLVM does not order an ordinary store and a volatile access to other bytes;
/// `-ptx-emit-order=pressure` showed this.
#[test]
fn a_store_crosses_volatile_accesses_of_other_bytes_only() {
    let text = |first: &str, second: &str| format!("mov.b32 %r1, 3;\n{first}\n{second}\nret;");
    let equal = |a: &str, b: &str| check(&text(a, b), &text(b, a)).is_ok();
    let store = "st.global.b32 [64], %r1;";
    assert!(equal(store, "ld.volatile.global.b32 %r2, [68];"));
    assert!(equal(store, "st.volatile.global.b32 [68], 4;"));
    assert!(!equal(store, "ld.volatile.global.b32 %r2, [66];"));
    assert!(!equal(store, "st.volatile.global.b32 [64], 4;"));
    assert!(!equal(store, "ld.acquire.sys.global.b32 %r2, [68];"));
    assert!(!equal("st.volatile.global.b32 [64], %r1;", "ld.volatile.global.b32 %r2, [68];"));
}

/// Loads two parameters; inline assembly chooses between two numbers by `condition`. The result is
/// returned if the second parameter is at least 4. The assembly stands before the branch, or where
/// its result is needed.
fn with_assembly(assembly: &str, is_moved: bool) -> String {
    let assembly = format!("// begin inline asm\n{assembly}\n// end inline asm\n");
    let [before, after] = if is_moved { ["", &assembly] } else { [&assembly as &str, ""] };
    format!(
        "ld.param.b32 %r3, [f_param_1];\nld.param.b32 %r4, [f_param_2];\nmov.b32 %r2, %r4;\n{before}\
         setp.lt.u32 %p1, %r4, 4;\n@%p1 bra $A;\n{after}st.volatile.global.b32 [64], %r2;\n\
         $A: setp.gt.u32 %p2, %r3, 9;\n@%p2 bra $B;\nst.volatile.global.b32 [64], 7;\n$B: ret;"
    )
}

/// Writes %r2: 1 if the condition on %r3 and %r4 holds, otherwise 2.
fn choosing(condition: &str) -> String {
    format!("{{ .reg .pred p; setp.{condition}; mov.u32 %r2, 1; @p bra L; mov.u32 %r2, 2; L: }}")
}

#[test]
fn assembly_with_a_branch_is_the_same_on_both_sides_of_a_branch() {
    let tables = "{ .reg .b32 t; and.b32 t, %r3, 1; T: .branchtargets A, B; brx.idx t, T;\n\
                  A: mov.b32 %r2, 1; bra E; B: mov.b32 %r2, 2; E: }";
    let looping =
        "{ .reg .pred p; mov.b32 %r2, 0; L: add.s32 %r2, %r2, 3; setp.lt.u32 p, %r2, %r3; @p bra L; }";
    let nested = "{ .reg .pred p; setp.lt.u32 p, %r3, %r4; mov.b32 %r2, 1; @p bra L; setp.eq.u32 p, %r3, 3; @p bra L; mov.b32 %r2, 2; L: }";
    for assembly in [&choosing("eq.u32 p, %r3, 0"), tables, looping, nested] {
        let compared = check(&with_assembly(assembly, false), &with_assembly(assembly, true));
        assert!(compared.is_ok(), "{assembly}: {compared:?}");
        let compared = check(&with_assembly(assembly, true), &with_assembly(assembly, false));
        assert!(compared.is_ok(), "{assembly}: {compared:?}");
    }
}

#[test]
fn both_sides_of_a_forced_branch_in_assembly_are_run() {
    let text = with_assembly(&choosing("eq.u32 p, 1, 2"), false).replace("@%p1 bra $A;\n", "");
    let stored = |trace: &Trace| trace.events.iter().find_map(|event| event.operands.get(1)?.defined());
    let stored: Vec<_> = traces(&text, 16).iter().map(stored).collect();
    assert!(stored.iter().step_by(2).all(|&number| number == Some(2)), "even seeds obey the condition");
    for number in [1, 2] {
        let is_there = stored.iter().skip(1).step_by(2).any(|&stored| stored == Some(number));
        assert!(is_there, "forced runs do both: {stored:?}");
    }
}

#[test]
fn a_wrong_condition_or_result_of_assembly_with_a_branch_is_seen() {
    let right = with_assembly(&choosing("lt.u32 p, %r3, %r4"), false);
    let wrong = [
        choosing("lt.u32 p, %r4, %r3"),
        choosing("lt.u32 p, %r3, %r4").replace("@p", "@!p"),
        choosing("lt.u32 p, %r3, %r4").replace("%r2, 2", "%r2, 3"),
    ];
    for assembly in wrong {
        for is_moved in [false, true] {
            assert!(check(&right, &with_assembly(&assembly, is_moved)).is_err(), "{assembly}");
        }
    }
    let other = with_assembly(&choosing("lt.u32 p, %r3, %r5"), true);
    assert!(check(&right, &other).is_err(), "nothing has written %r5");
    let clobbered = right.replace("setp.lt.u32 %p1", "mov.b32 %r2, %r3;\nsetp.lt.u32 %p1");
    assert!(check(&right, &clobbered).is_err());
}

/// Forced branches may skip both definitions of a result, which then has the old value of its
/// register.
#[test]
fn a_result_that_forced_branches_pass_by_is_undefined() {
    let assembly = "{ .reg .pred p; setp.lt.u32 p, %r3, %r4; @p bra A; mov.b32 %r2, 1; A: @!p bra B; mov.b32 %r2, 2; B: }";
    let text = with_assembly(assembly, false);
    let compared = check_seeds(&text, &text.replace("mov.b32 %r2, %r4;", "mov.b32 %r2, %r3;"), 64);
    assert!(compared.is_ok(), "{compared:?}");
    let in_out = text.replace("@p bra A;", "add.s32 %r3, %r2, 1; @p bra A;");
    let other = in_out.replace("mov.b32 %r2, %r4;", "mov.b32 %r2, %r3;");
    assert!(check(&in_out, &other).is_err(), "it is read first");
}

#[test]
fn an_undefined_condition_makes_the_results_of_assembly_undefined() {
    let text = |assembly: &str, result: &str| {
        format!("// begin inline asm\n{assembly}\n// end inline asm\nmov.b32 %r1, {result};\nst.param.b32 [func_retval0+0], %r1;\nret;")
    };
    let pure = choosing("lt.u32 p, %r3, %r4");
    assert!(traces(&text(&pure, "5"), 8).iter().all(|trace| trace.end == End::Done));
    assert!(check(&text(&pure, "5"), &text(&pure, "%r2")).is_err());
    assert!(check(&text(&pure, "%r2"), &text(&pure, "5")).is_ok());
    let storing = pure.replace("mov.u32 %r2, 2;", "mov.u32 %r2, 2; st.global.b32 [64], %r2;");
    assert!(traces(&text(&storing, "5"), 8).iter().all(|trace| matches!(trace.end, End::Undefined(..))));
}

#[test]
fn assembly_that_loops_for_long_may_be_left_out_where_nothing_needs_it() {
    let forever =
        "{ .reg .pred p; mov.b32 %r2, 0; L: add.s32 %r2, %r2, 1; setp.ne.b32 p, %r2, 0; @p bra L; }";
    for [from, to] in [[false, true], [true, false]] {
        let compared = check_seeds(&with_assembly(forever, from), &with_assembly(forever, to), 64);
        assert!(compared.is_ok(), "{compared:?}");
    }
    let text = with_assembly(forever, false);
    assert!(
        check_seeds(&text, &text.replace("[64], 7", "[64], 8"), 64).is_err(),
        "what comes after it is compared"
    );
    let storing = forever.replace("@p bra L;", "st.global.b32 [64], %r2; @p bra L;");
    let ends = traces(&with_assembly(&storing, false), 2).into_iter().map(|trace| trace.end);
    assert_eq!(ends.collect::<Vec<_>>()[0], End::Budget);
}

#[test]
fn a_volatile_load_of_fewer_bits_than_its_register_is_extended() {
    let body = |load: &str, product: &str| {
        format!(
            "ld.param.b64 %rd1, [f_param_0];\nld.param.b32 %r1, [f_param_1];\n{load}\n{product}\n\
             st.global.b64 [%rd1], %rd4;\nret;"
        )
    };
    let wide =
        body("ld.volatile.global.b32 %rd2, [%rd1];\ncvt.u64.u32 %rd3, %r1;", "mul.lo.s64 %rd4, %rd3, %rd2;");
    let narrow = body("ld.volatile.global.b32 %r2, [%rd1];", "mul.wide.u32 %rd4, %r1, %r2;");
    assert!(check(&wide, &narrow).is_ok());
    let other = body("ld.volatile.global.b32 %r2, [%rd1];", "mul.wide.s32 %rd4, %r1, %r2;");
    assert!(check(&wide, &other).is_err());
}

#[test]
fn an_approximation_may_flush_and_others_may_not() {
    let body = |opcode: &str| {
        format!(
            "ld.param.b32 %r1, [f_param_1];\n{opcode} %r2, %r1;\nst.param.b32 [func_retval0+0], %r2;\nret;"
        )
    };
    let are_equal = |stock: &str, ours: &str| check(&body(stock), &body(ours)).is_ok();
    for name in ["rsqrt", "sqrt", "lg2"] {
        assert!(are_equal(&format!("{name}.approx.f32"), &format!("{name}.approx.ftz.f32")), "{name}");
    }
    assert!(!are_equal("rsqrt.approx.f32", "sqrt.approx.ftz.f32"));
    assert!(!are_equal("ex2.approx.f32", "ex2.approx.ftz.f32"));
    assert!(!are_equal("sqrt.rn.f32", "sqrt.rn.ftz.f32"));
}
