//! What each operand of an instruction needs, by the words of the opcode.
//!
//! **Source.** PTX ISA, section 9.7; each function names its part. An instruction that is missing
//! here has no rule.

use super::super::decode::space_named;
use super::super::parse::{self, Operand};
use super::super::trace::Space;
use super::{Need, PREDICATE};

use Need::{AtLeast, Bits, BitsOrPredicate, GenericAddress, Memory, NoRegister, Texture, Whole};

/// Instructions whose operands all have the width of their type.
const ALL_ALIKE: &str =
    "abs add addc and brev cnot copysign cos div ex2 lg2 madc mad24 max min mul24 neg not or rcp rem \
    rsqrt sad sin sqrt stackrestore stacksave sub subc tanh xor alloca";
/// Instructions whose operands all have 32 bits.
const ALL_32: &str = "activemask bmsk bar.arrive bar.sync bar.warp barrier.arrive barrier.sync dp2a dp4a fns movmatrix nanosleep prmt redux \
    shf szext";
/// Instructions without registers.
const NONE: &str = "bra brkpt exit fence griddepcontrol membar pmevent ret setmaxnreg trap";

/// The needs of all operands; `None` if the instruction has no rule.
pub fn needs(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    let count = operands.len();
    let all = |need: Need| Some(vec![need; count]);
    let is_in = |list: &str| {
        let two = words.get(..2).map(|two| two.join("."));
        list.split_whitespace().any(|known| known == words[0] || two.as_deref() == Some(known))
    };
    match words[0] {
        _ if is_in(NONE) => return all(NoRegister),
        _ if is_in(ALL_32) => return all(Bits(32)),
        "ld" | "ldu" | "st" | "atom" | "red" => return access(words, operands),
        "prefetch" | "prefetchu" | "applypriority" | "discard" | "ldmatrix" | "stmatrix" | "wmma" | "mma"
        | "wgmma" => return block_access(words, operands),
        "cp" | "mbarrier" => return asynchronous(words, operands),
        "tex" | "tld4" | "suld" | "sust" | "txq" | "suq" => return texture(words, operands),
        "shfl" | "vote" | "match" | "elect" | "bar" | "barrier" => return warp_wide(words, count),
        "call" => return call(operands),
        "cvt" => return conversion(words, count),
        "createpolicy" => return policy(words, count),
        "isspacep" => return Some(vec![Bits(PREDICATE), GenericAddress]),
        "brx" => return Some(vec![Bits(32), NoRegister]),
        _ => {}
    }
    let types = types(words);
    let &[.., width] = types.as_slice() else { return None };
    let first_type = types[0];
    if types.len() == 1 && is_in(ALL_ALIKE) {
        return all(Bits(width));
    }
    Some(match (words[0], types.len()) {
        // Sums and products of two precisions: the last operand has that of the result.
        ("add" | "sub", 2) => vec![Bits(first_type), Bits(width), Bits(first_type)],
        ("fma", 2) => vec![Bits(first_type), Bits(width), Bits(width), Bits(first_type)],
        ("fma", 1) => return all(Bits(width)),
        ("mul", 1) if words.contains(&"wide") => vec![Bits(2 * width), Bits(width), Bits(width)],
        ("mad", 1) if words.contains(&"wide") => {
            vec![Bits(2 * width), Bits(width), Bits(width), Bits(2 * width)]
        }
        ("mul" | "mad", 1) => return all(Bits(width)),
        ("popc" | "clz" | "bfind", 1) => vec![Bits(32), Bits(width)],
        ("shl" | "shr", 1) => vec![Bits(width), Bits(width), Bits(32)],
        ("bfe", 1) => vec![Bits(width), Bits(width), Bits(32), Bits(32)],
        ("bfi", 1) => vec![Bits(width), Bits(width), Bits(width), Bits(32), Bits(32)],
        // With a Boolean operation the last operand is a predicate.
        ("lop3", 1) if count == 6 => [vec![Bits(32); 5], vec![Bits(PREDICATE)]].concat(),
        ("lop3", 1) => return all(Bits(32)),
        ("setp", 1) => with_predicate(vec![Bits(PREDICATE), Bits(width), Bits(width)], count),
        ("set", 2) => with_predicate(vec![Bits(first_type), Bits(width), Bits(width)], count),
        ("selp", 1) => with_predicate(vec![Bits(width); 3], count),
        ("slct", 2) => vec![Bits(first_type), Bits(first_type), Bits(first_type), Bits(width)],
        ("testp", 1) => vec![Bits(PREDICATE), Bits(width)],
        ("mov", 1) => return all(Whole(width)),
        ("cvta", 1) => return all(Bits(width)),
        ("mapa", 1) => vec![Bits(width), Bits(width), Bits(32)],
        ("getctarank", 1) => vec![Bits(32), Bits(width)],
        _ => return None,
    })
}

