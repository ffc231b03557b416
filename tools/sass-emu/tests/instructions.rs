//! Single instructions: what lanes store after a few of them.

use sass_emu::cubin::{Cubin, Kernel};
use sass_emu::grid::{run, Access, AccessKind, Launch, Observer, Program, Stop};
use sass_emu::instruction::{listing, SIZE};
use sass_emu::memory::Memory;

/// Runs instructions, given as guard, opcode and operands. After them each lane stores R2 and R3;
/// returns these pairs.
fn pairs(code: &[(&str, &str, &str)]) -> Result<Vec<u64>, Stop> {
    let store = [
        ("", "S2R", "R20,SR_TID.X"),
        ("", "IMAD.WIDE.U32", "R20,R20,0x8,RZ"),
        ("", "STG.E.64", "[R20.64+0x1000],R2"),
        ("", "EXIT", ""),
    ];
    let lines: Vec<String> = code
        .iter()
        .chain(&store)
        .map(|(guard, opcode, operands)| {
            let guard = if guard.is_empty() { String::new() } else { format!("\"predicate\":\"{guard}\",") };
            format!("{{{guard}\"opcode\":\"{opcode}\",\"operands\":\"{operands}\"}}")
        })
        .collect();
    let json = format!("[{{}},[{{\"function-name\":\"k\",\"sass-instructions\":[{}]}}]]", lines.join(","));
    let code = vec![0; lines.len() * SIZE as usize];
    let kernel = Kernel { name: "k".to_owned(), code, ..Kernel::default() };
    let mut cubin = Cubin { architecture: 120, ..Cubin::default() };
    cubin.kernels.insert("k".to_owned(), kernel.clone());
    let listing = listing(&json, &cubin).expect("it can be read");
    let program = Program::new(&cubin, &kernel, &listing["k"]);
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], shared: 64, parameters: vec![], budget: 10_000 };
    let mut run = run(&program, &launch, Memory::new(|_: u64, _: &mut [u8]| {}), ());
    match run.stop {
        Some(stop) => Err(stop),
        None => Ok((0..32).map(|lane| run.global.read(0x1000 + 8 * lane, 8)).collect()),
    }
}

/// The pair that lane 0 stores.
fn first(code: &[(&str, &str, &str)]) -> u64 {
    pairs(code).expect("it runs")[0]
}

#[test]
fn numbers_of_64_bits_are_whole() {
    assert_eq!(
        first(&[("", "UMOV.64", "UR4,0x100000000"), ("", "MOV.64", "R2,RZ"), ("", "IADD.64", "R2,R2,UR4")]),
        1 << 32
    );
    assert_eq!(first(&[("", "MOV.64", "R2,0xfff8000000000000")]), 0xfff8 << 48);
    assert_eq!(first(&[("", "MOV.64", "R2,0x80000000")]), 1 << 31);
    assert_eq!(first(&[("", "MOV.64", "R2,RZ"), ("", "IADD.64", "R2,R2,-0x9")]), (-9i64) as u64);
}

#[test]
fn the_least_and_the_greatest_of_64_bits() {
    let extreme = |opcode, which| {
        let operands = format!("PT,PT,R2,R4,R6,{which},!PT");
        first(&[("", "MOV.64", "R4,0x8000000000000001"), ("", "MOV.64", "R6,0x2"), ("", opcode, &operands)])
    };
    assert_eq!(extreme("IMNMX.U64", "PT"), 2);
    assert_eq!(extreme("IMNMX.U64", "!PT"), 1 << 63 | 1);
    assert_eq!(extreme("IMNMX.S64", "PT"), 1 << 63 | 1);
    assert_eq!(extreme("IMNMX.S64", "!PT"), 2);
}

