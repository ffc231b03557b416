//! Finds the loops of a listing of PTX or SASS.
//!
//! **Problem.** An instruction in a loop counts as often as the loop runs. A reader wants to see
//! which loop each instruction is in, and how deep.
//!
//! **Method.** Natural loops: a branch back to a block that dominates it makes a loop. Its body is
//! all blocks that reach the branch without passing the header; loops with one header are one.
//! Blocks and branches follow from labels alone, which PTX and nvdisasm write alike. `BSYNC B0` may
//! go to the label of any `BSSY B0`. A region that is also entered in the middle is not a natural
//! loop.
//!
//! **Source.** Aho, Lam, Sethi and Ullman, "Compilers", 9.6.6; dominators by Cooper, Harvey and
//! Kennedy, "A Simple, Fast Dominance Algorithm", 2001. **Complexity**: linear in the lines, times
//! how deep loops are nested.

use std::collections::{BTreeMap, HashMap};

use super::listing::{label, opcode};
use super::model::Loop;

/// A basic block.
struct Block {
    first: usize,
    end: usize,
    successors: Vec<usize>,
}

/// The loops of a listing, in the order of their headers.
pub fn of(lines: &[String]) -> Vec<Loop> {
    let blocks = blocks(lines);
    let dominators = dominators(&blocks);
    let mut latches: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, block) in blocks.iter().enumerate() {
        for &to in &block.successors {
            if dominators[from].is_some() && is_dominated(&dominators, from, to) {
                latches.entry(to).or_default().push(from);
            }
        }
    }
    let predecessors = predecessors(&blocks);
    let mut bodies: Vec<(usize, Vec<bool>)> = Vec::new();
    for (head, mut open) in latches {
        let mut body = vec![false; blocks.len()];
        body[head] = true;
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut body[block], true) {
                open.extend(predecessors[block].iter().filter(|&&from| dominators[from].is_some()));
            }
        }
        // SASS ends with a branch to itself, for instructions that are prefetched.
        let instructions = (0..blocks.len()).filter(|&block| body[block]);
        let is_padding = instructions
            .flat_map(|block| &lines[blocks[block].first..blocks[block].end])
            .filter_map(|line| opcode(line))
            .all(|name| name == "BRA");
        if !is_padding {
            bodies.push((head, body));
        }
    }
    let depth = |head: usize| bodies.iter().filter(|(_, body)| body[head]).count() as u32;
    bodies
        .iter()
        .map(|(head, body)| {
            let mut parts: Vec<[u32; 2]> = Vec::new();
            for (block, _) in blocks.iter().zip(body).filter(|(_, is_in)| **is_in) {
                match parts.last_mut() {
                    Some(part) if part[1] as usize + 1 == block.first => part[1] = block.end as u32 - 1,
                    _ => parts.push([block.first as u32, block.end as u32 - 1]),
                }
            }
            Loop { depth: depth(*head), parts, head: blocks[*head].first as u32 }
        })
        .collect()
}

/// The blocks of a text.
fn blocks(lines: &[String]) -> Vec<Block> {
    let mut labels: HashMap<&str, usize> = HashMap::new();
    // The labels in `.branchtargets`, by the label of the list.
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut open: Option<&str> = None;
    let mut barriers: HashMap<&str, Vec<&str>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(list) = open {
            lists.entry(list).or_default().extend(labels_in(line));
            open = open.filter(|_| !line.contains(';'));
        } else if let Some((label, rest)) = line.trim_start().split_once(": .branchtargets") {
            lists.entry(label).or_default().extend(labels_in(rest));
            open = (!rest.contains(';')).then_some(label);
        } else if let Some(name) = label(line) {
            labels.insert(name, at);
        } else if opcode(line) == Some("BSSY") {
            barriers.entry(barrier(line)).or_default().extend(labels_in(line));
        }
    }
    let mut starts = vec![false; lines.len() + 1];
    if let Some(first) = starts.first_mut() {
        *first = true;
    }
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    let mut falls = vec![true; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        if label(line).is_some() {
            starts[at] = true;
        }
        // The end of a function.
        if line == "}" {
            (falls[at], starts[at + 1]) = (false, true);
        }
        let Some(name) = opcode(line) else { continue };
        let stem = name.split('.').next().unwrap_or(name);
        let named: Vec<&str> = match stem {
            "bra" | "brx" | "BRA" | "BRX" | "JMP" | "JMX" | "BREAK" => labels_in(line).collect(),
            "BSYNC" => barriers.get(barrier(line)).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let leaves = matches!(
            stem,
            "bra" | "brx" | "ret" | "exit" | "trap" | "BRA" | "BRX" | "JMP" | "JMX" | "RET" | "EXIT" | "KILL"
        );
        let is_guarded = line.trim_start().starts_with('@');
        falls[at] = !leaves || is_guarded;
        starts[at + 1] |= leaves || !named.is_empty();
        targets[at] = named
            .iter()
            .flat_map(|&label| lists.get(label).cloned().unwrap_or_else(|| vec![label]))
            .filter_map(|label| labels.get(label).copied())
            .collect();
    }
    let firsts: Vec<usize> = (0..lines.len()).filter(|&at| starts[at]).collect();
    let block_at = |at: usize| firsts.binary_search(&at).ok();
    let ends = firsts.iter().skip(1).copied().chain([lines.len()]);
    let block = |(&first, end): (&usize, usize)| {
        let mut successors: Vec<usize> =
            targets[first..end].iter().flatten().filter_map(|&at| block_at(at)).collect();
        if falls[end - 1] {
            successors.extend(block_at(end));
        }
        Block { first, end, successors }
    };
    firsts.iter().zip(ends).map(block).collect()
}

