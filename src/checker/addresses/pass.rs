//! Binds the samples to LLVM's function: describes how its registers are computed, and lists its
//! accesses.

use super::accesses::{Access, Compared, Place};
use super::comparison::Comparison;
use super::computation::{Computation, Extension, InductionVariable, Input, ValueSource};
use super::floats::{self, sampled, sampled_integer, sampled_predicate, Bits, FloatInput, FloatText};
use super::random::{mix, SAMPLES};
use super::text::{takes_halves, Base, Text};
use super::{key_of, SampledValues};
use crate::cfg::{Cfg, Dominators};
use crate::checker::instr::Instr;
use crate::checker::program::Program;
use crate::checker::prove::value_read;
use crate::llvm::{MachineFunction, MachineInstr};
use crate::mir::{BlockNumber, Float, InstrKind, Kind, Opcode, Operand, VRegId};
use index_vec::{index_vec, IndexVec};
use rustc_hash::FxHashMap;

/// The computations of an LLVM function.
struct Computations<'f, 'p> {
    mf: MachineFunction<'f>,
    program: &'p Program,
    /// By virtual register: the content of its instruction, if that depends on nothing but its
    /// operands.
    contents: IndexVec<VRegId, Option<u64>>,
    /// By opcode: the text that it prints as.
    mnemonics: FxHashMap<Opcode, String>,
    max_threads: [u32; 3],
    /// `None` unless steps of induction variables may be registers, which must be defined before
    /// the loop. A stage that moves code between blocks gets `None`: it may move such a def into
    /// the loop.
    dominators: Option<Dominators>,
    compared: Compared,
}

impl<'f> Computations<'f, '_> {
    fn mnemonic(&mut self, opcode: Opcode) -> &str {
        self.mnemonics.entry(opcode).or_insert_with(|| self.mf.mnemonic(opcode).trim().to_owned())
    }
}

impl ValueSource for Computations<'_, '_> {
    fn computation(&mut self, reg: VRegId) -> Option<Computation> {
        let mi = self.mf.def(reg.into())?.instr;
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let is_whole = |o: &Operand| o.subreg() == 0 && !o.is_undef();
        let result = Operand::only_def(&operands)?;
        if operands[result].vreg() != Some(reg) || !is_whole(&operands[result]) {
            return None;
        }
        let mut content = self.contents[reg];
        if self.compared.low_halves {
            content = self.content_of_low_half(mi, &operands, content);
        }
        if let Some(comparison) = self.comparison(mi, &operands).filter(|_| content.is_some()) {
            return Some(comparison);
        }
        if let Some(approximation) = self.approximation(mi) {
            content = content.map(|_| approximation.hash_without_flush());
        }
        let read = operands.iter().enumerate().filter(|&(index, _)| index != result);
        let read = read.map(|(index, o)| match o.kind() {
            Kind::Imm => Some(Input::Imm(mi.immediate(index))),
            Kind::Reg if o.reads_whole() => o.vreg().map(Input::Reg),
            // Part of the content, but not a number.
            _ => content.map(|_| Input::Other),
        });
        let opcode = mi.opcode();
        Some(Computation {
            inputs: read.collect::<Option<_>>()?,
            content,
            name: self.mf.opcode_name(opcode).into_owned(),
            mnemonic: self.mnemonic(opcode).to_owned(),
        })
    }
    fn bits(&self, reg: VRegId) -> u32 {
        self.mf.class_id(reg.into()).map_or(0, |_| self.mf.class_bits(reg.into()))
    }
    fn max_threads(&self) -> [u32; 3] {
        self.max_threads
    }
    fn extension(&mut self, reg: VRegId) -> Option<Extension> {
        let mi = self.mf.def(reg.into())?.instr;
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        Operand::only_def(&operands)?;
        text_of(mi)?.extension()
    }
    fn induction_variable(&mut self, reg: VRegId) -> Option<InductionVariable> {
        // A stage that makes registers narrower keeps all PHIs. An increment may read the low half
        // of a variable's extension before the stage, and the variable itself after it. The PHI
        // would then be an induction variable on one side only.
        if self.compared.low_halves {
            return None;
        }
        let mi = self.mf.def(reg.into())?.instr;
        if mi.kind() != InstrKind::Phi {
            return None;
        }
        let mut operands = Vec::new();
        mi.read_operands(&mut operands);
        let [_, a, from_a, b, from_b] = *operands else { return None };
        if ![a, b].iter().all(|o| o.is_whole()) {
            return None;
        }
        let header = mi.block().number();
        [(a, b, from_b), (b, a, from_a)].into_iter().find_map(|(start, next, latch)| {
            let computation = self.computation(next.vreg()?)?;
            let step = match computation.inputs[..] {
                [Input::Reg(r), step] if r == reg => step,
                [step, Input::Reg(r)] if r == reg => step,
                _ => return None,
            };
            let bits = match computation.mnemonic.strip_prefix("add.")?.trim() {
                "s64" => 64,
                "s32" => 32,
                _ => return None,
            };
            let is_invariant = match step {
                Input::Imm(_) => true,
                Input::Reg(step) => self.is_defined_before(step, header)?,
                Input::Other => false,
            };
            let loop_key = u64::from(header.raw()) << 32 | u64::from(latch.block_number().raw());
            is_invariant.then_some(InductionVariable { start: start.vreg()?, step, loop_key, bits })
        })
    }
}