#[test]
fn both_words_of_a_pair_are_computed() {
    let [one, two, three, five] = [1.0f32, 2.0, 3.0, 5.0].map(|number| u64::from(number.to_bits()));
    let with = |opcode, operands| {
        let values = [("R4", one), ("R5", two), ("R6", three), ("R7", five)];
        let texts = values.map(|(register, bits)| format!("{register},{bits:#x}"));
        let mut code: Vec<(&str, &str, &str)> = texts.iter().map(|text| ("", "MOV", text.as_str())).collect();
        code.push(("", opcode, operands));
        let bits = first(&code);
        [bits as u32, (bits >> 32) as u32].map(f32::from_bits)
    };
    assert_eq!(with("FADD2", "R2,R4.F32x2.HI_LO,R6.F32x2.HI_LO"), [4.0, 7.0]);
    assert_eq!(with("FADD2", "R2,R4.F32x2.LO_HI,-R6.F32x2.HI_LO"), [-1.0, -4.0]);
    assert_eq!(with("FADD2", "R2,R4.F32x2.HI_LO,-R7.F32"), [-4.0, -3.0]);
    assert_eq!(with("FMUL2", "R2,R4.reuse.F32x2.HI_LO,R6.F32x2.HI_LO"), [3.0, 10.0]);
    assert_eq!(with("FFMA2", "R2,R4.F32x2.HI_LO,R6.F32x2.HI_LO,RZ"), [3.0, 10.0]);
    assert_eq!(with("FFMA2", "R2,R4.F32x2.HI_LO,R6.F32x2.LO_HI,R4.F32x2.HI_LO"), [6.0, 8.0]);
    assert_eq!(with("FADD2.RZ", "R2,R4.F32x2.HI_LO,R6.F32x2.HI_LO"), [4.0, 7.0]);
}

#[test]
fn one_condition_chooses_among_three() {
    // The second comparison took the least, whatever the condition was.
    let extreme = |opcode, which| {
        let operands = format!("R2,R4,R5,R6,{which}");
        let values = [
            ("", "MOV", "R4,0x2"),
            ("", "MOV", "R5,0xffffffff"),
            ("", "MOV", "R6,0x7"),
            ("", "MOV", "R3,RZ"),
        ];
        let mut code = values.to_vec();
        code.push(("", opcode, &operands));
        first(&code)
    };
    assert_eq!(extreme("VIMNMX3", "!PT"), 7);
    assert_eq!(extreme("VIMNMX3", "PT"), 0xffff_ffff);
    assert_eq!(extreme("VIMNMX3.U32", "!PT"), 0xffff_ffff);
    assert_eq!(extreme("VIMNMX3.U32", "PT"), 2);
}

#[test]
fn sums_of_halves_do_not_carry() {
    let sum = |by| {
        first(&[
            ("", "MOV", "R4,0x7fffffff"),
            ("", "VIADD.16x2", &format!("R2,R4,{by}")),
            ("", "MOV", "R3,RZ"),
        ])
    };
    assert_eq!(sum("0x10001"), 0x8000_0000);
    assert_eq!(sum("0x1"), 0x7fff_0000);
    let negated = pairs(&[("", "VIADD.16x2", "R2,R4,-R5")]);
    assert!(
        matches!(negated, Err(Stop::Unknown(unknown)) if unknown.why.to_string() == "a negated pair of halves")
    );
}

#[test]
fn a_negated_and_shifted_number_carries() {
    // R4 - (R6 << 1) has no borrow if the second is 0: the carry is 1, that of R4 + ~0 + 1.
    let carry = |number| {
        first(&[
            ("", "MOV", &format!("R6,{number}")),
            ("", "MOV", "R4,0x5"),
            ("", "LEA", "R2,P0,-R6,R4,0x1"),
            ("", "IADD3.X", "R3,RZ,RZ,RZ,P0,!PT"),
        ])
    };
    assert_eq!(carry("RZ"), 1 << 32 | 5);
    assert_eq!(carry("0x2"), 1 << 32 | 1);
    assert_eq!(carry("0x3"), 0xffff_ffff);
    let extended = pairs(&[("", "LEA.X", "R2,P0,-R6,R4,0x1,P1")]);
    assert!(
        matches!(extended, Err(Stop::Unknown(unknown)) if unknown.why.to_string() == "a negated number with a carry")
    );
}

