//! Knows which of a multiprocessor's pipes executes an instruction of SASS.
//!
//! **Problem.** A kernel is bound by its busiest pipe. How many instructions each one gets says whether a change is worth something.
//!
//! **Method.** A table of opcodes without their modifiers, the only place that holds them. What it lacks is counted as other.
//!
//! **Source.** "Pipelines" in the guide of Nsight Compute, and the tables of instruction throughput and of SASS opcodes in NVIDIA's CUDA
//! documentation. FP32 runs on either half of the FMA pipe, integer multiplication on the heavy one alone. Processors differ in
//! detail (sm_80 has a pipe of its own for FP16, sm_86 has not), so that this is a mix of kinds, not a prediction.

/// A pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipe {
    Alu,
    Fma,
    FmaHeavy,
    Half,
    Double,
    Special,
    Memory,
    Texture,
    Tensor,
    Uniform,
    Branch,
    Other,
}

use Pipe::{Alu, Branch, Double, Fma, FmaHeavy, Half, Memory, Other, Special, Tensor, Texture, Uniform};

/// All pipes in their order, with their short names and what runs there.
pub const PIPES: [(Pipe, &str, &str); 12] = [
    (Alu, "ALU", "integers without multiplication, logic, comparison, selection, moves"),
    (Fma, "FMA", "FP32 arithmetic: the heavy or the lite half of the FMA pipe"),
    (FmaHeavy, "FMA heavy", "integer multiplication and dot products: the heavy half of the FMA pipe"),
    (Half, "FP16", "FP16 and bfloat16 arithmetic"),
    (Double, "FP64", "FP64 arithmetic"),
    (Special, "XU", "special functions (MUFU), conversions, counts of bits"),
    (Memory, "LSU", "loads, stores, atomics, shuffles, special registers, asynchronous copies"),
    (Texture, "TEX", "textures and surfaces"),
    (Tensor, "tensor", "matrix products"),
    (Uniform, "uniform", "what the whole warp shares"),
    (Branch, "branch", "branches, barriers, convergence"),
    (Other, "other", "nothing of the above, or not in the table"),
];

/// Opcodes without modifiers, by pipe. Those that begin with U are in [`pipe`].
const TABLE: [(Pipe, &str); 12] = [
    (
        Alu,
        "IADD3 IADD IADD32I VIADD VIADDMNMX IABS IMNMX VIMNMX VIMNMX3 ISETP ICMP LOP3 LOP LOP32I PLOP3 PSETP P2R R2P SHF SHL SHR LEA ISCADD \
         BMSK BFE BFI SGXT PRMT SEL MOV MOV32I CS2R FMNMX FMNMX3 FSEL FSET FSETP FCMP F2FP I2FP I2IP VABSDIFF VABSDIFF4 VOTE R2UR MOVM \
         LEPC GETLMEMBASE SETLMEMBASE",
    ),
    (Fma, "FADD FADD32I FMUL FMUL32I FFMA FFMA32I FSWZADD FSWZ FADD2 FMUL2 FFMA2 FHADD FHFMA"),
    (FmaHeavy, "IMAD IMAD32I IMUL IMUL32I XMAD IDP IDP4A IMADSP ISAD"),
    (Half, "HADD2 HADD2_32I HMUL2 HMUL2_32I HFMA2 HFMA2_32I HMNMX2 HSET2 HSETP2 VHMNMX"),
    (Double, "DADD DMUL DFMA DMNMX DSET DSETP CLMAD"),
    (Special, "MUFU F2F F2I I2F I2I FRND FCHK POPC FLO BREV"),
    (
        Memory,
        "LD LDC LDG LDL LDS LDSM LDGSTS LDGDEPBAR LDTRAM ST STG STL STS STSM STAS ATOM ATOMS ATOMG RED REDAS REDUX REDG MATCH SHFL S2R CCTL CCTLL CCTLT \
         MEMBAR ERRBAR QSPC ARRIVES SYNCS UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UTMACMDFLUSH FENCE LDTM STTM",
    ),
    (Texture, "TEX TLD TLD4 TMML TXD TXQ TXA SULD SUST SUATOM SURED SUQUERY PIXLD AL2P OUT"),
    (Tensor, "HMMA IMMA DMMA BMMA OMMA QMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMMA UTCCP"),
    (Uniform, "S2UR"),
    (
        Branch,
        "BRA BRX BRXU JMP JMX JMXU CALL RET EXIT KILL BREAK BPT RTT BSSY BSYNC BMOV BAR B2R R2B WARPSYNC YIELD NANOSLEEP RPCMOV ELECT \
         WARPGROUP WARPGROUPSET DEPBAR ACQBULK ENDCOLLECTIVE PREEXIT CGAERRBAR UCGABAR_ARV UCGABAR_WAIT PMTRIG NANOTRAP VOTE_VTG CONT BRK SSY SYNC",
    ),
    (Other, "NOP USETMAXREG SETCTAID UVIRTCOUNT"),
];

/// The pipe of an instruction, by its opcode with or without modifiers.
pub fn pipe(opcode: &str) -> Pipe {
    let name = opcode.split('.').next().unwrap_or(opcode);
    let listed = TABLE.iter().find(|(_, names)| names.split_ascii_whitespace().any(|known| known == name));
    match listed {
        Some((pipe, _)) => *pipe,
        None if name.starts_with('U') => Uniform,
        None => Other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_opcode_has_one_pipe_and_pipes_are_in_their_order() {
        let mut seen = HashSet::new();
        for (_, names) in TABLE {
            for name in names.split_ascii_whitespace() {
                assert!(seen.insert(name), "{name} stands twice");
            }
        }
        assert!(PIPES.iter().enumerate().all(|(at, (pipe, ..))| *pipe as usize == at));
        assert!(TABLE.iter().zip(PIPES).all(|(a, b)| a.0 == b.0));
    }

    #[test]
    fn pipes_of_opcodes() {
        let of = |text: &str| text.split(' ').map(pipe).collect::<Vec<_>>();
        assert_eq!(of("IADD3.X FFMA IMAD.WIDE.U32 HFMA2.MMA DFMA"), [Alu, Fma, FmaHeavy, Half, Double]);
        assert_eq!(
            of("MUFU.RCP LDG.E.128 HMMA.16816.F32 ULDC.64 BAR.SYNC"),
            [Special, Memory, Tensor, Uniform, Branch]
        );
        // Bulk copies begin with U and are not of the uniform pipe.
        assert_eq!(of("UTMALDG.2D UIADD3 TEX.SCR XYZ"), [Memory, Uniform, Texture, Other]);
    }
}