/// Bits of the types among the words, in their order.
fn types(words: &[&str]) -> Vec<u32> {
    words[1..].iter().filter_map(|word| parse::type_width(word)).collect()
}

fn with_predicate(mut needs: Vec<Need>, count: usize) -> Vec<Need> {
    if count == needs.len() + 1 {
        needs.push(Bits(PREDICATE));
    }
    needs
}

fn space_of(words: &[&str]) -> Option<Space> {
    words.iter().find_map(|word| space_named(word))
}

/// Adds an L2 cache policy, if the opcode has one.
fn with_policy(mut needs: Vec<Need>, words: &[&str]) -> Vec<Need> {
    if words.contains(&"L2::cache_hint") {
        needs.push(Bits(64));
    }
    needs
}

/// Bits of a special register that has only one width, if it is known. PTX ISA, section 10.
pub fn width_of_special(name: &str) -> Option<u32> {
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        "clock64" | "globaltimer" => Some(64),
        "laneid" | "warpid" | "nwarpid" | "smid" | "nsmid" | "clock" | "clock_hi" | "globaltimer_lo"
        | "globaltimer_hi" | "clusterid" | "nclusterid" | "cluster_ctaid" | "cluster_nctaid"
        | "cluster_ctarank" | "cluster_nctarank" | "total_smem_size" | "dynamic_smem_size"
        | "aggr_smem_size" => Some(32),
        _ if stem.starts_with("lanemask_") || stem.starts_with("envreg") => Some(32),
        // Those of the first PTX versions had 16 bits, and may still be read so.
        _ => None,
    }
}

/// The bits of a loaded or stored value. PTX ISA, section 9.4.1: a register may be wider.
fn value(words: &[&str]) -> Option<Need> {
    types(words).last().map(|&width| AtLeast(width))
}

/// ld, ldu, st: section 9.7.9. atom, red: section 9.7.13.
fn access(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    let memory = Memory(space_of(words));
    let has = |word: &str| words.contains(&word);
    let width = types(words).last().copied();
    if width.is_none() && !has("bulk") {
        return None;
    }
    let width = width.unwrap_or(64);
    let needs = match words[0] {
        "st" if has("async") => vec![Memory(Some(Space::Shared)), Bits(width), Memory(Some(Space::Shared))],
        "st" if has("bulk") => vec![memory, Bits(64), NoRegister],
        "red" if has("async") => vec![Memory(Some(Space::Shared)), Bits(width), Memory(Some(Space::Shared))],
        "ld" | "ldu" => vec![value(words)?, memory],
        "st" => vec![memory, value(words)?],
        "atom" if has("cas") => vec![Bits(width), memory, Bits(width), Bits(width)],
        "atom" => vec![Bits(width), memory, Bits(width)],
        _ => vec![memory, Bits(width)],
    };
    let needs = with_policy(needs, words);
    // Other operands, such as the value if an access's condition fails, are not known here.
    (needs.len() == operands.len()).then_some(needs)
}

/// Accesses by whole cache lines and matrices: sections 9.7.9 and 9.7.14.
fn block_access(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    let memory = Memory(space_of(words));
    let count = operands.len();
    // Fragments of double precision are in registers of 64 bits, all others in those of 32.
    let element = Bits(if words.contains(&"f64") { 64 } else { 32 });
    let action = words.get(1).copied().unwrap_or("");
    Some(match (words[0], action) {
        ("prefetch" | "prefetchu", _) if count == 1 => vec![memory],
        ("applypriority" | "discard", _) if count == 2 => vec![memory, NoRegister],
        ("ldmatrix", _) => vec![Bits(32), memory],
        ("stmatrix", _) => vec![memory, Bits(32)],
        ("wmma", "load") => [vec![element, memory], vec![Bits(32); count.checked_sub(2)?]].concat(),
        ("wmma", "store") => [vec![memory, element], vec![Bits(32); count.checked_sub(2)?]].concat(),
        ("wmma", "mma") => vec![element; count],
        ("mma", _) if !words.iter().any(|word| word.starts_with("block_scale")) => vec![element; count],
        ("wgmma", "mma_async") => {
            // The first matrix is in registers; or a descriptor names it, as always the second.
            let first = if matches!(operands.get(1), Some(Operand::Vector(_))) { Bits(32) } else { Bits(64) };
            let sparse = if words.contains(&"sp") { vec![Bits(32), NoRegister] } else { vec![] };
            let head = [vec![Bits(32), first, Bits(64)], sparse, vec![Bits(PREDICATE)]].concat();
            let rest = vec![NoRegister; count.checked_sub(head.len())?];
            [head, rest].concat()
        }
        ("wgmma", "fence" | "commit_group" | "wait_group") => vec![NoRegister; count],
        _ => return None,
    })
}

