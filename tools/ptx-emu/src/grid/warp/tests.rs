use super::super::block::{run, Outcome, Program, Stop, Undefined};
use super::super::float::Approximation;
use super::super::launch::{buffer_address, Argument, Buffer, Launch};

/// Runs a kernel. In each thread %r1 holds its number in the grid, and %rd1 the address of its
/// word.
fn outcome(body: &str, module: &str, grid: u32, block: u32) -> Outcome {
    let text = format!(
        "{module}\n.visible .entry k(\n.param .b64 k_param_0\n)\n{{\n.reg .b16 %rs<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred %p<9>;\n\
         ld.param.b64 %rd2, [k_param_0];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n\
         mad.lo.s32 %r1, %r2, %r3, %r4;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd2, %rd3;\n{body}\nret;\n}}\n"
    );
    let program = Program::new(&text).expect("a module");
    let mut launch = Launch::new("k".to_owned());
    (launch.grid[0], launch.block[0]) = (grid, block);
    launch.arguments =
        vec![Argument::Buffer(Buffer { address: buffer_address(0), size: 4096, ..Buffer::default() })];
    run(&program, &launch, Undefined::Tracked, 10_000_000).expect("all is known")
}

/// The word that each thread leaves.
fn words_of(body: &str, module: &str, grid: u32, block: u32) -> Vec<u32> {
    let outcome = outcome(body, module, grid, block);
    assert_eq!((outcome.stop, outcome.partial), (None, 0), "{body}");
    let mut global = outcome.global;
    (0..u64::from(grid * block))
        .map(|at| {
            let (word, undefined) = global.read(buffer_address(0) + 4 * at, 4);
            assert_eq!(undefined, 0, "{body}");
            word as u32
        })
        .collect()
}

fn words(body: &str) -> Vec<u32> {
    words_of(&format!("{body}\nst.global.b32 [%rd1], %r9;"), "", 1, 32)
}

fn check(body: &str, expected: impl Fn(u32) -> u32) {
    assert_eq!(words(body), (0..32).map(expected).collect::<Vec<_>>(), "{body}");
}

#[test]
fn approximations_have_values_where_they_are_asked_for() {
    let text = |opcode: &str| {
        format!(
            ".visible .entry k(\n.param .b64 k_param_0\n)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
             ld.param.b64 %rd1, [k_param_0];\nmov.b32 %r1, 0f40400000;\n{opcode} %r2, %r1;\nst.global.b32 [%rd1], %r2;\nret;\n}}\n"
        )
    };
    let result = |program: Program| -> Result<u64, crate::Error> {
        let mut launch = Launch::new("k".to_owned());
        launch.arguments =
            vec![Argument::Buffer(Buffer { address: buffer_address(0), size: 4, ..Buffer::default() })];
        let mut outcome = run(&program, &launch, Undefined::Tracked, 1_000)?;
        assert_eq!(outcome.stop, None);
        Ok(outcome.global.read(buffer_address(0), 4).0)
    };
    let text_of_rcp = text("rcp.approx.f32");
    let third = Ok(u64::from((1f32 / 3.0).to_bits()));
    assert_eq!(result(Program::with(&text_of_rcp, Approximation::Value).expect("a module")), third);
    assert_ne!(result(Program::new(&text_of_rcp).expect("a module")), third);
    // ptxas rejects it: it has a hash, but no value.
    let wrong = text("tanh.approx.ftz.f32");
    assert!(result(Program::new(&wrong).expect("a module")).is_ok());
    let stop = result(Program::with(&wrong, Approximation::Value).expect("a module"));
    assert!(matches!(stop, Err(why) if why.to_string().contains("tanh.approx.ftz.f32")));
}