#[test]
fn a_copy_that_fills_leaves_out_as_many_bytes_as_its_address_is_too_high() {
    let copy = |offset: &str| {
        first(&[
            ("", "MOV.64", "R4,0x2000"),
            ("", "MOV.64", "R2,0x1111111122222222"),
            ("", "STG.E.64", "[R4.64],R2"),
            ("", "MOV", "R6,RZ"),
            ("", "STS.64", "[R6],R2"),
            ("", "LDGSTS.E.64.ZFILL", &format!("[R6],[R4.64+{offset}],PT")),
            ("", "LDS.64", "R2,[R6]"),
        ])
    };
    assert_eq!(copy("0x0"), 0x1111_1111_2222_2222);
    assert_eq!(copy("0x4"), 0x2222_2222);
    assert_eq!(copy("0x2"), 0x1111_2222_2222);
}

#[test]
fn a_store_that_compares_64_bits_writes_both_words_of_its_answer() {
    let code = [
        ("", "MOV", "R6,RZ"),
        ("", "MOV.64", "R8,0x7"),
        ("", "MOV.64", "R2,0x500000005"),
        ("@P0", "NOP", ""),
        ("", "ATOMS.CAST.SPIN.64", "R2,[R6],RZ,R8"),
    ];
    let answers = pairs(&code).expect("it runs");
    assert!(answers[0] == 1 && answers[1..].iter().all(|&answer| answer == 0), "{answers:?}");
}

#[test]
fn an_atomic_with_a_sign_has_the_64_bits_of_its_name() {
    let of = |opcode: &str| {
        first(&[
            ("", "MOV.64", "R4,0x2000"),
            ("", "MOV.64", "R2,0x500000005"),
            ("", "STG.E.64", "[R4.64],R2"),
            ("", "MOV.64", "R2,0x8000000000000001"),
            ("", opcode, "PT,R6,[R4.64],R2"),
            ("", "LDG.E.64", "R2,[R4.64]"),
        ])
    };
    assert_eq!(of("ATOMG.E.MIN.S64.STRONG.GPU"), 0x8000_0000_0000_0001);
    assert_eq!(of("ATOMG.E.MAX.S64.STRONG.GPU"), 0x5_0000_0005);
    assert_eq!(of("ATOMG.E.MIN.64.STRONG.GPU"), 0x5_0000_0005);
}

#[test]
fn numbers_of_8_bits_are_whole_numbers_of_16() {
    // 1, -448, the least one, NaN; 1, -57344, the least one, infinity.
    let of = |format, suffix: &str| {
        let opcode = format!("F2FP.F16.{format}.UNPACK_B");
        let word = if format == "E4M3" { "R4,0x7f01fe38" } else { "R4,0x7c01fb3c" };
        first(&[("", "MOV", word), ("", &opcode, &format!("R2,R4{suffix}")), ("", "MOV", "R3,RZ")])
    };
    assert_eq!([of("E4M3", ""), of("E4M3", ".H1")], [0xdf00_3c00, 0x7fff_1800]);
    assert_eq!([of("E5M2", ""), of("E5M2", ".H1")], [0xfb00_3c00, 0x7c00_0100]);
}

#[test]
fn one_lane_is_elected_and_all_go_where_one_goes() {
    let code = [
        ("", "MOV", "R2,RZ"),
        ("", "MOV", "R3,RZ"),
        ("", "ELECT", "P2,URZ,PT"),
        ("@P2", "MOV", "R2,0x1"),
        ("@P2", "BRA.U.ANY", "0x60"),
        ("", "MOV", "R3,0x1"),
    ];
    let words = pairs(&code).expect("it runs");
    assert!(words[0] == 1 && words[1..].iter().all(|&word| word == 0), "{words:?}");
}

#[test]
fn a_copy_that_ignores_its_source_writes_zeros() {
    let of = |opcode, predicate| {
        let copy = format!("[R6],[R4.64],{predicate}");
        first(&[
            ("", "MOV", "R4,0x2000"),
            ("", "MOV", "R5,RZ"),
            ("", "MOV", "R6,0x10"),
            ("", "MOV", "R2,0x7"),
            ("", "MOV", "R3,0x5"),
            ("", "STG.E.64", "[R4.64],R2"),
            ("", "MOV", "R2,-0x1"),
            ("", "STS", "[R6],R2"),
            ("", "STS", "[R6+0x4],R2"),
            ("", opcode, &copy),
            ("", "LDS.64", "R2,[R6]"),
        ])
    };
    assert_eq!(of("LDGSTS.E.64", "PT"), 0x5_0000_0007);
    assert_eq!(of("LDGSTS.E.64", "!PT"), 0);
    assert_eq!(of("LDGSTS.E.64.ZFILL", "!PT"), 0);
}