/// cp.async: section 9.7.9. mbarrier: section 9.7.13.
fn asynchronous(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    let shared = Memory(Some(Space::Shared));
    let count = operands.len();
    if words[0] == "mbarrier" {
        return mbarrier(words, count);
    }
    let has = |word: &str| words.contains(&word);
    if words.get(1) == Some(&"reduce") {
        return bulk_copy(words, operands);
    }
    if words.get(1) != Some(&"async") {
        return None;
    }
    match *words.get(2)? {
        "ca" | "cg" => {
            let mut needs = vec![shared, Memory(Some(Space::Global)), NoRegister];
            let has_policy = has("L2::cache_hint");
            // How many bytes are read, or whether any are.
            if count == 4 + usize::from(has_policy) {
                needs.push(BitsOrPredicate(32));
            }
            Some(with_policy(needs, words))
        }
        "commit_group" | "wait_group" | "wait_all" => Some(vec![NoRegister; count]),
        "mbarrier" => Some(vec![Memory(space_of(words))]),
        "bulk" => bulk_copy(words, operands),
        _ => None,
    }
}

/// cp.async.bulk, cp.reduce.async.bulk. PTX ISA, section 9.7.9. The brackets have the order of the
/// state spaces in the opcode; the barrier's come last.
fn bulk_copy(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    if words.get(3).is_some_and(|word| matches!(*word, "commit_group" | "wait_group")) {
        return Some(vec![NoRegister; operands.len()]);
    }
    let has = |word: &str| words.contains(&word);
    let is_tensor = has("tensor");
    let mut spaces = words.iter().filter_map(|word| space_named(word));
    // Operands without brackets: byte count, blocks of the cluster, cache policy, mask of sixteen
    // bytes.
    let wanted = [
        (!is_tensor, 32),
        (has("multicast::cluster"), 16),
        (has("L2::cache_hint"), 64),
        (has("cp_mask"), 16),
    ];
    let mut wanted = wanted.into_iter().filter(|(is_there, _)| *is_there).map(|(_, width)| Bits(width));
    let mut needs = Vec::new();
    for operand in operands {
        needs.push(match operand {
            Operand::Memory(_, _, more) => {
                let space = spaces.next().unwrap_or(Space::Shared);
                // A tensor map has a generic address.
                Memory(if is_tensor && !more.is_empty() { None } else { Some(space) })
            }
            // Offsets in an image.
            Operand::Vector(_) => Bits(16),
            _ => wanted.next()?,
        });
    }
    Some(needs)
}

/// mbarrier. PTX ISA, section 9.7.13.
fn mbarrier(words: &[&str], count: usize) -> Option<Vec<Need>> {
    let barrier = Memory(space_of(words));
    let is_parity = words.contains(&"parity");
    let mut needs = match *words.get(1)? {
        "init" => vec![barrier, Bits(32)],
        "inval" => vec![barrier],
        "expect_tx" | "complete_tx" => vec![barrier, Bits(32)],
        "arrive" | "arrive_drop" => vec![Bits(64), barrier, Bits(32)],
        "test_wait" => vec![Bits(PREDICATE), barrier, Bits(if is_parity { 32 } else { 64 })],
        "try_wait" => vec![Bits(PREDICATE), barrier, Bits(if is_parity { 32 } else { 64 }), Bits(32)],
        "pending_count" => vec![Bits(32), Bits(64)],
        _ => return None,
    };
    // The count of an arrival and the time of a wait may be missing.
    let may_be_missing = matches!(words[1], "arrive" | "arrive_drop" | "try_wait");
    if may_be_missing && count + 1 == needs.len() {
        needs.pop();
    }
    Some(needs)
}