#[test]
fn lanes_part_and_meet() {
    check("setp.lt.u32 %p1, %r1, 7;\nmov.b32 %r9, 1;\n@%p1 bra $A;\nmov.b32 %r9, 2;\n$A: add.s32 %r9, %r9, %r1;", |lane| {
        lane + if lane < 7 { 1 } else { 2 }
    });
    // Each lane runs the loop as often as its number says.
    check("mov.b32 %r9, 0;\nmov.b32 %r5, 0;\n$L: setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra $E;\nadd.s32 %r9, %r9, 3;\nadd.s32 %r5, %r5, 1;\nbra $L;\n$E:", |lane| 3 * lane);
    check(
        "mov.b32 %r9, 5;\nsetp.eq.s32 %p1, %r1, 3;\n@%p1 mov.b32 %r9, 6;\n@!%p1 add.s32 %r9, %r9, %r1;",
        |lane| if lane == 3 { 6 } else { 5 + lane },
    );
    check("and.b32 %r5, %r1, 3;\n$T: .branchtargets $A, $B, $C, $B;\nbrx.idx %r5, $T;\n$A: mov.b32 %r9, 10;\nbra $E;\n$B: mov.b32 %r9, 20;\nbra $E;\n$C: mov.b32 %r9, 30;\n$E:", |lane| [10, 20, 30, 20][lane as usize % 4]);
}

#[test]
fn lanes_that_are_apart_wait_for_each_other() {
    // One half arrives on another path, and later.
    let body = "setp.lt.u32 %p1, %r1, 16;\nmov.b32 %r5, %r1;\n@%p1 bra $A;\nadd.s32 %r5, %r5, 100;\nadd.s32 %r5, %r5, 100;\nbra $M;\n$A: add.s32 %r5, %r5, 1;\n$M: shfl.sync.bfly.b32 %r9, %r5, 16, 31, -1;";
    check(body, |lane| if lane < 16 { lane + 16 + 200 } else { lane - 16 + 1 });
}

#[test]
fn shuffles() {
    check("shfl.sync.up.b32 %r9|%p1, %r1, 1, 0, -1;\n@!%p1 mov.b32 %r9, 99;", |lane| {
        if lane == 0 {
            99
        } else {
            lane - 1
        }
    });
    check("shfl.sync.down.b32 %r9, %r1, 3, 31, -1;", |lane| if lane + 3 < 32 { lane + 3 } else { lane });
    check("shfl.sync.idx.b32 %r9, %r1, 5, 31, -1;", |_| 5);
    // Segments of eight lanes.
    check("shfl.sync.idx.b32 %r9, %r1, 2, 6175, -1;", |lane| lane / 8 * 8 + 2);
    check("shfl.sync.down.b32 %r9|%p1, %r1, 1, 6175, -1;\n@!%p1 mov.b32 %r9, 77;", |lane| {
        if lane % 8 == 7 {
            77
        } else {
            lane + 1
        }
    });
}

#[test]
fn votes_and_reductions() {
    check("setp.lt.u32 %p1, %r1, 5;\nvote.sync.ballot.b32 %r9, %p1, -1;", |_| 31);
    check("setp.lt.u32 %p1, %r1, 5;\nvote.sync.any.pred %p2, %p1, -1;\nselp.b32 %r9, 1, 2, %p2;", |_| 1);
    check("setp.lt.u32 %p1, %r1, 5;\nvote.sync.all.pred %p2, %p1, -1;\nselp.b32 %r9, 1, 2, %p2;", |_| 2);
    check("setp.lt.u32 %p1, %r1, 5;\nvote.sync.uni.pred %p2, %p1, -1;\nselp.b32 %r9, 1, 2, %p2;", |_| 2);
    check("and.b32 %r5, %r1, 1;\nmatch.any.sync.b32 %r9, %r5, -1;", |lane| 0x5555_5555 << (lane % 2));
    check("redux.sync.add.s32 %r9, %r1, -1;", |_| 31 * 16);
    check("redux.sync.max.u32 %r9, %r1, -1;", |_| 31);
    check("activemask.b32 %r9;", |_| u32::MAX);
    check("mov.u32 %r9, %lanemask_lt;", |lane| (1 << lane) - 1);
}