#[test]
fn a_carry_may_always_be_there() {
    let of = |opcode, operands| first(&[("", "MOV", "R4,0x7"), ("", "MOV", "R3,RZ"), ("", opcode, operands)]);
    assert_eq!(of("IADD3.X", "R2,R4,0x10,RZ,PT,!PT"), 0x18);
    assert_eq!(of("IADD3.X", "R2,R4,0x10,RZ,!PT,!PT"), 0x17);
    assert_eq!(of("IADD3.X", "R2,R4,0x10,RZ,PT,PT"), 0x19);
    assert_eq!(of("IADD3", "R2,R4,0x10,RZ"), 0x17);
}

#[test]
fn a_part_of_a_word_becomes_a_float() {
    let of = |opcode, source: &str| {
        let operands = format!("R2,{source}");
        let two: [(&str, &str, &str); 2] = [("", "MOV", "R3,RZ"), ("", "MOV", "R4,0xfff90203")];
        first(&[two[0], two[1], ("", opcode, &operands)]) as u32
    };
    assert_eq!(of("I2F.S16", "R4"), 515f32.to_bits());
    assert_eq!(of("I2F.S16", "R4.H1"), (-7f32).to_bits());
    assert_eq!(of("I2F.U16", "R4.H1"), 65529f32.to_bits());
    assert_eq!(of("I2F.U8", "R4.B1"), 2f32.to_bits());
    assert_eq!(of("I2F.S8", "R4.B2"), (-7f32).to_bits());
}

#[test]
fn all_lanes_branch_together_or_none() {
    let code = [
        ("", "S2R", "R0,SR_LANEID"),
        ("", "MOV", "R2,RZ"),
        ("", "MOV", "R3,RZ"),
        ("", "ISETP.GE.U32.AND", "P0,PT,R0,0x8,PT"),
        // Not all lanes would.
        ("@P0", "BRA.U", "0x60"),
        ("", "MOV", "R2,0x1"),
        ("", "ISETP.GE.U32.AND", "P1,PT,R0,RZ,PT"),
        ("@P1", "BRA.U", "0x90"),
        ("", "MOV", "R3,0x1"),
    ];
    let words = pairs(&code).expect("it runs");
    assert!(words.iter().all(|&word| word == 1), "{words:?}");
}

#[test]
fn asynchronous_instructions_are_assumed_where_values_do_not_matter() {
    let json = r#"[{},[{"function-name":"k","sass-instructions":[
        {"opcode":"SYNCS.PHASECHK.TRANS64.TRYWAIT","operands":"P0,[UR9],R0"},
        {"opcode":"HGMMA.64x8x16.F32","operands":"R24,gdesc[UR12],R24,gsb0"},
        {"predicate":"@!P0","opcode":"BRA","operands":"0x0"},
        {"opcode":"EXIT"}]}]]"#;
    let code = vec![0; 4 * SIZE as usize];
    let kernel = Kernel { name: "k".to_owned(), code, ..Kernel::default() };
    let mut cubin = Cubin { architecture: 90, ..Cubin::default() };
    cubin.kernels.insert("k".to_owned(), kernel.clone());
    let listing = listing(json, &cubin).expect("it can be read");
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], shared: 0, parameters: vec![], budget: 100 };
    let stop = |program: &Program| run(program, &launch, Memory::new(|_: u64, _: &mut [u8]| {}), ()).stop;
    assert!(matches!(stop(&Program::new(&cubin, &kernel, &listing["k"])), Some(Stop::Unknown(_))));
    let (program, assumed) = Program::assuming(&cubin, &kernel, &listing["k"]);
    assert!(stop(&program).is_none());
    assert_eq!(assumed, ["SYNCS.PHASECHK.TRANS64.TRYWAIT", "HGMMA.64x8x16.F32"]);
}

/// Records what it is told about asynchronous instructions.
#[derive(Default)]
struct Told(Vec<(AccessKind, usize, u64, u64)>);

