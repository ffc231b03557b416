//! Explains why ptxas' register count differs from the number of live registers in its PTX.
//!
//! **Problem.** A reader sees 52 live registers in the PTX and 40 in ptxas' count, and does not
//! know which to believe.
//!
//! **Method.** Gives only facts from the report's own data: how the PTX's registers are counted at
//! the peak, how many of them are unmodified parameters or constants (SASS reads those where it
//! needs them), how many nvdisasm finds live in ptxas' order of the code, how many more ptxas gave,
//! and what it spilled.
//!
//! **Complexity**: linear in the instructions.

use super::liveness::{self, Liveness};
use super::model::Listing;
use ptx_emu::ptx::parse::Function;

/// A side of a kernel.
pub struct Facts {
    /// The peak of the PTX; `None` if it is not understood.
    pub ptx: Option<Peak>,
    /// The most that are live at the same time in SASS, and the same of uniform ones.
    pub sass: u32,
    pub uniform: u32,
    /// The number that ptxas gives.
    pub registers: u64,
    /// Bytes of spill stores and loads.
    pub spills: u64,
}

/// The registers that are live at the peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// In registers of 32 bits.
    pub words: u32,
    /// The registers of 64 bits and more.
    pub wide: u32,
    pub predicates: u32,
    /// Words of registers that are set once, from a parameter or a constant.
    pub constant: u32,
}

impl Peak {
    pub fn of(function: &Function, live: &Liveness) -> Self {
        let writers = liveness::writers(function);
        let mut peak = Peak::default();
        for &reg in &live.peak {
            let width = function.registers[reg].width;
            if width == 1 {
                peak.predicates += 1;
                continue;
            }
            peak.words += width.div_ceil(32);
            peak.wide += u32::from(width > 32);
            let writer = writers[reg].map(|at| &function.code[at]);
            let is_constant = writer.is_some_and(|writer| {
                writer.guard.is_none()
                    && (writer.opcode.starts_with("ld.param") || writer.opcode.starts_with("mov."))
                    && !liveness::reads_register(writer)
            });
            if is_constant {
                peak.constant += width.div_ceil(32);
            }
        }
        peak
    }
}

impl Facts {
    pub fn new(ptx: Option<Peak>, sass: &Listing, registers: u64, spills: u64) -> Self {
        let most = sass.live.iter().copied().max().unwrap_or(0).max(0) as u32;
        Facts { ptx, sass: most, uniform: sass.uniform, registers, spills }
    }

    /// The explanation in a few sentences.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(peak) = &self.ptx {
            let mut how = Vec::new();
            if peak.wide > 0 {
                how.push(format!("{} of 64 bits count twice", peak.wide));
            }
            if peak.predicates > 0 {
                how.push(format!("{} predicates not counted", peak.predicates));
            }
            let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
            text = format!("In the PTX at most {} registers are live at once{how}", peak.words);
            if peak.constant > 0 {
                text.push_str(&format!(
                    ", {} of them parameters or constants, which SASS can read where it needs them",
                    peak.constant
                ));
            }
            text.push_str(". ");
        }
        text.push_str(&format!("In the SASS, which ptxas orders anew, at most {} are", self.sass));
        if self.uniform > 0 {
            text.push_str(&format!(" (up to {} uniform ones not counted)", self.uniform));
        }
        text.push_str(&format!("; ptxas gives {}", self.registers));
        if self.registers > u64::from(self.sass) {
            let idle = self.registers - u64::from(self.sass);
            text.push_str(&format!(", {idle} more than are ever live at once"));
        }
        if self.spills > 0 {
            text.push_str(&format!(
                ", and moves {} bytes to and from the stack for want of more",
                self.spills
            ));
        }
        text.push('.');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emu::ptx::parse;

    #[test]
    fn registers_that_are_live_where_most_are() {
        let text = ".version 7.0\n.target sm_80\n.visible .entry k(\n.param .u64 p\n)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
            ld.param.b64 %rd1, [p];\nmov.b32 %r1, 7;\nld.global.b32 %r2, [%rd1];\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 st.global.b32 [%rd1], %r1;\n\
            add.s32 %r3, %r2, %r1;\nst.global.b32 [%rd1+4], %r3;\nret;\n}\n";
        let function = parse::parse(text).remove(0);
        assert_eq!(function.problem, None);
        let peak = Peak::of(&function, &liveness::analyse(&function));
        // %rd1, %r1 and %r2; %r2 is loaded from memory. The last of several equal peaks counts.
        assert_eq!((peak.words, peak.wide, peak.constant), (4, 1, 3));
    }

    #[test]
    fn sentences_say_what_is_known() {
        let peak = Peak { words: 52, wide: 10, predicates: 2, constant: 0 };
        let facts = Facts { ptx: Some(peak), sass: 38, uniform: 0, registers: 40, spills: 0 };
        assert_eq!(
            facts.text(),
            "In the PTX at most 52 registers are live at once (10 of 64 bits count twice, 2 predicates not counted). \
             In the SASS, which ptxas orders anew, at most 38 are; ptxas gives 40, 2 more than are ever live at once."
        );
        let facts = Facts { ptx: None, sass: 255, uniform: 6, registers: 255, spills: 16 };
        assert_eq!(
            facts.text(),
            "In the SASS, which ptxas orders anew, at most 255 are (up to 6 uniform ones not counted); ptxas gives 255, \
             and moves 16 bytes to and from the stack for want of more."
        );
    }
}