#[test]
fn memory_of_each_space() {
    let module = ".shared .align 4 .b8 tile[512];\n.const .align 4 .b32 table[4] = {5, 6, 7, 8};";
    // Each thread reads its neighbour's word of shared memory, in blocks of two warps.
    let body = "mov.b32 %r5, tile;\nshl.b32 %r6, %r4, 2;\nadd.s32 %r7, %r5, %r6;\nst.shared.b32 [%r7], %r1;\nbar.sync 0;\n\
        xor.b32 %r8, %r6, 128;\nadd.s32 %r8, %r5, %r8;\nld.shared.b32 %r9, [%r8];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, module, 2, 64), (0..128).map(|at| at ^ 32).collect::<Vec<u32>>());
    let body = "mov.b64 %rd5, table;\nand.b32 %r5, %r1, 3;\nmul.wide.u32 %rd6, %r5, 4;\nadd.s64 %rd5, %rd5, %rd6;\nld.const.b32 %r9, [%rd5];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, module, 1, 8), [5, 6, 7, 8, 5, 6, 7, 8]);
    let body = ".local .align 8 .b8 __local_depot0[64];\nmov.b64 %rd5, __local_depot0;\ncvta.local.u64 %rd6, %rd5;\nst.local.b32 [%rd5+8], %r1;\nst.b16 [%rd6+8], 7;\nld.b32 %r9, [%rd6+8];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, "", 1, 32), [7; 32]);
    let body = "mov.b32 %r5, -2;\nst.global.b8 [%rd1], %r5;\nld.global.s8 %r9, [%rd1];\nld.global.u8 %rs1, [%rd1];\ncvt.u32.u16 %r6, %rs1;\nadd.s32 %r9, %r9, %r6;\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, "", 1, 4), [252; 4]);
}

#[test]
fn atomics() {
    let counter = ".global .align 4 .b32 counter = 10;";
    let add = "mov.b64 %rd5, counter;\natom.global.add.u32 %r9, [%rd5], 2;\nst.global.b32 [%rd1], %r9;";
    let mut sums = words_of(add, counter, 2, 64);
    sums.sort_unstable();
    assert_eq!(sums, (0..128).map(|at| 10 + 2 * at).collect::<Vec<u32>>());
    let swap = "mov.b64 %rd5, counter;\natom.global.cas.b32 %r9, [%rd5], 10, 3;\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(swap, counter, 1, 3), [10, 3, 3]);
    let wrap = "mov.b64 %rd5, counter;\natom.global.inc.u32 %r9, [%rd5], 11;\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(wrap, counter, 1, 4), [10, 11, 0, 1]);
    let max = "mov.b64 %rd5, counter;\nneg.s32 %r5, %r1;\nred.global.min.s32 [%rd5], %r5;\nbar.sync 0;\nld.global.b32 %r9, [%rd5];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(max, counter, 1, 4), [-3_i32 as u32; 4]);
}

#[test]
fn atomic_sums_flush_subnormal_numbers_in_global_memory_alone() {
    // 2^-127 + 2^-127 is the least normal number.
    let sum = |space: &str| {
        let variable = format!(".{space} .align 4 .b32 sum;");
        let body = format!(
            "mov.b64 %rd5, sum;\nst.{space}.b32 [%rd5], 0x400000;\natom.{space}.add.f32 %r8, [%rd5], 0f00400000;\n\
             ld.{space}.b32 %r9, [%rd5];\nst.global.b32 [%rd1], %r9;"
        );
        words_of(&body, &variable, 1, 1)[0]
    };
    assert_eq!([sum("global"), sum("shared")], [0, 0x0080_0000]);
}

#[test]
fn a_lock_that_lanes_spin_for_is_given_on() {
    // Each lane takes the lock in turn, although others of its warp wait for it.
    let lock = ".global .align 4 .b32 lock = 0;\n.global .align 4 .b32 sum = 0;";
    let body = "mov.b64 %rd5, lock;\nmov.b64 %rd6, sum;\n$L: atom.global.cas.b32 %r5, [%rd5], 0, 1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra $L;\n\
        ld.volatile.global.b32 %r6, [%rd6];\nadd.s32 %r6, %r6, 1;\nst.volatile.global.b32 [%rd6], %r6;\natom.global.exch.b32 %r7, [%rd5], 0;\n\
        bar.sync 0;\nld.global.b32 %r9, [%rd6];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, lock, 1, 8), [8; 8]);
}