impl Observer for Told {
    fn access(&mut self, _: u32, _: u32, access: &Access) {
        self.0.push((access.kind, access.bytes, access.addresses[0], access.addresses[1]));
    }
}

#[test]
fn the_bytes_of_bulk_copies_and_their_barriers_are_told() {
    let json = r#"[{},[{"function-name":"k","sass-instructions":[
        {"opcode":"UMOV","operands":"UR9,0x400"},
        {"opcode":"UMOV","operands":"UR4,0x7000"},
        {"opcode":"UMOV","operands":"UR5,0x1"},
        {"opcode":"UMOV","operands":"UR11,0x200"},
        {"opcode":"MOV","operands":"R0,0x4000"},
        {"opcode":"SYNCS.ARRIVE.TRANS64","operands":"RZ,[UR9+0x8],R0"},
        {"opcode":"UTMALDG.2D","operands":"[UR8],[UR14]"},
        {"opcode":"UBLKCP.S.G","operands":"[UR8],[UR4],UR11"},
        {"opcode":"SYNCS.PHASECHK.TRANS64.TRYWAIT","operands":"P0,[UR9+0x8],R0"},
        {"opcode":"EXIT"}]}]]"#;
    let code = vec![0; 10 * SIZE as usize];
    let kernel = Kernel { name: "k".to_owned(), code, ..Kernel::default() };
    let mut cubin = Cubin { architecture: 90, ..Cubin::default() };
    cubin.kernels.insert("k".to_owned(), kernel.clone());
    let listing = listing(json, &cubin).expect("it can be read");
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], shared: 0, parameters: vec![], budget: 100 };
    let (program, _) = Program::assuming(&cubin, &kernel, &listing["k"]);
    let run = run(&program, &launch, Memory::new(|_: u64, _: &mut [u8]| {}), Told::default());
    assert!(run.stop.is_none());
    assert_eq!(
        run.observer.0,
        [
            (AccessKind::Expect, 0x4000, 0x408, 0),
            (AccessKind::Bulk, 0, 0x400, 0),
            (AccessKind::Bulk, 0x2000, 0x400, 0x1_0000_7000),
            (AccessKind::Wait, 0, 0x408, 0),
        ]
    );
}

#[test]
fn lanes_that_parted_meet_at_a_collective() {
    // Lanes from 16 on jump to the collective, and the others come later. A shuffle that both
    // halves run together exchanges their values.
    let code = [
        ("", "S2R", "R4,SR_TID.X"),
        ("", "ISETP.GT.U32.AND", "P0,PT,R4,0xf,PT"),
        ("", "MOV", "R13,0xffffffff"),
        ("", "MOV", "R2,R4"),
        ("@P0", "BRA", "0x60"),
        ("", "IADD3", "R2,R4,0x64,RZ"),
        ("", "WARPSYNC.COLLECTIVE", "R13,0x90"),
        ("", "SHFL.BFLY", "PT,R2,R2,0x10,0x1f"),
        ("", "ENDCOLLECTIVE", ""),
        ("", "MOV", "R3,RZ"),
    ];
    let swapped: Vec<u64> = (0..32).map(|lane| if lane < 16 { lane + 16 } else { lane - 16 + 100 }).collect();
    assert_eq!(pairs(&code).expect("it runs"), swapped);
    // A lane that has ended is not waited for.
    let ended = [&code[..3], &[("@P0", "EXIT", ""), ("", "MOV", "R2,R4")], &[code[6], code[9]]].concat();
    let stored = pairs(&ended).expect("it runs");
    assert_eq!(stored[..16], (0..16).collect::<Vec<u64>>());
}

/// What an instruction leaves in R2, with these words in R4, R5 and R6.
fn word(opcode: &str, operands: &str, words: [u32; 3]) -> u32 {
    let moves: Vec<String> =
        words.iter().enumerate().map(|(at, word)| format!("R{},{word:#x}", 4 + at)).collect();
    let mut code: Vec<_> = moves.iter().map(|operands| ("", "MOV", operands.as_str())).collect();
    code.extend([("", "MOV", "R2,RZ"), ("", "MOV", "R3,RZ"), ("", opcode, operands)]);
    first(&code) as u32
}