impl<'f> Computations<'f, '_> {
    /// Returns the content of an instruction that a stage may replace by one of half the size. The
    /// content of a symbol's address is the symbol, whatever the size. An access to a small address
    /// space has no content: it is compared, not computed.
    fn content_of_low_half(
        &mut self,
        mi: MachineInstr<'f>,
        operands: &[Operand],
        content: Option<u64>,
    ) -> Option<u64> {
        let is_move = self.mnemonic(mi.opcode()).starts_with("mov");
        if is_move && operands.len() == 2 && operands[1].kind() == Kind::Other {
            let text = mi.text();
            let name = self.mf.opcode_name(mi.opcode());
            let symbol = text.split_once(&*name).map(|(_, symbol)| symbol.trim());
            return symbol.map(|symbol| symbol.bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte))));
        }
        let text = text_of(mi);
        content.filter(|_| !text.is_some_and(|text| text.addresses.iter().any(|a| a.is_small)))
    }
    /// Describes a comparison that may be in another form, by the form that all of them share. `None`
    /// for any other instruction.
    fn comparison(&mut self, mi: MachineInstr<'f>, operands: &[Operand]) -> Option<Computation> {
        let may_be = self.compared.comparisons && self.mnemonic(mi.opcode()).starts_with("setp");
        let comparison = may_be.then(|| Comparison::parse(&mi.assembler_text())).flatten()?;
        let register = |position: usize| {
            let operand = operands.get(position).filter(|operand| operand.reads_whole())?;
            operand.vreg().map(Input::Reg)
        };
        Some(Computation {
            mnemonic: String::new(),
            name: String::new(),
            inputs: comparison.registers().map(register).collect::<Option<_>>()?,
            content: Some(comparison.content()),
        })
    }
    /// Returns the text of an approximation that may begin to flush. `None` for any other
    /// instruction.
    fn approximation(&mut self, mi: MachineInstr<'f>) -> Option<FloatText> {
        let may_be = self.compared.flushes && {
            let mnemonic = self.mnemonic(mi.opcode());
            floats::APPROXIMATIONS.iter().any(|name| mnemonic.starts_with(name))
        };
        let text = may_be.then(|| FloatText::parse(&mi.assembler_text())).flatten();
        text.filter(|text| text.is_approximation())
    }
    /// Returns whether a register is defined before a loop, so that no iteration changes it. `None`
    /// if it has no def.
    fn is_defined_before(&self, reg: VRegId, header: BlockNumber) -> Option<bool> {
        let def_block = self.program.block_numbered(self.mf.def(reg.into())?.instr.block().number())?;
        let header = self.program.block_numbered(header)?;
        let dominates = |dominators: &Dominators| dominators.dominates(def_block, header);
        Some(def_block != header && self.dominators.as_ref().is_some_and(dominates))
    }
}