#[test]
fn barriers_count_threads() {
    // A barrier does not wait for threads that have left. One with a number of threads waits for
    // that many.
    let body = "setp.ge.u32 %p1, %r1, 64;\n@%p1 ret;\nsetp.lt.u32 %p2, %r1, 9;\nbar.red.popc.u32 %r9, 0, %p2;\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, "", 1, 96)[..64], [9; 64]);
    let body = "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra $B;\nst.global.b32 [%rd1], %r1;\nbar.arrive 1, 64;\nret;\n$B: bar.sync 1, 64;\nld.global.b32 %r9, [%rd1+-128];\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, "", 1, 64), (0..64).map(|at| at % 32).collect::<Vec<u32>>());
    let stop = outcome("setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;", "", 1, 64).stop;
    assert_eq!(stop, Some(Stop::Deadlock));
}

#[test]
fn calls_have_registers_and_parameters_of_their_own() {
    let module = "\
.func  (.param .b32 func_retval0) twice(\n.param .b32 twice_param_0\n)\n{\n.reg .b32 %r<9>;\n.reg .pred %p<2>;\n\
ld.param.b32 %r1, [twice_param_0];\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra $S;\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [func_retval0], %r2;\nret;\n\
$S: st.param.b32 [func_retval0], 1;\nret;\n}";
    let call = |callee: &str, more: &str| {
        format!(
            "{{\n.param .b32 param0;\nst.param.b32 [param0], %r1;\n.param .b32 retval0;\ncall{more} (retval0), {callee}, (param0){};\nld.param.b32 %r9, [retval0];\n}}\nadd.s32 %r9, %r9, %r1;\nst.global.b32 [%rd1], %r9;",
            if more.is_empty() { ", proto" } else { "" }
        )
    };
    let expected: Vec<u32> = (0..32).map(|lane| lane + if lane < 4 { 1 } else { 2 * lane }).collect();
    assert_eq!(words_of(&call("twice", ".uni"), module, 1, 32), expected);
    let indirect = format!("mov.b64 %rd7, twice;\n{}", call("%rd7", ""));
    assert_eq!(words_of(&indirect, module, 1, 32), expected);
}

#[test]
fn a_frame_is_kept_while_lanes_wait_in_a_function_that_it_called() {
    let head = |name: &str| {
        format!(".func  (.param .b32 func_retval0) {name}(\n.param .b32 {name}_param_0\n)\n{{\n.reg .b32 %r<9>;\n.reg .pred %p<2>;\nld.param.b32 %r1, [{name}_param_0];\n")
    };
    let call = |callee: &str, argument: &str, result: &str| {
        format!("{{\n.param .b32 param0;\nst.param.b32 [param0], {argument};\n.param .b32 retval0;\ncall.uni (retval0), {callee}, (param0);\nld.param.b32 {result}, [retval0];\n}}\n")
    };
    let give = |value: &str| format!("st.param.b32 [func_retval0], {value};\nret;\n");
    // The lower lanes wait inside `inner`. The upper ones leave `outer`, and call another function
    // before they reach the barrier.
    let inner = format!("{}bar.sync 0;\n{}}}\n", head("inner"), give("%r1"));
    let twice = format!("{}add.s32 %r2, %r1, %r1;\n{}}}\n", head("twice"), give("%r2"));
    let outer = format!(
        "{}mul.lo.s32 %r2, %r1, 3;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra $S;\n{}add.s32 %r4, %r2, %r3;\n{}$S: {}}}\n",
        head("outer"),
        call("inner", "%r1", "%r3"),
        give("%r4"),
        give("%r1")
    );
    let body = format!(
        "{}setp.lt.u32 %p1, %r1, 16;\n@%p1 bra $E;\n{}bar.sync 0;\n$E: st.global.b32 [%rd1], %r9;",
        call("outer", "%r1", "%r9"),
        call("twice", "%r9", "%r9")
    );
    let expected: Vec<u32> = (0..32).map(|lane| if lane < 16 { 4 * lane } else { 2 * lane }).collect();
    assert_eq!(words_of(&body, &format!("{inner}{twice}{outer}"), 1, 32), expected);
}