/// tex, tld4, txq: section 9.7.10. suld, sust, suq: section 9.7.11.
fn texture(words: &[&str], operands: &[Operand]) -> Option<Vec<Need>> {
    let count = operands.len();
    Some(match words[0] {
        "txq" | "suq" => {
            let [_, Operand::Memory(..)] = operands else { return None };
            vec![Bits(32), Memory(None)]
        }
        "suld" => vec![value(words)?, Texture],
        "sust" => vec![Texture, value(words)?],
        _ if types(words).iter().any(|&width| width != 32) => return None,
        // After the brackets: offsets, gradients, a level, a depth.
        _ => [vec![Bits(32), Texture], vec![Bits(32); count.checked_sub(2)?]].concat(),
    })
}

/// shfl.sync: section 9.7.9. vote.sync, match.sync, elect.sync, bar.red: section 9.7.13.
fn warp_wide(words: &[&str], count: usize) -> Option<Vec<Need>> {
    let width = types(words).last().copied();
    Some(match words[0] {
        "elect" => vec![Bits(32), Bits(32)],
        // An old shuffle or vote has no mask.
        "shfl" => vec![Bits(width?); count],
        "vote" => {
            let result = Bits(width?);
            [vec![result, Bits(PREDICATE)], vec![Bits(32); count.checked_sub(2)?]].concat()
        }
        "match" => vec![Bits(32), Bits(width?), Bits(32)],
        _ if words.contains(&"red") => {
            let middle = vec![Bits(32); count.checked_sub(2)?];
            [vec![Bits(width?)], middle, vec![Bits(PREDICATE)]].concat()
        }
        _ if words.contains(&"cluster") => vec![NoRegister; count],
        _ => vec![Bits(32); count],
    })
}

/// call. PTX ISA, section 9.7.12. Parameters in registers have the widths that the callee declares,
/// which are not known here.
fn call(operands: &[Operand]) -> Option<Vec<Need>> {
    let is_named = |operand: &Operand| match operand {
        Operand::Group(parts) => {
            parts.iter().all(|part| !matches!(part, Operand::Reg(_) | Operand::Special(_)))
        }
        _ => true,
    };
    if !operands.iter().all(is_named) {
        return None;
    }
    Some(
        operands
            .iter()
            .map(|operand| if matches!(operand, Operand::Group(_)) { NoRegister } else { GenericAddress })
            .collect(),
    )
}

/// createpolicy. PTX ISA, section 9.7.9.
fn policy(words: &[&str], count: usize) -> Option<Vec<Need>> {
    match *words.get(1)? {
        "fractional" => Some([vec![Bits(64)], vec![Bits(32); count.checked_sub(1)?]].concat()),
        "range" if count == 4 => Some(vec![Bits(64), Memory(space_of(words)), Bits(32), Bits(32)]),
        _ => None,
    }
}

/// cvt. PTX ISA, section 9.7.9. By section 9.4.1 registers may be wider, except those of the newer
/// formats and of packed numbers.
fn conversion(words: &[&str], count: usize) -> Option<Vec<Need>> {
    if words.get(1) == Some(&"pack") {
        return Some(vec![AtLeast(32); count]);
    }
    let named: Vec<&str> =
        words[1..].iter().copied().filter(|word| parse::type_width(word).is_some()).collect();
    // An unknown type makes the list shorter. Formats of 4 bits need special registers.
    let &[to, from] = named.as_slice() else { return None };
    let is_plain = |word: &str| {
        word.starts_with(['s', 'u'])
            || matches!(word, "b16" | "b32" | "b64" | "f16" | "f16x2" | "f32" | "f64")
    };
    let need = |word: &str| {
        let width = parse::type_width(word).filter(|&width| width >= 8)?;
        Some(if is_plain(to) && is_plain(from) { AtLeast(width) } else { Bits(width) })
    };
    let (to_need, from_need) = (need(to)?, need(from)?);
    match (to.contains('x'), count) {
        (_, 2) => Some(vec![to_need, from_need]),
        // Two numbers become one register, perhaps with random bits.
        (true, 3) => Some(vec![to_need, from_need, from_need]),
        (true, 4) => Some(vec![to_need, from_need, from_need, Bits(32)]),
        _ => None,
    }
}
