//! Runs random functions, and checks that registers hold what the stage claims.

use super::groups::{Groups, PartRegs, Source};
use super::parts::Parts;
use crate::fuzzing::{cases, Rng, FEW};
use crate::mir::VRegId;
use crate::ssa::testing::{reg, TestFunction};

/// The opcodes of one width.
struct Width {
    pack: &'static str,
    unpack: &'static str,
    halves: Option<[&'static str; 2]>,
    num_parts: u32,
    bits: u32,
}

const WIDTHS: [Width; 4] = [
    Width {
        pack: "V2I16toI32",
        unpack: "I32toV2I16",
        halves: Some(["I32toI16L", "I32toI16H"]),
        num_parts: 2,
        bits: 32,
    },
    Width {
        pack: "V2I32toI64",
        unpack: "I64toV2I32",
        halves: Some(["I64toI32L_Sink", "I64toI32H"]),
        num_parts: 2,
        bits: 64,
    },
    Width { pack: "V4I16toI64", unpack: "I64toV4I16", halves: None, num_parts: 4, bits: 64 },
    Width { pack: "V2I64toI128", unpack: "I128toV2I64", halves: None, num_parts: 2, bits: 128 },
];
const LOAD: &str = "LD_any";
const MOVE: &str = "MOV_B32_r";

#[derive(Clone)]
struct Instr {
    name: &'static str,
    results: Vec<u32>,
    inputs: Vec<u32>,
}

#[derive(Default)]
struct Block {
    phis: Vec<(u32, Vec<(u32, u32)>)>,
    code: Vec<Instr>,
    succs: Vec<u32>,
}

#[derive(Default)]
struct Program {
    blocks: Vec<Block>,
    /// By register.
    bits: Vec<u32>,
    /// Tuples of registers that may be the parts of one value, of all blocks so far.
    tuples: Vec<Vec<u32>>,
    /// The registers that the block being built can read.
    visible: Vec<u32>,
}

impl Program {
    fn new_reg(&mut self, bits: u32) -> u32 {
        self.bits.push(bits);
        self.bits.len() as u32 - 1
    }
    fn push(&mut self, name: &'static str, result_bits: &[u32], inputs: Vec<u32>) -> Vec<u32> {
        let results: Vec<u32> = result_bits.iter().map(|&bits| self.new_reg(bits)).collect();
        self.visible.extend(&results);
        let instr = Instr { name, results: results.clone(), inputs };
        self.blocks.last_mut().unwrap().code.push(instr);
        results
    }
    fn any(&self, rng: &mut Rng, bits: u32) -> Option<u32> {
        let fit: Vec<_> =
            self.visible.iter().copied().filter(|&reg| self.bits[reg as usize] == bits).collect();
        (!fit.is_empty()).then(|| fit[rng.below(fit.len() as u32) as usize])
    }
    /// Returns a tuple that is visible here, sometimes with one register changed.
    fn tuple(&self, rng: &mut Rng, like: Option<&[u32]>) -> Option<Vec<u32>> {
        let shape = |tuple: &[u32]| (tuple.len(), self.bits[tuple[0] as usize]);
        let is_like = |tuple: &&Vec<u32>| {
            tuple.iter().all(|reg| self.visible.contains(reg))
                && like.is_none_or(|like| shape(like) == shape(tuple))
        };
        let fit: Vec<_> = self.tuples.iter().filter(is_like).collect();
        let mut tuple = (!fit.is_empty()).then(|| fit[rng.below(fit.len() as u32) as usize].clone())?;
        if rng.one_in(8) {
            let index = rng.below(tuple.len() as u32) as usize;
            tuple[index] = self.any(rng, self.bits[tuple[0] as usize])?;
        }
        Some(tuple)
    }
    fn add_instr(&mut self, rng: &mut Rng) -> Option<()> {
        let width = &WIDTHS[rng.below(4) as usize];
        let part_bits = width.bits / width.num_parts;
        match rng.below(6) {
            0 => {
                self.push(LOAD, &[width.bits], vec![]);
            }
            1 | 2 => {
                let whole = self.any(rng, width.bits)?;
                let tuple = match width.halves.filter(|_| rng.one_in(2)) {
                    Some(halves) => halves.map(|half| self.push(half, &[part_bits], vec![whole])[0]).to_vec(),
                    None => self.push(width.unpack, &vec![part_bits; width.num_parts as usize], vec![whole]),
                };
                self.tuples.push(tuple);
            }
            3 => {
                let mut tuple = self.tuple(rng, None)?;
                let index = rng.below(tuple.len() as u32) as usize;
                tuple[index] = self.push(MOVE, &[self.bits[tuple[index] as usize]], vec![tuple[index]])[0];
                self.tuples.push(tuple);
            }
            _ => {
                let tuple = self.tuple(rng, None)?;
                self.push_pack(tuple);
            }
        }
        Some(())
    }
    fn push_pack(&mut self, tuple: Vec<u32>) {
        let bits = self.bits[tuple[0] as usize] * tuple.len() as u32;
        let fits = |w: &&Width| w.bits == bits && w.num_parts as usize == tuple.len();
        let pack = WIDTHS.iter().find(fits).unwrap().pack;
        self.push(pack, &[bits], tuple);
    }
    /// Adds PHIs of tuples to the last block. The values over a loop's back edge are placeholders.
    fn add_phis(&mut self, rng: &mut Rng, preds: &[u32], readable: &[Vec<u32>]) -> Option<()> {
        let outer = std::mem::replace(&mut self.visible, readable[0].clone());
        let first = self.tuple(rng, None);
        let mut edges = vec![(first.clone(), preds[0])];
        for (&pred, regs) in preds[1..].iter().zip(&readable[1..]) {
            self.visible.clone_from(regs);
            edges.push((self.tuple(rng, first.as_deref()), pred));
        }
        self.visible = outer;
        let first = first?;
        let is_whole = edges.iter().all(|(tuple, _)| tuple.is_some());
        let mut phis = Vec::new();
        for index in 0..first.len() {
            let result = self.new_reg(self.bits[first[index] as usize]);
            let incoming =
                edges.iter().map(|(tuple, pred)| (tuple.as_ref().map_or(first[index], |t| t[index]), *pred));
            let incoming = incoming.collect();
            self.blocks.last_mut().unwrap().phis.push((result, incoming));
            phis.push(result);
        }
        self.visible.extend(&phis);
        self.tuples.push(phis.clone());
        if is_whole && rng.one_in(2) {
            self.push_pack(phis);
        }
        Some(())
    }
    /// Makes blocks 0, 2, 4, ... in a row. Between two of them is an odd block that may be skipped,
    /// or is a loop.
    fn random(rng: &mut Rng) -> Program {
        let mut p = Program::default();
        let num_blocks = 2 * rng.below(3) + 3;
        let mut is_loop = false;
        let mut seen_above = Vec::new();
        for block in 0..num_blocks {
            p.blocks.push(Block::default());
            let last_two = (block.wrapping_sub(2), block.wrapping_sub(1));
            let before = p.visible.clone();
            if block % 2 == 1 {
                seen_above.clone_from(&before);
                for _ in 0..rng.below(3) * u32::from(is_loop) {
                    p.add_phis(rng, &[block - 1], std::slice::from_ref(&before));
                }
            } else if block > 0 {
                let preds = if is_loop { vec![last_two.1] } else { vec![last_two.0, last_two.1] };
                let readable =
                    if is_loop { vec![before.clone()] } else { vec![seen_above.clone(), before.clone()] };
                p.visible.clone_from(if is_loop { &before } else { &seen_above });
                for _ in 0..rng.below(3) {
                    p.add_phis(rng, &preds, &readable);
                }
                is_loop = rng.one_in(2);
            }
            if block == 0 {
                is_loop = rng.one_in(2);
                for bits in [32, 64, 64, 128] {
                    p.push(LOAD, &[bits], vec![]);
                }
            }
            for _ in 0..rng.below(8) + 2 {
                let _ = p.add_instr(rng);
            }
            if block % 2 == 1 && is_loop {
                p.close_loop(rng, block);
            }
            let has_next = block + 1 < num_blocks;
            p.blocks.last_mut().unwrap().succs = match (has_next, block % 2, is_loop) {
                (false, ..) => vec![],
                (_, 0, false) => vec![block + 1, block + 2],
                (_, 1, true) => vec![block, block + 1],
                _ => vec![block + 1],
            };
        }
        p
    }
    /// Gives the PHIs of a one-block loop their values over its back edge.
    fn close_loop(&mut self, rng: &mut Rng, block: u32) {
        let phis = std::mem::take(&mut self.blocks.last_mut().unwrap().phis);
        let results: Vec<u32> = phis.iter().map(|&(result, _)| result).collect();
        let mut incoming: Vec<u32> = results.clone();
        for tuple in self.tuples.clone() {
            let Some(at) = results.windows(tuple.len()).position(|w| w == tuple) else { continue };
            let latch = self.tuple(rng, Some(&tuple)).filter(|_| !rng.one_in(4)).unwrap_or(tuple);
            incoming[at..at + latch.len()].clone_from_slice(&latch);
        }
        let closed = phis.into_iter().zip(incoming).map(|((result, mut from), reg)| {
            from.push((reg, block));
            (result, from)
        });
        self.blocks.last_mut().unwrap().phis = closed.collect();
    }
    fn function(&self) -> TestFunction {
        let mut f = TestFunction::new(self.bits.len(), self.blocks.len());
        f.machine.sizes.extend((0..).map(VRegId::from_raw).zip(self.bits.iter().copied()));
        for block in &self.blocks {
            block.phis.iter().for_each(|(result, from)| {
                f.phi(*result, from);
            });
            for instr in &block.code {
                let inputs: Vec<_> = instr.inputs.iter().map(|&input| reg(input)).collect();
                f.instr(instr.name, &instr.results, &inputs);
            }
            f.end_block(&block.succs);
        }
        f
    }
}

/// A program, what the stage found in it, and the values of its registers while it runs.
struct Machine<'p> {
    program: &'p Program,
    parts: &'p Parts,
    groups: &'p Groups,
    values: Vec<Option<u128>>,
}