/// The floats of an LLVM function.
struct FloatSamples<'f> {
    mf: MachineFunction<'f>,
    known: FxHashMap<VRegId, Bits>,
}

/// An instruction that computes a float. Its text is `None` if it is a COPY.
struct FloatDefinition<'f> {
    instr: MachineInstr<'f>,
    operands: Vec<Operand>,
    text: Option<FloatText>,
}

impl FloatDefinition<'_> {
    fn inputs(&self) -> &[FloatInput] {
        self.text.as_ref().map_or(&[FloatInput::Operand(1)], |text| text.inputs())
    }
    /// Returns the register that an input reads whole.
    fn register(&self, input: FloatInput) -> Option<VRegId> {
        match input {
            FloatInput::Operand(position) => {
                let operand = self.operands.get(position)?;
                operand.vreg().filter(|_| operand.reads_whole())
            }
            FloatInput::Constant(_) => None,
        }
    }
}

impl<'f> FloatSamples<'f> {
    /// Returns the bits of an instruction's first input in each sample.
    fn first_input(&mut self, instr: MachineInstr<'f>, operands: &[Operand], text: FloatText) -> Vec<u64> {
        let definition = FloatDefinition { instr, operands: operands.to_vec(), text: Some(text) };
        let first = definition.inputs()[0];
        if let Some(reg) = definition.register(first) {
            self.compute(reg);
        }
        self.bits(&definition, first)
    }

    /// Computes a register, after everything that it is computed from.
    fn compute(&mut self, reg: VRegId) {
        let mut stack = vec![reg];
        while let Some(&top) = stack.last() {
            let definition = (!self.known.contains_key(&top)).then(|| self.definition(top)).flatten();
            let num_pending = stack.len();
            let read =
                definition.iter().flat_map(|d| d.inputs().iter().filter_map(|&input| d.register(input)));
            stack.extend(read.filter(|reg| self.is_float(*reg) && !self.known.contains_key(reg)));
            if stack.len() > num_pending {
                continue;
            }
            let computed = definition.and_then(|definition| self.result(&definition));
            self.known.entry(top).or_insert_with(|| {
                computed.unwrap_or_else(|| std::array::from_fn(|sample| sampled(key_of(top), sample)))
            });
            stack.pop();
        }
    }

