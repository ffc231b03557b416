//! The execution pipes of a multiprocessor, and which instruction goes where.
//!
//! **Source.** The metrics of Nsight Compute name the pipes ("sm__inst_executed_pipe_..."); which opcode counts for which pipe is in its
//! guide, "Pipelines". CUDA Binary Utilities lists the opcodes.
//!
//! **Deviation.** FMA's two halves, "heavy" for integers and "lite", are two pipes here: [`Pipe::Imad`] and [`Pipe::Fma`].

use serde::Serialize;

/// A pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pipe {
    /// Single precision.
    Fma,
    /// Products of integers: the heavy half of FMA.
    Imad,
    /// Integers, logic, comparisons.
    Alu,
    /// Pairs of 16 bits.
    Half,
    Double,
    /// MUFU and conversions.
    Special,
    Tensor,
    /// Constants with an address that is computed.
    Constant,
    Uniform,
    /// Shared memory, shuffles and what goes the same way.
    Shared,
    /// Global and local memory.
    Global,
    /// Branches and barriers.
    Control,
}

impl Pipe {
    pub const ALL: [Pipe; 12] = [
        Pipe::Fma,
        Pipe::Imad,
        Pipe::Alu,
        Pipe::Half,
        Pipe::Double,
        Pipe::Special,
        Pipe::Tensor,
        Pipe::Constant,
        Pipe::Uniform,
        Pipe::Shared,
        Pipe::Global,
        Pipe::Control,
    ];

    /// The pipe of an opcode; `None` if the opcode is not known.
    pub fn of(opcode: &str) -> Option<Pipe> {
        let base = opcode.split('.').next().unwrap_or_default();
        Some(match base {
            "FFMA" | "FMUL" | "FADD" | "FFMA2" | "FADD2" | "FMUL2" | "FSWZADD" => Pipe::Fma,
            "IMAD" | "IDP" | "VIADDMNMX3" => Pipe::Imad,
            "IADD3" | "IADD" | "VIADD" | "VIADDMNMX" | "VIMNMX" | "VIMNMX3" | "IMNMX" | "LOP3" | "LOP"
            | "SHF" | "SHL" | "SHR" | "LEA" | "ISETP" | "FSETP" | "FSEL" | "SEL" | "FMNMX" | "FMNMX3"
            | "PRMT" | "SGXT" | "PLOP3" | "BMSK" | "MOV" | "IABS" | "P2R" | "R2P" | "VABSDIFF4"
            | "VABSDIFF" | "CS2R" | "I2FP" | "F2FP" | "FCHK" | "LEPC" | "FSET" | "CSET" | "CSETP"
            | "ISET" | "FRND2" => Pipe::Alu,
            "HFMA2" | "HADD2" | "HMUL2" | "HSETP2" | "HSET2" | "HMNMX2" => Pipe::Half,
            "DFMA" | "DADD" | "DMUL" | "DSETP" | "DMNMX" => Pipe::Double,
            "MUFU" | "I2F" | "F2I" | "F2F" | "FRND" | "POPC" | "FLO" | "BREV" | "F2IP" => Pipe::Special,
            "HMMA" | "IMMA" | "DMMA" | "BMMA" | "HGMMA" | "QGMMA" | "IGMMA" | "BGMMA" | "QMMA" | "OMMA"
            | "UTCHMMA" | "UTCQMMA" | "WARPGROUP" | "MOVM" => Pipe::Tensor,
            "LDC" => Pipe::Constant,
            "LDS" | "STS" | "ATOMS" | "LDSM" | "STSM" | "SHFL" | "S2R" | "S2UR" | "MATCH" | "SYNCS"
            | "R2UR" | "REDUX" | "CREDUX" | "B2R" | "STAS" => Pipe::Shared,
            "LDG" | "STG" | "LD" | "ST" | "LDL" | "STL" | "ATOM" | "ATOMG" | "RED" | "REDG" | "LDGSTS"
            | "UBLKCP" | "UTMALDG" | "UTMASTG" | "UTMAREDG" | "LDTM" | "STTM" | "CCTL" | "UTMACCTL"
            | "SUST" | "SULD" | "TEX" | "TLD" => Pipe::Global,
            "BRA" | "BRX" | "BRXU" | "JMP" | "EXIT" | "BSSY" | "BSYNC" | "BREAK" | "RET" | "CALL" | "NOP"
            | "WARPSYNC" | "YIELD" | "BAR" | "ERRBAR" | "CGAERRBAR" | "MEMBAR" | "FENCE" | "DEPBAR"
            | "LDGDEPBAR" | "ARRIVES" | "BPT" | "KILL" | "NANOSLEEP" | "BMOV" | "VOTE" | "ELECT"
            | "PREEXIT" | "ACQBULK" | "ENDCOLLECTIVE" | "UCGABAR_ARV" | "UCGABAR_WAIT" | "UTMACMDFLUSH"
            | "ACQSHMINIT" => Pipe::Control,
            _ if base.starts_with('U') || base == "LDCU" => Pipe::Uniform,
            _ if base == "VOTEU" => Pipe::Uniform,
            _ => return None,
        })
    }
}
