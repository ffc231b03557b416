use super::*;

const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(\n.param .b64 k_param_0\n)\n{\n\
    .reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<19>;\n.reg .b64 %rd<9>;\n.reg .b128 %rq<9>;\n.shared .align 16 .b8 buf[64];\n";

/// The errors of a line in a kernel.
fn wrong(line: &str) -> Vec<String> {
    let widths = check(&format!("{HEAD}{line}\n}}\n"));
    assert!(widths.unchecked.is_empty(), "{line} has no rule");
    widths.wrong.iter().map(ToString::to_string).collect()
}

#[test]
fn an_error_names_its_line_register_and_need() {
    let expected = "line 14, function k: %r2 has 32 bits; operand 2 of add.s64 needs 64 bits";
    assert_eq!(wrong("add.s64 %rd1, %r2, %rd3;"), [expected]);
    let expected = "line 14, function k: %rs1 has 16 bits; the guard of mov.b32 needs a predicate";
    assert_eq!(wrong("@%rs1 mov.b32 %r1, %r2;"), [expected]);
    let expected = "line 14, function k: %p1 is a predicate; operand 2 of st.b32 needs 32 bits or more, in a vector all alike";
    assert_eq!(wrong("st.b32 [%rd1], %p1;"), [expected]);
}

#[test]
fn a_short_address_in_global_or_generic_memory() {
    for line in [
        "cp.async.ca.shared.global [buf], [%r3], 16;",
        "ld.global.b32 %r1, [%r3+4];",
        "st.b32 [%r3], %r1;",
        "atom.global.add.u32 %r1, [%r3], 1;",
        "prefetch.global.L2 [%r3];",
    ] {
        assert_eq!(wrong(line).len(), 1, "{line}");
        assert!(wrong(&line.replace("%r3", "%rd3")).is_empty(), "{line}");
    }
    let short =
        format!("{HEAD}ld.global.b32 %r1, [%r3];\n}}\n").replace(".address_size 64", ".address_size 32");
    assert!(check(&short).wrong.is_empty(), "all addresses have 32 bits");
}

/// Right lines. In those below one register has another width, which ptxas rejects too.
#[test]
fn lines_that_ptxas_takes() {
    for line in
        RIGHT.lines().chain(WRONG.lines().map(|line| line.split_once(" | ").map_or("", |pair| pair.0)))
    {
        assert_eq!(wrong(line), [""; 0], "{line}");
    }
}

#[test]
fn lines_that_ptxas_refuses() {
    for line in WRONG.lines() {
        let (right, exchange) = line.split_once(" | ").expect("a right line, and what is wrong");
        let (from, to) = exchange.split_once(" > ").expect("two registers");
        let mutant = right.replacen(from, to, 1);
        assert_ne!(right, mutant);
        assert_eq!(wrong(&mutant).len(), 1, "{mutant}");
    }
}

#[test]
fn what_has_no_rule_is_counted() {
    let widths = check(&format!("{HEAD}nosuch.b32 %r1, %rd2;\ntcgen05.wait::ld.sync.aligned;\n}}\n"));
    assert_eq!((widths.wrong.len(), widths.checked), (0, 0));
    assert_eq!(widths.unchecked.keys().collect::<Vec<_>>(), ["nosuch.b32", "tcgen05.wait::ld.sync.aligned"]);
}

#[test]
fn an_error_of_both_sides_is_not_ours_alone() {
    let text = |lines: &str| check(&format!("{HEAD}{lines}\n}}\n"));
    let one = text("ld.global.b32 %r1, [%r3];");
    let two = text("mov.b32 %r2, 1;\nld.global.b32 %r1, [%r2];\nld.global.b32 %r1, [%r3];");
    assert!(one.beyond(&one).is_empty());
    assert_eq!(two.beyond(&one).len(), 1, "the second one is new");
    assert_eq!(one.beyond(&text("ret;")).len(), 1);
    assert!(one.beyond(&two).is_empty());
}

const RIGHT: &str = "\
ld.global.b8 %rs1, [%rd1];
ld.global.u8 %r1, [%rd1];
ld.global.s16 %rd2, [%rd1];
st.global.b8 [%rd1], %r1;
ld.global.v2.b8 {%r1, %r2}, [%rd1];
ld.global.v2.b8 {_, %rd2}, [%rd1];
ld.shared.b32 %r1, [%r2];
ld.shared.b32 %r1, [%rd2];
ld.shared.b32 %r1, [buf+4];
ld.param.b64 %rd1, [k_param_0];
cvt.u16.u32 %rs1, %r1;
cvt.s32.s8 %r1, %rs1;
cvt.u32.u16 %rd1, %r1;
mov.u32 %r1, %tid.x;
mov.b64 %rd1, %clock64;
cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%rd1], [%r1], %r2, %rd2, %rs1;
st.bulk.shared::cta [%r1], %rd2, 0;
mov.b64 {%r1, _}, %rd1;
mov.b32 %r1, buf;
atom.shared.exch.b32 _, [buf], %r1;
bar.sync 0;
bar.red.and.pred %p1, 0, %p2;
@!%p1 bra $L;\n$L: ret;";