#[test]
fn products_are_scaled() {
    let scaled =
        |opcode, a: f32, b: f32| f32::from_bits(word(opcode, "R2,R4,R5", [a.to_bits(), b.to_bits(), 0]));
    let all = ["FMUL.M2", "FMUL.M4", "FMUL.M8", "FMUL.D2", "FMUL.D4", "FMUL.D8", "FMUL.FTZ.M4"];
    assert_eq!(
        all.map(|opcode| scaled(opcode, 3.0, -5.0)),
        [-30.0, -60.0, -120.0, -7.5, -3.75, -1.875, -60.0]
    );
    // 1 + 2^-22 + 2^-46 is rounded once, whatever the scale is.
    let above = 1.0 + f32::EPSILON;
    assert_eq!(scaled("FMUL.D8", above, above), above * above / 8.0);
    assert!(scaled("FMUL.M2", f32::NAN, 0.0).is_nan());
    let unknown = pairs(&[("", "FMUL.M16", "R2,R4,R5")]);
    assert!(matches!(unknown, Err(Stop::Unknown(unknown)) if unknown.why.to_string() == "the modifier .M16"));
}

#[test]
fn a_comparison_gives_one_or_zero() {
    let of = |opcode, operands, a: f32, b: f32| {
        f32::from_bits(word(opcode, operands, [a.to_bits(), b.to_bits(), 0]))
    };
    let plain = "R2,R4,R5,PT";
    assert_eq!([of("FSET.BF.GT.AND", plain, 2.0, 1.0), of("FSET.BF.GT.AND", plain, 1.0, 1.0)], [1.0, 0.0]);
    assert_eq!(
        [of("FSET.BF.LEU.AND", plain, f32::NAN, 1.0), of("FSET.BF.LE.AND", plain, f32::NAN, 1.0)],
        [1.0, 0.0]
    );
    assert_eq!(
        [of("FSET.BF.GT.AND", "R2,R4,R5,!PT", 2.0, 1.0), of("FSET.BF.GT.OR", plain, 1.0, 2.0)],
        [0.0, 1.0]
    );
    assert_eq!(of("FSET.BF.LT.XOR", plain, 1.0, 2.0), 0.0);
    assert_eq!(of("FSET.BF.GT.AND", "R2,|R4|,-R5,PT", -1.0, -0.5), 1.0);
    let least = f32::from_bits(1);
    assert_eq!(
        [of("FSET.BF.GT.AND", plain, least, 0.0), of("FSET.BF.GT.FTZ.AND", plain, least, 0.0)],
        [1.0, 0.0]
    );
    let unknown = pairs(&[("", "FSET.GT.AND", "R2,R4,R5,PT")]);
    assert!(
        matches!(unknown, Err(Stop::Unknown(unknown)) if unknown.why.to_string() == "a mask as its result")
    );
}

#[test]
fn the_least_and_the_greatest_of_three_pairs() {
    // Halves 1.0 and 2.0; 3.0 and -4.0; NaN and 0.5.
    let halves = [0x4000_3c00, 0xc400_4200, 0x3800_7e00];
    assert_eq!(word("VHMNMX", "R2,R4,R5,R6,!PT", halves), 0x4000_4200);
    assert_eq!(word("VHMNMX", "R2,R4,R5,R6,PT", halves), 0xc400_3c00);
    assert_eq!(word("VHMNMX.NAN", "R2,R4,R5,R6,!PT", halves), 0x4000_7fff);
    assert_eq!(word("VHMNMX.NAN", "R2,-R4,|R5|,R4,!PT", halves), 0x4400_4200);
    // Brain floats 1.0 and 2.0; 3.0 and -4.0.
    let brains = [0x4000_3f80, 0xc080_4040, 0];
    assert_eq!(word("VHMNMX.BF16_V2.NAN", "R2,R4.H0_H0,R4.H1_H1,R5.H0_H0,!PT", brains), 0x4040_4040);
    assert_eq!(word("VHMNMX.BF16_V2", "R2,R4.H0_H0,R4.H1_H1,R5.H1_H1,PT", brains), 0xc080_c080);
}