/// The labels that a line names.
fn labels_in(line: &str) -> impl Iterator<Item = &str> {
    let line = line.split("//").next().unwrap_or("");
    line.split(|c: char| !(c.is_ascii_alphanumeric() || "$._".contains(c)))
        .filter(|word| word.starts_with("$L") || word.starts_with(".L_"))
}

/// `B0` of `BSSY B0, ...` and `BSYNC B0`; empty if the line has none.
fn barrier(line: &str) -> &str {
    line.split([' ', ',', ';'])
        .find(|word| word.starts_with('B') && word[1..].parse::<u32>().is_ok())
        .unwrap_or("")
}

fn predecessors(blocks: &[Block]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        block.successors.iter().for_each(|&to| predecessors[to].push(from));
    }
    predecessors
}

/// The immediate dominator of each block. That of an entry is the entry itself; an unreachable
/// block has none.
fn dominators(blocks: &[Block]) -> Vec<Option<usize>> {
    let predecessors = predecessors(blocks);
    let mut dominators: Vec<Option<usize>> = vec![None; blocks.len()];
    // Each function of a PTX listing has its own entry.
    for (entry, _) in predecessors.iter().enumerate().filter(|(at, from)| *at == 0 || from.is_empty()) {
        let order = reverse_postorder(blocks, entry);
        let mut number = HashMap::new();
        for (at, &block) in order.iter().enumerate() {
            number.insert(block, at);
        }
        if order.iter().any(|&block| dominators[block].is_some()) {
            continue; // reached from the entry before: code after a branch that is never taken
        }
        dominators[entry] = Some(entry);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order[1..] {
                let mut best: Option<usize> = None;
                for &from in &predecessors[block] {
                    if dominators[from].is_none() || !number.contains_key(&from) {
                        continue;
                    }
                    best = Some(match best {
                        None => from,
                        Some(other) => meet(&dominators, &number, from, other),
                    });
                }
                if dominators[block] != best {
                    dominators[block] = best;
                    changed = true;
                }
            }
        }
    }
    dominators
}

/// The nearest block that dominates both.
fn meet(dominators: &[Option<usize>], number: &HashMap<usize, usize>, mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if number[&a] > number[&b] { &mut a } else { &mut b };
        match dominators[*later] {
            Some(next) if next != *later => *later = next,
            _ => break,
        }
    }
    a
}

fn is_dominated(dominators: &[Option<usize>], mut block: usize, by: usize) -> bool {
    loop {
        if block == by {
            return true;
        }
        match dominators[block] {
            Some(next) if next != block => block = next,
            _ => return false,
        }
    }
}

fn reverse_postorder(blocks: &[Block], entry: usize) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut open = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((block, next)) = open.pop() {
        match blocks[block].successors.get(next) {
            Some(&to) => {
                open.push((block, next + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    open.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(text: &str) -> Vec<(u32, u32, Vec<[u32; 2]>)> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        of(&lines).into_iter().map(|found| (found.head, found.depth, found.parts)).collect()
    }

    #[test]
    fn loops_in_loops() {
        let ptx = "\
        mov.b32 %r1, 0;
$L__BB0_1:
        add.s32 %r1, %r1, 1;
$L__BB0_2: // %inner
        add.s32 %r2, %r2, 1;
        @%p1 bra $L__BB0_2;
        @%p2 bra $L__BB0_1;
        ret;";
        assert_eq!(loops(ptx), [(1, 1, vec![[1, 6]]), (3, 2, vec![[3, 5]])]);
    }

    #[test]
    fn code_between_that_is_not_in_the_loop_is_left_out() {
        let ptx = "\
$L__BB0_1:
        @%p1 bra $L__BB0_3;
        bra.uni $L__BB0_4;
$L__BB0_2:
        ret;
$L__BB0_3:
        @%p3 bra $L__BB0_2;
        bra.uni $L__BB0_1;
$L__BB0_4:
        ret;";
        assert_eq!(loops(ptx), [(0, 1, vec![[0, 1], [5, 7]])]);
    }

    #[test]
    fn a_way_back_through_a_barrier() {
        let sass = "\
    BSSY B0, `(.L_x_1) ;
.L_x_2:
    IADD3 R1, R1, 0x1, RZ ;
    BSSY B1, `(.L_x_2) ;
    @P0 EXIT ;
    BSYNC B1 ;
.L_x_1:
    EXIT ;
.L_x_3:
    BRA `(.L_x_3);
    NOP;";
        // The last branch is not a loop.
        assert_eq!(loops(sass), [(1, 1, vec![[1, 5]])]);
    }

    #[test]
    fn a_loop_by_a_table_of_branches() {
        let ptx = "\
$L__BB0_1:
        $L_brx_0: .branchtargets
                $L__BB0_1,
                $L__BB0_2;
        brx.idx %r1, $L_brx_0;
$L__BB0_2:
        ret;";
        assert_eq!(loops(ptx), [(0, 1, vec![[0, 4]])]);
    }

    #[test]
    fn each_function_has_loops_and_a_way_into_the_middle_makes_none() {
        let text = "\
{
$L__BB0_1:
        @%p1 bra $L__BB0_1;
        ret;
}
.func f
{
        @%p1 bra $L__BB1_2;
$L__BB1_1:
        add.s32 %r1, %r1, 1;
$L__BB1_2:
        @%p2 bra $L__BB1_1;
        ret;
}";
        // The first loop has only a branch.
        assert_eq!(loops(text), [(1, 1, vec![[1, 2]])]);
    }

    #[test]
    fn nothing_has_no_loop() {
        assert_eq!(loops(""), []);
    }
}