const WRONG: &str = "\
add.s32 %r1, %r2, %r3; | %r3 > %rd3
sub.s16 %rs1, %rs2, 5; | %rs1 > %r1
mul.lo.s32 %r1, %r2, %r3; | %r2 > %rs2
mul.wide.s32 %rd1, %r2, %r3; | %rd1 > %r1
mad.wide.u32 %rd1, %r2, %r3, %rd4; | %rd4 > %r4
mad.lo.s32 %r1, %r2, %r3, %r4; | %r4 > %rd4
fma.rn.f32 %r1, %r2, %r3, %r4; | %r3 > %rd3
fma.rn.f64 %rd1, %rd2, %rd3, %rd4; | %rd2 > %r2
add.rn.f16x2 %r1, %r2, %r3; | %r3 > %rs3
add.rn.f16 %rs1, %rs2, %rs3; | %rs3 > %r3
and.b32 %r1, %r2, %r3; | %r2 > %p2
and.pred %p1, %p2, %p3; | %p3 > %r3
shl.b64 %rd1, %rd2, %r3; | %r3 > %rd3
shr.u32 %r1, %r2, %r3; | %r3 > %rs3
bfe.u64 %rd1, %rd2, %r3, %r4; | %r3 > %rd3
bfi.b32 %r1, %r2, %r3, %r4, %r5; | %r5 > %rs5
prmt.b32 %r1, %r2, %r3, %r4; | %r4 > %rd4
shf.l.wrap.b32 %r1, %r2, %r3, %r4; | %r4 > %rd4
popc.b64 %r1, %rd2; | %r1 > %rd1
clz.b32 %r1, %r2; | %r2 > %rd2
setp.eq.s32 %p1, %r1, %r2; | %r2 > %rd2
setp.lt.and.f32 %p1|%p2, %r1, %r2, %p3; | %p3 > %r3
set.lt.u32.f32 %r1, %r2, %r3; | %r1 > %rs1
selp.b32 %r1, %r2, %r3, %p1; | %p1 > %r4
selp.b64 %rd1, %rd2, %rd3, %p1; | %rd3 > %r3
slct.b64.s32 %rd1, %rd2, %rd3, %r4; | %r4 > %rd4
mov.b32 %r1, %r2; | %r2 > %rd2
mov.b64 %rd1, {%r1, %r2}; | %r2 > %rs2
mov.b64 %rd1, %clock64; | %rd1 > %r1
mov.b128 %rq1, {%rd1, %rd2}; | %rd2 > %r2
cvt.u64.u32 %rd1, %r1; | %rd1 > %r1
cvt.u32.u64 %r1, %rd1; | %rd1 > %r1
cvt.rn.f32.s32 %r1, %r2; | %r1 > %rs1
cvt.rn.f16x2.f32 %r1, %r2, %r3; | %r1 > %rs1
cvt.f64.f32 %rd1, %r1; | %r1 > %rs2
cvta.to.global.u64 %rd1, %rd2; | %rd2 > %r2
ld.global.b32 %r1, [%rd1]; | %r1 > %rs1
ld.global.v2.b64 {%rd1, %rd2}, [%rd3]; | %rd2 > %r2
ld.global.v2.b32 {%r1, %r2}, [%rd3]; | %r2 > %rd2
cvt.rn.bf16.f32 %rs1, %r1; | %rs1 > %r2
ld.shared.f32 %r1, [%r2]; | %r1 > %rs1
st.global.b64 [%rd1], %rd2; | %rd2 > %r2
st.shared.v4.b32 [buf], {%r1, %r2, %r3, %r4}; | %r3 > %rs3
atom.shared.add.f64 %rd1, [buf], %rd2; | %rd2 > %r2
atom.shared.cas.b64 %rd1, [buf], %rd2, %rd3; | %rd3 > %r3
atom.shared.cas.b64 %rd1, [buf], %rd2, %rd3; | %rd1 > %r1
atom.global.cas.b128 %rq1, [%rd1], %rq2, %rq3; | %rq3 > %rd3
atom.global.add.u32 %r1, [%rd1], %r2; | %r2 > %rs2
red.shared.add.u64 [buf], %rd1; | %rd1 > %r1
shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1; | %r2 > %rd2
vote.sync.ballot.b32 %r1, %p1, %r2; | %p1 > %r3
match.any.sync.b64 %r1, %rd1, %r2; | %rd1 > %r3
redux.sync.add.s32 %r1, %r2, %r3; | %r2 > %rd2
bar.red.popc.u32 %r1, 0, %p1; | %p1 > %r2
cp.async.cg.shared.global [%r1], [%rd1], 16, %r2; | %r2 > %rd2
mbarrier.init.shared.b64 [buf], %r1; | %r1 > %rd1
mbarrier.arrive.shared.b64 %rd1, [buf]; | %rd1 > %r1
mbarrier.test_wait.shared.b64 %p1, [buf], %rd1; | %rd1 > %r1
ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3]; | %r2 > %rs2
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r1}; | {%r1} > {%rs1}
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%r9,%r10}, {%r1,%r2,%r3,%r4}; | %r9 > %rd5
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1,%rd2}, {%rd3}, {%rd4}, {%rd5,%rd6}; | {%rd3} > {%r3}
wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1], %r9; | %r9 > %rd2
lop3.b32 %r1, %r2, %r3, %r4, 0x80; | %r4 > %rd4
isspacep.shared %p1, %rd1; | %p1 > %r1
nanosleep.u32 %r1; | %r1 > %rd1";
