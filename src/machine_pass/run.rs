//! A pass, and its run on one function.

use super::opcodes::{set_of, OpcodeSet};
use crate::adt::Counters;
use crate::llvm::{MachineInstr, Outcome, Remark, RemarkKind, Run, StageTimer};
use std::any::Any;
use std::ops::Deref;

/// A pass on machine functions. One object runs on many functions, one after the other, so it may
/// keep its buffers.
pub trait MachinePass: 'static {
    /// Runs it on a function.
    fn run(&mut self, run: &mut PassRun) -> Outcome;
}

/// One run of a pass on a function: the function and its analyses (those of [`Run`]), and a place
/// for counts and remarks.
pub struct PassRun<'a, 'f> {
    pub(super) run: Run<'f>,
    pub(super) pass: &'static str,
    pub(super) counters: &'a mut Counters,
    pub(super) opcodes: &'a [Box<dyn Any>],
}

impl<'f> Deref for PassRun<'_, 'f> {
    type Target = Run<'f>;
    fn deref(&self) -> &Run<'f> {
        &self.run
    }
}

impl<'a, 'f> PassRun<'a, 'f> {
    /// Adds to a count of the statistics.
    pub fn count(&mut self, name: &'static str, count: u64) {
        self.counters.increase([(name, count)]);
    }
    /// Notes a value; the statistics show the maximum.
    pub fn maximum(&mut self, name: impl Into<String>, value: u64) {
        self.counters.push_maximum(name.into(), value);
    }
    /// The opcodes that the pass has asked for ([`Pass::opcodes`](super::Pass::opcodes)).
    ///
    /// # Panics
    /// If it has not asked for this set.
    pub fn opcodes<T: OpcodeSet>(&self) -> &'a T {
        set_of(self.opcodes)
    }
    /// Whether remarks of a kind are shown or written: `-pass-remarks-analysis=PASS`,
    /// `-pass-remarks-output=FILE` and the like.
    pub fn wants_remarks(&self, kind: RemarkKind) -> bool {
        self.mf.wants_remarks(kind, self.pass)
    }
    /// Emits a remark at the debug location of an instruction. Its text is in pieces; those with a
    /// key are arguments.
    ///
    /// # Fatal errors
    /// If the instruction was erased.
    pub fn remark(&self, kind: RemarkKind, name: &str, mi: MachineInstr<'f>, parts: &[(&str, String)]) {
        Remark { kind, pass: self.pass, name, parts }.emit_at(mi.block(), mi);
    }
    /// Times a part of the pass, until the timer is dropped. `None` without `-time-passes`.
    pub fn timer(&self, name: &str) -> Option<StageTimer<'f>> {
        StageTimer::start(self.host_pass, name)
    }
}
