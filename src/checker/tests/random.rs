//! Checks random programs after right and wrong changes, and compares the verdict with an
//! interpreter's.

use super::*;
use crate::fuzzing::{Rng, FEW};
use std::collections::BTreeMap;

/// Makes blocks with moves, PHIs, and instructions with and without reads, not in SSA form.
fn random(rng: &mut Rng) -> F {
    let (num_regs, blocks) = (2 + rng.below(6), 1 + rng.below(if FEW { 3 } else { 5 }));
    let mut f = F { num_regs, ..F::default() };
    let mut key = 0;
    for b in 0..blocks {
        let mut succs: Vec<u32> = (0..rng.below(3)).map(|_| rng.below(blocks)).filter(|&s| s != 0).collect();
        if b + 1 < blocks {
            succs.push(b + 1);
        }
        succs.sort_unstable();
        succs.dedup();
        let mut code = Vec::new();
        for _ in 0..rng.below(if FEW { 4 } else { 7 }) {
            let r = rng.below(num_regs);
            key += 1;
            code.push(match rng.below(6) {
                0 | 1 => copy(r, rng.below(num_regs)),
                2 if rng.below(4) == 0 => implicit_def(r),
                2 => I { opcode: 50 + rng.below(3), ..op(key, &[def(r)]) },
                // A load's result is its own, even if it reads no value.
                3 => I { flags: Instr::LOAD, ..op(key, &[def(r), read(rng.below(num_regs))]) },
                _ => effect(key, &[read(rng.below(num_regs)), read(rng.below(num_regs))]),
            });
        }
        f.blocks.push((code, succs));
    }
    // PHIs come last, when edges are known.
    for b in 1..blocks {
        let preds: Vec<u32> = (0..blocks).filter(|&p| f.blocks[p as usize].1.contains(&b)).collect();
        if preds.is_empty() {
            continue;
        }
        let mut regs: Vec<u32> = (0..num_regs).filter(|_| rng.below(4) == 0).collect();
        regs.reverse();
        for reg in regs {
            let pairs = preds.iter().flat_map(|&p| [read(rng.below(num_regs)), Operand::test_block(p)]);
            let operands = [def(reg)].into_iter().chain(pairs).collect();
            f.blocks[b as usize].0.insert(0, I { key: 0, opcode: 3, flags: Instr::PHI, operands });
        }
    }
    f
}

/// Replaces PHIs by copies through registers of their own, renames all registers, copies some
/// values before a use, and rematerialises constants.
fn transform(f: &F, rng: &mut Rng) -> F {
    let mut out = f.clone();
    for b in 0..out.blocks.len() {
        let phis: Vec<I> = out.blocks[b].0.iter().take_while(|i| i.flags == Instr::PHI).cloned().collect();
        out.blocks[b].0.drain(..phis.len());
        for phi in phis.iter().rev() {
            let incoming = out.num_regs;
            out.num_regs += 1;
            out.blocks[b].0.insert(0, copy(phi.operands[0].reg().virt_index() as u32, incoming));
            for pair in phi.operands[1..].chunks(2) {
                let src = pair[0].reg().virt_index() as u32;
                out.blocks[pair[1].block_number().index()].0.push(copy(incoming, src));
            }
        }
    }
    // The copies at the ends of blocks run one after the other. None writes a register that another
    // one reads.
    for (code, _) in &mut out.blocks {
        let mut k = 0;
        while k < code.len() {
            let uses: Vec<usize> =
                (0..code[k].operands.len()).filter(|&o| code[k].operands[o].is_use()).collect();
            if let Some(&o) = uses.first().filter(|_| rng.below(5) == 0) {
                let fresh = out.num_regs;
                out.num_regs += 1;
                let src = code[k].operands[o].reg().virt_index() as u32;
                code[k].operands[o] = read(fresh);
                code.insert(k, copy(fresh, src));
                k += 1;
            }
            // A copy right after a constant may compute it again.
            if k > 0 && code[k].flags == Instr::COPY && (50..53).contains(&code[k - 1].opcode) {
                let (was, is) = (code[k - 1].operands[0].reg(), code[k].operands[1].reg());
                if was == is && rng.below(2) == 0 {
                    let dst = code[k].operands[0];
                    code[k] = I { key: 5000 + k, opcode: code[k - 1].opcode, flags: 0, operands: vec![dst] };
                }
            }
            k += 1;
        }
    }
    let mut names: Vec<u32> = (0..out.num_regs).collect();
    for k in 1..names.len() {
        names.swap(k, rng.below(k as u32 + 1) as usize);
    }
    for op in out.blocks.iter_mut().flat_map(|b| &mut b.0).flat_map(|i| &mut i.operands) {
        if op.is_reg() {
            *op = op.renamed(Register::virt(names[op.reg().virt_index()]));
        }
    }
    out
}