    /// Returns the instruction that defines a register, if it may compute a float. It is never a
    /// PHI, so definitions form no cycle.
    fn definition(&self, reg: VRegId) -> Option<FloatDefinition<'f>> {
        let instr = self.mf.def(reg.into())?.instr;
        let mut operands = Vec::new();
        instr.read_operands(&mut operands);
        if Operand::only_def(&operands)? != 0 || !operands[0].is_whole() {
            return None;
        }
        if instr.kind() == InstrKind::Copy {
            return Some(FloatDefinition { instr, operands, text: None });
        }
        let properties = instr.properties();
        let has_effects =
            properties.may_load() || properties.is_call() || properties.has_unmodeled_side_effects();
        if instr.kind() != InstrKind::Other || has_effects {
            return None;
        }
        let text = Some(FloatText::parse(&instr.assembler_text())?);
        Some(FloatDefinition { instr, operands, text })
    }

    /// Computes the result of an instruction whose inputs are known.
    fn result(&self, definition: &FloatDefinition<'f>) -> Option<Bits> {
        let inputs: Vec<Vec<u64>> =
            definition.inputs().iter().map(|&input| self.bits(definition, input)).collect();
        let Some(text) = &definition.text else {
            return Some(std::array::from_fn(|sample| inputs[0][sample] as u32));
        };
        let of = |sample: usize| text.compute(&inputs.iter().map(|input| input[sample]).collect::<Vec<_>>());
        of(0)?;
        Some(std::array::from_fn(|sample| of(sample).map_or(0, f32::to_bits)))
    }

    /// Returns the bits of an input in each sample. If the input is a float, its register must be
    /// known.
    fn bits(&self, definition: &FloatDefinition<'f>, input: FloatInput) -> Vec<u64> {
        let position = match input {
            FloatInput::Operand(position) => position,
            FloatInput::Constant(bits) => return vec![bits.into(); floats::SAMPLES],
        };
        let instr = definition.instr;
        let in_each = |of: &dyn Fn(usize) -> u64| (0..floats::SAMPLES).map(of).collect();
        match (definition.register(input), instr.float(position)) {
            (Some(reg), _) if self.is_float(reg) => in_each(&|sample| self.known[&reg][sample].into()),
            (Some(reg), _) if self.mf.class_bits(reg.into()) == 1 => {
                in_each(&|sample| sampled_predicate(key_of(reg), sample))
            }
            (Some(reg), _) => in_each(&|sample| sampled_integer(key_of(reg), sample)),
            (None, Some(Float::F32(value))) => in_each(&|_| value.to_bits().into()),
            // The same value of the same instruction on both sides.
            (None, _) => in_each(&|sample| sampled(instr.key() as u64 ^ position as u64, sample).into()),
        }
    }

    fn is_float(&self, reg: VRegId) -> bool {
        self.mf.class_bits(reg.into()) == 32
    }
}

/// Lists the values that are read by the instructions that are not computed. The value of an
/// address includes its offset. `program` describes `mf`, which is of NVPTX and in SSA form. If the
/// stage may make other induction variables, these count as computed.
pub fn accesses(mf: MachineFunction, program: &Program, compared: Compared) -> Vec<Access> {
    let has_other_variables = compared.variables;
    let (mut samples, mut operands, mut accesses) = (SampledValues::default(), Vec::new(), Vec::new());
    samples.clear(mf.num_virt_regs());
    let dominators = has_other_variables.then(|| {
        let (mut cfg, mut dominators) = (Cfg::default(), Dominators::default());
        cfg.compute(&program.succs);
        dominators.compute(&cfg);
        dominators
    });
    let (contents, mnemonics, max_threads) = (contents(program), FxHashMap::default(), mf.ir().max_threads());
    let by_key: FxHashMap<usize, &Instr> = program.instrs.iter().map(|instr| (instr.key, instr)).collect();
    let mut floats = FloatSamples { mf, known: FxHashMap::default() };
    let mut source = Computations { mf, program, contents, mnemonics, max_threads, dominators, compared };
    for block in mf.blocks() {
        let mut next = block.first();
        while let Some(mi) = next {
            let facts = mi.facts();
            next = facts.next;
            mi.read_operands(&mut operands);
            let defined = Operand::only_def(&operands).and_then(|result| operands[result].vreg());
            let is_computed = defined.is_some_and(|reg| {
                source.is_computed(reg) || has_other_variables && source.induction_variable(reg).is_some()
            });
            if let Some(approximation) = defined.and_then(|_| source.approximation(mi)) {
                let taken = floats.first_input(mi, &operands, approximation.clone());
                accesses.extend(taken.chunks_exact(SAMPLES).map(|chunk| Access {
                    key: mi.key(),
                    values: std::array::from_fn(|sample| approximation.taken(chunk[sample] as u32).into()),
                    bits: 32,
                    place: Place::Other,
                }));
            }
            if facts.is_debug() || is_computed {
                continue;
            }
            let text = text_of(mi);
            // A directive to ptxas is not in the program. An instruction that reads no value and
            // has no effect (an IMPLICIT_DEF, say) may change places.
            let reads = operands.iter().any(|&o| value_read(o).is_some());
            if let Some(instr) = by_key.get(&mi.key()).filter(|instr| reads || !instr.is_pure()) {
                accesses.push(Access::of_instr(mi.key(), content(instr, text.as_ref())));
            }
            let read = bits_read(mi, &operands, text.as_ref());
            for (index, &operand) in operands.iter().enumerate() {
                let Some(reg) = value_read(operand).map(|part| part.reg) else { continue };
                let addresses = text.iter().flat_map(|text| &text.addresses);
                let address = addresses.into_iter().find(|address| address.base == Base::Operand(index));
                let place = match address {
                    Some(address) if address.is_small => Place::SmallAddress,
                    None if mi.kind() == InstrKind::Phi => Place::Phi,
                    _ => Place::Other,
                };
                let sum = samples.of_sum(&mut source, reg, address.map_or(0, |address| address.offset));
                // Addresses in 32-bit registers count modulo 2^32.
                let is_short = address.is_some() && source.bits(reg) == 32;
                let values = if is_short { sum.map(|v| u64::from(v as u32)) } else { sum };
                let values = match address {
                    None => values.map(|value| value & read),
                    Some(_) => values,
                };
                accesses.push(Access { key: mi.key(), values, bits: source.bits(reg), place });
            }
        }
    }
    accesses
}