#[test]
fn the_least_and_the_greatest_of_halves_that_are_integers() {
    let words = [0x8000_0005, 0x0001_fffe, 0x7fff_0003];
    let of = |opcode, operands| word(opcode, operands, words);
    assert_eq!(of("VIMNMX.U16x2", "R2,R4,R5,!PT"), 0x8000_fffe);
    assert_eq!(of("VIMNMX.U16x2", "R2,R4,R5,PT"), 0x0001_0005);
    assert_eq!(of("VIMNMX.S16x2", "R2,R4,R5,!PT"), 0x0001_0005);
    assert_eq!(of("VIMNMX.S16x2", "R2,R4,R5,PT"), 0x8000_fffe);
    assert_eq!(of("VIMNMX.S16x2.RELU", "R2,R4,R5,PT"), 0);
    assert_eq!(of("VIMNMX3.U16x2", "R2,R4,R5,R6,!PT"), 0x8000_fffe);
    assert_eq!(of("VIMNMX3.S16x2", "R2,R4,R5,R6,!PT"), 0x7fff_0005);
    // The sum of a half has no carry: 0x8001 and 3.
    assert_eq!(of("VIADDMNMX.S16x2", "R2,R4,R5,R6,PT"), 0x8001_0003);
    assert_eq!(of("VIADDMNMX.U16x2", "R2,R4,R5,R6,!PT"), 0x8001_0003);
    assert_eq!(of("VIADDMNMX.S16x2.RELU", "R2,R4,R5,R6,PT"), 3);
    for opcode in ["VIMNMX.RELU", "VIMNMX.S32.RELU", "VIMNMX3.RELU", "VIADDMNMX.RELU"] {
        let operands = if opcode.starts_with("VIMNMX.") { "R2,R4,R5,PT" } else { "R2,R4,R5,R6,PT" };
        assert_eq!(of(opcode, operands), 0, "{opcode}");
    }
    assert_eq!(of("VIMNMX.RELU", "R2,R4,R5,!PT"), 0x0001_fffe);
    let unknown = pairs(&[("", "VIMNMX.U16x2.RELU", "R2,R4,R5,PT")]);
    assert!(
        matches!(unknown, Err(Stop::Unknown(unknown)) if unknown.why.to_string().starts_with("the modifier .RELU"))
    );
}

#[test]
fn patterns_choose_bytes() {
    let of = |opcode, number| word(opcode, "R2,R4,R6,R5", [0x3322_1100, 0x7766_5544, number]);
    let all = |opcode| [0, 1, 2, 7].map(|number| of(opcode, number));
    assert_eq!(all("PRMT.F4E"), [0x3322_1100, 0x4433_2211, 0x5544_3322, 0x6655_4433]);
    assert_eq!(all("PRMT.B4E"), [0x5566_7700, 0x6677_0011, 0x7700_1122, 0x0011_2233]);
    assert_eq!(all("PRMT.RC8"), [0, 0x1111_1111, 0x2222_2222, 0x3333_3333]);
    assert_eq!(all("PRMT.ECL"), [0x3322_1100, 0x3322_1111, 0x3322_2222, 0x3333_3333]);
    assert_eq!(all("PRMT.ECR"), [0, 0x1111_1100, 0x2222_1100, 0x3322_1100]);
    assert_eq!(all("PRMT.RC16"), [0x1100_1100, 0x3322_3322, 0x1100_1100, 0x3322_3322]);
}

#[test]
fn integers_are_clamped_to_fewer_bits() {
    let of = |opcode| [300, -5i32 as u32, 7].map(|word_in| word(opcode, "R2,R4", [word_in, 0, 0]));
    assert_eq!(of("I2I.U8.S32.SAT"), [255, 0, 7]);
    assert_eq!(of("I2I.S8.S32.SAT"), [127, -5i32 as u32, 7]);
    assert_eq!(of("I2I.U16.S32.SAT"), [300, 0, 7]);
    let unknown = pairs(&[("", "I2I.U8.S32", "R2,R4")]);
    assert!(matches!(unknown, Err(Stop::Unknown(_))));
}