/// Makes one change that may be wrong.
fn spoil(f: &mut F, rng: &mut Rng) {
    let b = rng.below(f.blocks.len() as u32) as usize;
    let (n, regs) = (f.blocks[b].0.len(), f.num_regs);
    if n == 0 {
        return;
    }
    let k = rng.below(n as u32) as usize;
    let code = &mut f.blocks[b].0;
    match rng.below(4) {
        0 if code[k].key == 0 => drop(code.remove(k)),
        1 if code[k].flags == Instr::COPY => code[k].operands[1] = read(rng.below(regs)),
        2 if k + 1 < n && (code[k].key == 0 || code[k + 1].key == 0) => code.swap(k, k + 1),
        _ => {
            let o = rng.below(code[k].operands.len().max(1) as u32) as usize;
            if let Some(op) = code[k].operands.get_mut(o) {
                *op = op.renamed(Register::virt(rng.below(regs)));
            }
        }
    }
}

type Value = Option<(u32, usize, u32)>;
type Trace = Vec<(usize, Vec<Value>)>;

/// Lists the values that instructions with a key read on one path through the program. `way`
/// chooses successors.
fn interpret(f: &F, way: &[u32]) -> Trace {
    let mut regs: BTreeMap<u32, Value> = BTreeMap::new();
    let (mut trace, mut block, mut from) = (Vec::new(), 0, 0);
    for (turn, &choice) in way.iter().enumerate() {
        let (code, succs) = &f.blocks[block as usize];
        let old = regs.clone();
        let get = |regs: &BTreeMap<u32, Value>, op: &Operand| {
            regs.get(&(op.reg().virt_index() as u32)).copied().flatten()
        };
        for i in code {
            let value = match i.flags {
                Instr::PHI => {
                    let src = i.operands[1..].chunks(2).find(|p| p[1].block_number().raw() == from);
                    src.and_then(|p| get(&old, &p[0]))
                }
                Instr::COPY => get(&regs, &i.operands[1]),
                Instr::IMPLICIT_DEF => None,
                _ => {
                    let reads: Vec<Value> =
                        i.operands.iter().filter(|o| o.is_use()).map(|o| get(&regs, o)).collect();
                    let is_constant = reads.is_empty();
                    if i.key < 5000 && !is_constant {
                        trace.push((i.key, reads));
                    }
                    Some(if is_constant { (i.opcode, 0, 0) } else { (0, i.key, turn as u32) })
                }
            };
            if let Some(d) = i.operands.first().filter(|o| o.is_def()) {
                regs.insert(d.reg().virt_index() as u32, value);
            }
        }
        if succs.is_empty() {
            break;
        }
        from = block;
        block = succs[choice as usize % succs.len()];
    }
    trace
}

/// Returns whether `after` does the same as `before` on some random paths.
fn agree(before: &F, after: &F, rng: &mut Rng) -> bool {
    (0..if FEW { 2 } else { 40 }).all(|_| {
        let way: Vec<u32> = (0..12).map(|_| rng.below(12)).collect();
        let (old, new) = (interpret(before, &way), interpret(after, &way));
        let values = |o: &[Value], n: &[Value]| o.iter().zip(n).all(|(o, n)| o.is_none() || o == n);
        old.len() == new.len() && old.iter().zip(&new).all(|(o, n)| o.0 == n.0 && values(&o.1, &n.1))
    })
}

/// Does what the random test does, with a program made from the bytes.
#[cfg(fuzzing)]
pub fn fuzz(bytes: &[u8]) {
    let mut rng = Rng::of(bytes);
    let before = random(&mut rng);
    let mut after = transform(&before, &mut rng);
    assert_eq!(check(&before, &after), Ok(()), "{before}{after}");
    for _ in 0..1 + rng.below(3) {
        spoil(&mut after, &mut rng);
    }
    assert!(
        check(&before, &after).is_err() || agree(&before, &after, &mut rng),
        "accepted, but wrong: {before}{after}"
    );
}

#[test]
fn k1_random_programs_are_judged_as_an_interpreter_does() {
    let (mut accepted, mut rejected, mut missed) = (0, 0, 0);
    for seed in 0..crate::fuzzing::cases(1500) {
        let mut rng = Rng::new((seed + 1_u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let before = random(&mut rng);
        let mut after = transform(&before, &mut rng);
        assert_eq!(check(&before, &after), Ok(()), "seed {seed}: {before}{after}");
        assert!(agree(&before, &after, &mut rng), "seed {seed}: the test's own transformation is wrong");
        spoil(&mut after, &mut rng);
        let right = agree(&before, &after, &mut rng);
        match check(&before, &after) {
            Ok(()) => {
                assert!(right, "seed {seed}: accepted, but wrong: {before}{after}");
                accepted += 1;
            }
            Err(_) if right => missed += 1,
            Err(_) => rejected += 1,
        }
    }
    // An error that no interpreted path reaches, or that is in unreachable or dead code, may be
    // rejected or not.
    assert!(
        FEW || accepted > 800 && rejected > 150,
        "{accepted} accepted, {rejected} rejected, {missed} harmless"
    );
}