impl Machine<'_> {
    fn value(&self, reg: u32) -> u128 {
        self.values[reg as usize].expect("it is defined")
    }
    fn joined(&self, regs: impl DoubleEndedIterator<Item = u32>) -> u128 {
        regs.rev().fold(0, |value, reg| value << self.program.bits[reg as usize] | self.value(reg))
    }
    fn joined_parts(&self, parts: &PartRegs) -> u128 {
        self.joined(parts.iter().map(|reg| reg.raw()))
    }
    fn run_instr(&mut self, rng: &mut Rng, instr: &Instr) {
        let bits = |reg: u32| self.program.bits[reg as usize];
        let mask = |reg: u32| u128::MAX >> (128 - bits(reg));
        let part = |index: u32, reg: u32| self.value(instr.inputs[0]) >> (index * bits(reg)) & mask(reg);
        let results: Vec<u128> = match instr.name {
            LOAD => vec![(0..4).fold(0, |value, _| value << 32 | u128::from(rng.below(u32::MAX)))],
            MOVE => vec![self.value(instr.inputs[0])],
            pack if WIDTHS.iter().any(|w| w.pack == pack) => vec![self.joined(instr.inputs.iter().copied())],
            half if half.contains('H') => vec![part(1, instr.results[0])],
            _ => instr.results.iter().zip(0..).map(|(&reg, index)| part(index, reg)).collect(),
        };
        let masks: Vec<_> = instr.results.iter().map(|&reg| mask(reg)).collect();
        for ((&reg, value), mask) in instr.results.iter().zip(results).zip(masks) {
            self.values[reg as usize] = Some(value & mask);
        }
        for trip in self.parts.round_trips().iter().filter(|trip| instr.results.contains(&trip.result.raw()))
        {
            assert_eq!(self.value(trip.result.raw()), self.value(trip.value.raw()), "{trip:?}");
        }
    }
    /// Follows an edge, and checks that the groups of the block get what their sources say.
    fn enter(&mut self, block: u32, from: u32) {
        let phis = &self.program.blocks[block as usize].phis;
        let incoming = phis.iter().map(|(result, edges)| {
            let reg = edges.iter().find(|&&(_, pred)| pred == from).unwrap().0;
            (*result, self.value(reg))
        });
        let incoming: Vec<_> = incoming.collect();
        let mut wanted = Vec::new();
        for group in self.groups.groups().iter().filter(|group| group.can_be_wide) {
            let low = group.parts[0].raw();
            let Some((_, edges)) = phis.iter().find(|(result, _)| *result == low) else { continue };
            let edge = edges.iter().position(|&(_, pred)| pred == from).unwrap();
            let value = match self.groups.sources(group)[edge] {
                Source::Whole(whole) => self.value(whole.raw()),
                Source::Group(other) => {
                    let other = &self.groups.groups()[other];
                    assert!(other.can_be_wide);
                    self.joined_parts(&other.parts)
                }
                Source::Packed(parts, at) => {
                    assert_eq!(at.raw(), from);
                    self.joined_parts(&parts)
                }
            };
            wanted.push((group.parts, value));
        }
        for (result, value) in incoming {
            self.values[result as usize] = Some(value);
        }
        for (parts, value) in wanted {
            assert_eq!(self.joined_parts(&parts), value);
        }
    }
}

