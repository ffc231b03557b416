//! Makes sums of 32 bits that differ by a constant share one of them.
//!
//! **Problem.** `%r9 = OR %i, %r3` and `%r10 = OR %i, %r4` in a loop, with `%r3 = OR %tid, 256` and
//! `%r4 = OR %tid, 512` before it, are one sum and two constants. But `%r3` and `%r4` live through
//! the loop.
//!
//! **Algorithm.** Take the sums of one block that have the same terms, modulo 2^32. The first is
//! the leader. Each other one becomes the sum of the leader and a constant, if that saves a
//! register: one of another block, which need no longer live on for the sum, or one that nothing
//! else reads, which goes.
//!
//! **Complexity.** O(sums · log sums), in a few rounds.

use super::draft::Draft;
use super::edits::NewOpcode;
use crate::adt::PackedOption;
use crate::mir::{virtual_reads, BlockId, InstrId, VRegId};
use crate::nvptx::created::CreatedOp;
use crate::ssa::definitions::Definitions;
use crate::ssa::forms::rules::is_sum;
use crate::ssa::forms::{AtomId, FormId, Forms};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The sums are visited at most this often.
const MAX_ROUNDS: usize = 4;

index_vec::define_index_type! {
    /// The number of a sum.
    struct SumId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A register of 32 bits that may be a sum.
#[derive(Clone, Copy)]
struct Sum {
    reg: VRegId,
    instr: InstrId,
    block: BlockId,
    /// Whether it is an `or`, which is a sum if no bit is set on both sides.
    is_or: bool,
    form: FormId,
    /// The first sum with the same terms in the block.
    leader: PackedOption<SumId>,
    /// The sum minus its leader.
    constant: i32,
    /// Whether it becomes the sum of its leader and the constant.
    is_shared: bool,
}

/// An instruction that may be a sum.
#[derive(Clone, Copy)]
struct Candidate {
    instr: InstrId,
    reg: VRegId,
    is_or: bool,
}

/// The sums of a function; the buffers are kept.
#[derive(Default)]
pub struct Sums {
    candidates: Vec<Candidate>,
    sums: IndexVec<SumId, Sum>,
    /// By register: how many operands read it. Operands of shared sums, and of definitions that go
    /// with them, do not count.
    num_reads: IndexVec<VRegId, u32>,
    /// By register: whether its definition no longer needs its operands.
    is_spent: IndexVec<VRegId, bool>,
    worklist: Vec<VRegId>,
}

impl Sums {
    /// Begins with a function.
    pub fn clear(&mut self) {
        self.candidates.clear();
    }
    /// Adds an instruction that defines a 32-bit register and may be a sum; `is_or`: it is an `or`.
    pub fn add(&mut self, instr: InstrId, reg: VRegId, is_or: bool) {
        self.candidates.push(Candidate { instr, reg, is_or });
    }

    /// Shares sums. Returns how many. Registers that may have lost all readers are added to
    /// `unread`.
    pub fn share<M: MachineInfo>(
        &mut self,
        facts: &SsaFacts,
        machine: &M,
        forms: &mut Forms,
        draft: &mut Draft<'_, M>,
        unread: &mut Vec<VRegId>,
    ) -> u64 {
        self.decide(facts, machine, forms, draft);
        let mut num_shared = 0;
        for sum in self.sums.iter().filter(|sum| sum.is_shared) {
            let leader = self.sums[sum.leader.get().expect("a shared sum has a leader")];
            unread.extend(virtual_reads(facts.operands_of(sum.instr)));
            let op = if sum.is_or { CreatedOp::Or32Constant } else { CreatedOp::Add32Constant };
            draft.set_with_constant(sum.instr, NewOpcode::Created(op), leader.reg, i64::from(sum.constant));
            num_shared += 1;
        }
        num_shared
    }

    /// Decides which sums are shared, and how.
    fn decide<M: MachineInfo>(
        &mut self,
        facts: &SsaFacts,
        machine: &M,
        forms: &mut Forms,
        draft: &Draft<'_, M>,
    ) {
        let mut defs = Definitions::new(facts, machine, Some(draft.erased()));
        self.sort(facts, forms, &mut defs);
        self.find_leaders(facts, machine, forms);
        self.choose(facts, draft);
        self.keep_or(forms, &mut defs);
    }
    /// Writes the candidates that still exist as forms, and sorts them by block, terms and
    /// position.
    fn sort<M: MachineInfo>(&mut self, facts: &SsaFacts, forms: &mut Forms, defs: &mut Definitions<'_, &M>) {
        let Sums { candidates, sums, .. } = self;
        sums.clear();
        for &Candidate { instr, reg, is_or } in candidates.iter() {
            if defs.def(reg).is_none() {
                continue;
            }
            let form = forms.of(defs, reg, 32);
            // A register that is its own atom has nothing in common with others.
            if forms.terms(form).iter().all(|t| t.atom != AtomId::from(reg)) {
                let block = facts.block_of_instr(instr);
                let leader = PackedOption::NONE;
                sums.push(Sum { reg, instr, block, is_or, form, leader, constant: 0, is_shared: false });
            }
        }
        sums.sort_unstable_by(|a, b| {
            let terms = forms.terms(a.form).cmp(forms.terms(b.form));
            a.block.cmp(&b.block).then(terms).then(a.instr.cmp(&b.instr))
        });
    }
    fn find_leaders(&mut self, facts: &SsaFacts, machine: &impl MachineInfo, forms: &Forms) {
        let mut first = SumId::from_raw(0);
        for i in self.sums.indices().skip(1) {
            let (leader, sum) = (self.sums[first], self.sums[i]);
            if leader.block != sum.block || forms.terms(leader.form) != forms.terms(sum.form) {
                first = i;
                continue;
            }
            let constant = forms.distance(sum.form, leader.form, 32) as i32;
            let is_read = facts.num_reads[sum.reg] != 0;
            if is_read && constant != 0 && machine.class(leader.reg) == machine.class(sum.reg) {
                self.sums[i].leader = first.into();
                self.sums[i].constant = constant;
            }
        }
    }

    /// Chooses the sums that save a register. A register that a shared sum no longer reads may let
    /// another sum save it.
    fn choose<M: MachineInfo>(&mut self, facts: &SsaFacts, draft: &Draft<'_, M>) {
        self.num_reads.clear();
        self.num_reads.extend(facts.num_reads.iter().copied());
        self.is_spent.clear();
        self.is_spent.resize(self.num_reads.len(), false);
        for _ in 0..MAX_ROUNDS {
            let mut has_changed = false;
            for i in self.sums.indices() {
                let sum = self.sums[i];
                let Some(leader) = sum.leader.get().filter(|_| !sum.is_shared) else { continue };
                if self.spares_register(facts, draft, &sum, &self.sums[leader]) {
                    self.sums[i].is_shared = true;
                    self.is_spent[sum.reg] = true;
                    has_changed = true;
                    self.forget_operands(facts, draft, sum.instr);
                }
            }
            if !has_changed {
                break;
            }
        }
    }
    fn spares_register<M: MachineInfo>(
        &self,
        facts: &SsaFacts,
        draft: &Draft<'_, M>,
        sum: &Sum,
        leader: &Sum,
    ) -> bool {
        virtual_reads(facts.operands_of(sum.instr)).any(|reg| {
            let is_of_other_block = draft.def(reg).is_some_and(|def| facts.block_of_instr(def) != sum.block);
            let is_kept =
                reg == leader.reg || virtual_reads(facts.operands_of(leader.instr)).any(|other| other == reg);
            !is_kept && (is_of_other_block || self.num_reads[reg] == 1)
        })
    }
    /// Stops counting the reads of an instruction, and those of integer operations that then have
    /// no readers.
    fn forget_operands<M: MachineInfo>(&mut self, facts: &SsaFacts, draft: &Draft<'_, M>, instr: InstrId) {
        self.worklist.extend(virtual_reads(facts.operands_of(instr)));
        while let Some(reg) = self.worklist.pop() {
            self.num_reads[reg] -= 1;
            let Some(def) = draft.def(reg) else { continue };
            if self.num_reads[reg] == 0 && !self.is_spent[reg] && draft.integer_op(def).is_some() {
                self.is_spent[reg] = true;
                self.worklist.extend(virtual_reads(facts.operands_of(def)));
            }
        }
    }
    /// Keeps an `or` only where the leader's bits are clear: ptxas fuses several bitwise
    /// instructions into one.
    fn keep_or<M: MachineInfo>(&mut self, forms: &mut Forms, defs: &mut Definitions<'_, &M>) {
        for i in self.sums.indices() {
            let sum = self.sums[i];
            if let Some(leader) = sum.leader.get().filter(|_| sum.is_shared && sum.is_or) {
                let bits = forms.bits_of_register(defs, self.sums[leader].reg, 32);
                self.sums[i].is_or = is_sum(bits, u64::from(sum.constant as u32));
            }
        }
    }
}