#[test]
fn what_is_undefined_says_so() {
    let ends = |body: &str| outcome(body, "", 1, 32).stop;
    assert!(matches!(ends("@%p1 bra $A;\n$A:"), Some(Stop::Undefined(_, "a guard"))));
    let atomic = "@%p1 atom.global.add.u32 %r5, [%rd1], 1;";
    assert!(matches!(ends(atomic), Some(Stop::Undefined(_, "a guard"))));
    assert!(matches!(ends("st.global.b32 [%rd9], 1;"), Some(Stop::Undefined(_, "an address"))));
    assert!(matches!(ends("st.global.b32 [%rd1+2], 1;"), Some(Stop::Fault(..))));
    assert!(matches!(ends("trap;"), Some(Stop::Trap(..))));
    let mut stored =
        outcome("mov.b32 %r9, 4;\n@%p1 mov.b32 %r9, 5;\nst.global.b32 [%rd1], %r9;", "", 1, 32).global;
    assert_eq!(stored.read(buffer_address(0), 4).1, 0xffff_ffff);
    // One lane alone.
    let body = "setp.ne.s32 %p1, %r1, 3;\n@%p1 mov.b32 %r9, 5;\nst.global.b32 [%rd1], %r9;";
    let mut stored = outcome(body, "", 1, 32).global;
    let undefined: Vec<u64> =
        (0..32).filter(|at| stored.read(buffer_address(0) + 4 * at, 4).1 != 0).collect();
    assert_eq!(undefined, [3]);
    check("selp.b32 %r9, %r1, %r30, 1;", |lane| lane);
}

/// `llc` writes `mov.b64 %rd, {%r1, %r2}` with an %r2 that no instruction has written, if only the
/// low word of the pair is read. The run stopped at an address computed from that word.
#[test]
fn a_word_of_a_pair_is_known_though_the_other_is_undefined() {
    let pair = "mov.b64 %rd9, {%r1, %r30};\n";
    let expects = |body: &str, expected: fn(u32) -> u32| check(&format!("{pair}{body}"), expected);
    expects("cvt.u32.u64 %r9, %rd9;", |lane| lane);
    expects("mov.b64 {%r9, %r31}, %rd9;", |lane| lane);
    expects("mov.b64 %rd10, %rd9;\nadd.s64 %rd10, %rd10, 5;\ncvt.u32.u64 %r9, %rd10;", |lane| lane + 5);
    expects("shl.b64 %rd10, %rd9, 32;\nmov.b64 {%r31, %r9}, %rd10;", |lane| lane);
    expects("and.b64 %rd10, %rd9, 28;\nadd.s64 %rd11, %rd2, %rd10;\ncvt.u32.u64 %r9, %rd10;\nst.global.b32 [%rd11], 7;", |lane| lane & 28);
    // As a whole the pair is undefined, and so is its other word.
    let ends = |body: &str| outcome(&format!("{pair}{body}"), "", 1, 32).stop;
    for body in
        ["", "shr.u64 %rd9, %rd9, 32;\n", "and.b64 %rd9, %rd9, 0x100000000;\n", "neg.s64 %rd9, %rd9;\n"]
    {
        let stop = ends(&format!("{body}add.s64 %rd11, %rd2, %rd9;\nst.global.b32 [%rd11], 7;"));
        assert!(matches!(stop, Some(Stop::Undefined(_, "an address"))), "{body}: {stop:?}");
    }
    // A register that was undefined in part becomes undefined as a whole, in one lane or in all.
    let again = format!("{pair}setp.ne.s32 %p1, %r1, 3;\n@%p1 bra $A;\nmov.b64 %rd9, %rd12;\n$A: cvt.u32.u64 %r9, %rd9;\nst.global.b32 [%rd1], %r9;");
    let mut stored = outcome(&again, "", 1, 32).global;
    let undefined: Vec<u64> =
        (0..32).filter(|at| stored.read(buffer_address(0) + 4 * at, 4).1 != 0).collect();
    assert_eq!(undefined, [3]);
}