/// Checks that only packs of a wide group, and PHIs of wide groups, which are erased, read its
/// parts.
fn check_readers(p: &Program, groups: &Groups) {
    let wide: Vec<_> = groups.groups().iter().filter(|group| group.can_be_wide).collect();
    let is_in = |reg: u32, group: &PartRegs| group.contains(&VRegId::from_raw(reg));
    let is_wide = |reg: u32| wide.iter().any(|group| is_in(reg, &group.parts));
    for block in &p.blocks {
        for (result, edges) in &block.phis {
            assert!(is_wide(*result) || edges.iter().all(|&(reg, _)| !is_wide(reg)));
        }
        for instr in &block.code {
            let is_pack = WIDTHS.iter().any(|w| w.pack == instr.name);
            let is_of = |group: &PartRegs| group.iter().map(|reg| reg.raw()).eq(instr.inputs.iter().copied());
            let is_erased = is_pack && wide.iter().any(|group| is_of(&group.parts));
            assert!(is_erased || !instr.inputs.iter().any(|&reg| is_wide(reg)));
        }
    }
}

#[test]
fn c7_what_registers_hold_is_what_an_interpreter_finds() {
    let (mut parts, mut groups) = (Parts::default(), Groups::default());
    let [mut num_trips, mut num_wide, mut num_packed] = [0; 3];
    for seed in 0..cases(4000) {
        let mut rng = Rng::new(seed);
        let p = Program::random(&mut rng);
        let (facts, machine) = p.function().finish();
        parts.find(&facts, &machine);
        num_wide += groups.find(&facts, &machine, &parts);
        num_trips += parts.round_trips().len() as u64;
        let wide = || groups.groups().iter().filter(|group| group.can_be_wide);
        num_packed +=
            wide().flat_map(|g| groups.sources(g)).filter(|s| matches!(s, Source::Packed(..))).count() as u64;
        check_readers(&p, &groups);
        for _ in 0..4 {
            let values = vec![None; p.bits.len()];
            let mut machine = Machine { program: &p, parts: &parts, groups: &groups, values };
            let mut block = 0;
            for _ in 0..20 {
                let of = &p.blocks[block as usize];
                of.code.iter().for_each(|instr| machine.run_instr(&mut rng, instr));
                let Some(&next) = of.succs.get(rng.below(of.succs.len().max(1) as u32) as usize) else {
                    break;
                };
                machine.enter(next, block);
                block = next;
            }
        }
    }
    assert!(FEW || num_trips > 0 && num_wide > 0 && num_packed > 0, "{num_trips} {num_wide} {num_packed}");
}