#[test]
fn the_choice_of_a_double_says_which_and_whether_none_is_a_number() {
    let of = |opcode, a: f64, b: f64| {
        let words = [a, b].map(|number| format!("{:#x}", number.to_bits()));
        let (a, b) = (format!("R4,{}", words[0]), format!("R6,{}", words[1]));
        let code = [
            ("", "MOV.64", a.as_str()),
            ("", "MOV.64", b.as_str()),
            ("", opcode, "P0,P1,R4,R6,PT"),
            ("", "SEL", "R2,0x1,RZ,P0"),
            ("", "SEL", "R3,0x1,RZ,P1"),
        ];
        let pair = first(&code);
        (pair & 1 == 1, pair >> 32 == 1)
    };
    let (max, min, nan) = ("DSETP.MAX.AND", "DSETP.MIN.AND", f64::NAN);
    assert_eq!([of(max, 2.0, 1.0), of(max, 1.0, 2.0)], [(true, false), (false, false)]);
    assert_eq!([of(min, 2.0, 1.0), of(min, 1.0, 2.0)], [(false, false), (true, false)]);
    assert_eq!([of(max, nan, 1.0), of(max, 1.0, nan)], [(false, false), (true, false)]);
    assert_eq!(
        [of(max, 0.0, -0.0), of(max, -0.0, 0.0), of(min, -0.0, 0.0)].map(|own| own.0),
        [true, false, true]
    );
    assert!(of(max, nan, nan).1 && of(min, nan, nan).1);
}

#[test]
fn words_that_follow_each_other_are_added_each_for_itself() {
    // All lanes add 1.0 and 2.0, and so on, to four words, of which the last one has 1.0.
    let reduce = |opcode, load| {
        let mut code = vec![
            ("", "MOV.64", "R10,0x2000"),
            ("", "MOV", "R4,0x3f800000"),
            ("", "STG.E", "[R10.64+0xc],R4"),
            ("", "MOV", "R5,0x40000000"),
            ("", "MOV", "R6,0x40400000"),
            ("", "MOV", "R7,0x40800000"),
            ("", opcode, "[R10.64],R4"),
        ];
        code.push(("", "LDG.E.64", load));
        let pair = first(&code);
        [pair as u32, (pair >> 32) as u32].map(f32::from_bits)
    };
    assert_eq!(reduce("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", "R2,[R10.64]"), [32.0, 64.0]);
    assert_eq!(reduce("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", "R2,[R10.64+0x8]"), [96.0, 129.0]);
    assert_eq!(reduce("REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", "R2,[R10.64+0x8]"), [0.0, 1.0]);
    // An atomic instruction returns all words, also to registers that it reads.
    let code = [
        ("", "MOV.64", "R10,0x2000"),
        ("", "MOV.64", "R2,0x400000003f800000"),
        ("", "ATOMG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", "PT,R2,[R10.64],R2"),
    ];
    let pairs_of_32 = pairs(&code).expect("it runs");
    assert_eq!(pairs_of_32[..3], [0, 0x4000_0000_3f80_0000, 0x4080_0000_4000_0000]);
    let halves = [
        ("", "MOV.64", "R10,0x2000"),
        ("", "MOV.64", "R4,0x400000003c003c00"),
        ("", "REDG.E.ADD.F16x4.RN.STRONG.GPU", "[R10.64],R4"),
        ("", "LDG.E.64", "R2,[R10.64]"),
    ];
    assert_eq!(first(&halves), 0x5400_0000_5000_5000);
    let unknown = pairs(&[("", "REDG.E.MAX.F16x2.RN.STRONG.GPU", "[R10.64],R4")]);
    let why = "its operation on floating-point numbers";
    assert!(matches!(unknown, Err(Stop::Unknown(unknown)) if unknown.why.to_string() == why));
}

#[test]
fn what_is_not_executed_is_named() {
    let exclusive = ("", "WARPSYNC.EXCLUSIVE", "R13");
    let indexed = ("", "LDC.IL", "R2,c[0x3][R4]");
    for (instruction, why) in [(exclusive, "the modifier .EXCLUSIVE"), (indexed, "the modifier .IL")] {
        let Err(Stop::Unknown(unknown)) = pairs(&[instruction]) else { panic!("{instruction:?}") };
        assert_eq!((unknown.opcode.as_str(), unknown.why), (instruction.1, why.into()));
    }
    assert!(pairs(&[("", "WARPSYNC", "0xffffffff")]).is_ok());
}