#[test]
fn memory_and_parameters_keep_the_known_word_of_a_pair() {
    let body = "mov.b64 %rd9, {%r1, %r30};\nshl.b32 %r5, %r1, 3;\nmov.b32 %r6, tile;\nadd.s32 %r6, %r6, %r5;\nst.shared.b64 [%r6], %rd9;\n\
        ld.shared.b64 %rd10, [%r6];\ncvt.u32.u64 %r7, %rd10;\nld.shared.b32 %r8, [%r6];\nadd.s32 %r9, %r7, %r8;\n";
    let module = ".shared .align 16 .b8 tile[256];";
    let stores = format!("{body}st.global.b32 [%rd1], %r9;");
    assert_eq!(words_of(&stores, module, 1, 32), (0..32).map(|lane| 2 * lane).collect::<Vec<u32>>());
    let mut stored =
        outcome(&format!("{body}ld.shared.b32 %r9, [%r6+4];\nst.global.b32 [%rd1], %r9;"), module, 1, 32)
            .global;
    assert_eq!(stored.read(buffer_address(0), 4).1, 0xffff_ffff);
    let callee = ".func (.param .b64 result) low(\n.param .b64 low_param_0\n)\n{\n.reg .b64 %rd<3>;\nld.param.b64 %rd1, [low_param_0];\nst.param.b64 [result], %rd1;\nret;\n}\n";
    let body = "mov.b64 %rd9, {%r1, %r30};\n{\n.param .b64 param0;\nst.param.b64 [param0], %rd9;\n.param .b64 retval0;\ncall.uni (retval0), low, (param0);\n\
        ld.param.b64 %rd10, [retval0];\n}\ncvt.u32.u64 %r9, %rd10;\nst.global.b32 [%rd1], %r9;";
    assert_eq!(words_of(body, callee, 1, 32), (0..32).collect::<Vec<u32>>());
}

#[test]
fn matrices_move_through_shared_memory() {
    let module = ".shared .align 16 .b8 tile[512];";
    // Lane l writes the words 4l to 4l+3: row r of matrix m are the words 4 * (8m + r) on.
    let body = "mov.b32 %r5, tile;\nshl.b32 %r6, %r1, 4;\nadd.s32 %r5, %r5, %r6;\nshl.b32 %r6, %r1, 2;\nadd.s32 %r7, %r6, 1;\nadd.s32 %r8, %r6, 2;\nadd.s32 %r10, %r6, 3;\n\
        st.shared.v4.b32 [%r5], {%r6, %r7, %r8, %r10};\nbar.sync 0;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r11, %r12, %r13, %r14}, [%r5];\nst.global.b32 [%rd1], %r13;";
    assert_eq!(words_of(body, module, 1, 32), (0..32).map(|lane| 64 + lane).collect::<Vec<u32>>());
    let body = "mov.b32 %r9, %r1;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r11, %r9;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r9, %r11;";
    check(body, |lane| lane);
    let body = "mov.b32 %r5, tile;\nshl.b32 %r6, %r1, 4;\nadd.s32 %r5, %r5, %r6;\ncp.async.cg.shared.global [%r5], [%rd2], 16, 4;\ncp.async.wait_all;\nld.shared.v2.b32 {%r6, %r7}, [%r5];\nld.global.b32 %r8, [%rd2];\nsub.s32 %r9, %r6, %r8;\nor.b32 %r9, %r9, %r7;\nst.global.b32 [%rd1+4], %r9;";
    assert_eq!(words_of(body, module, 1, 32)[1..], [0; 31], "four bytes are read, the others are zeros");
}

#[test]
fn a_copy_whose_predicate_is_true_reads_nothing() {
    let module = ".shared .align 16 .b8 tile[512];";
    let body = |predicate: &str| {
        format!(
            "setp.lt.u32 %p1, %r1, 8;\nst.global.b32 [%rd1], 7;\nbar.sync 0;\nmov.b32 %r5, tile;\nshl.b32 %r6, %r1, 4;\nadd.s32 %r5, %r5, %r6;\n\
             cp.async.ca.shared.global [%r5], [%rd1], 4, {predicate};\ncp.async.wait_all;\nbar.sync 0;\nld.shared.b32 %r6, [%r5];\nst.global.b32 [%rd1], %r6;"
        )
    };
    for (predicate, ignored) in [("%p1", 0..8), ("!%p1", 8..32)] {
        let expected: Vec<u32> = (0..32).map(|lane| if ignored.contains(&lane) { 0 } else { 7 }).collect();
        assert_eq!(words_of(&body(predicate), module, 1, 32), expected, "{predicate}");
    }
}