/// Reads the text of an instruction that may access memory. `None` for any other one, and where the
/// assembler has no text.
fn text_of(mi: MachineInstr) -> Option<Text> {
    let properties = mi.properties();
    let may_access =
        properties.may_load() || properties.may_store() || properties.has_unmodeled_side_effects();
    if !may_access || properties.is_call() || properties.is_terminator() || mi.kind().is_inline_asm() {
        return None;
    }
    let text = mi.assembler_text();
    (!text.is_empty()).then(|| Text::parse(&text))
}

/// Returns the bits of its values that an instruction reads, as a mask: a store of fewer bits than its
/// registers have, and an unpack of halves of which one is not read, do not read all.
fn bits_read(mi: MachineInstr, operands: &[Operand], text: Option<&Text>) -> u64 {
    if let Some(bits) = text.and_then(Text::stored_bits).filter(|bits| (1..=32).contains(bits)) {
        return u64::MAX >> (64 - bits);
    }
    let [low, high, _] = operands else { return u64::MAX };
    let halves = [low, high].map(|half| half.vreg().filter(|_| half.is_def() && half.is_whole()));
    let [Some(low), Some(high)] = halves else { return u64::MAX };
    if !takes_halves(&mi.assembler_text()) {
        return u64::MAX;
    }
    let is_unread = |reg: VRegId| mi.function().use_nodbg_empty(reg.into());
    [(low, 0xffff), (high, 0xffff_0000)]
        .into_iter()
        .filter(|&(half, _)| !is_unread(half))
        .fold(0, |all, (_, mask)| all | mask)
}

/// Hashes the part of an instruction that a stage must not change: all but virtual registers and
/// the offsets of addresses.
fn content(instr: &Instr, text: Option<&Text>) -> u64 {
    match text.filter(|text| !text.addresses.is_empty()) {
        Some(text) => mix(text.rest ^ mix(instr.names)),
        None => instr.content,
    }
}

/// Lists the contents by virtual register, for instructions that depend on nothing but their
/// operands.
fn contents(program: &Program) -> IndexVec<VRegId, Option<u64>> {
    let mut contents = index_vec![None; program.num_regs];
    for (i, instr) in program.instrs.iter_enumerated() {
        let operands = program.operands(i);
        let Some(result) = Operand::only_def(operands) else { continue };
        let is_whole = |o: &Operand| !o.is_virtual() || o.subreg() == 0 && !o.is_undef();
        if instr.is_pure()
            && !instr.is(Instr::PHYSICAL | Instr::PHI | Instr::IMPLICIT_DEF | Instr::KILL)
            && operands.iter().all(is_whole)
        {
            if let Some(reg) = operands[result].vreg() {
                contents[reg] = Some(instr.content);
            }
        }
    }
    contents
}
