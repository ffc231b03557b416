//! Counts SASS instructions by the pipe that executes them.
//!
//! **Problem.** A kernel is bound by its busiest pipe. The number of instructions on each pipe
//! shows whether a change is worth it.
//!
//! **Method.** The table of pipes is gpu-time's. The lines of a listing are counted: all, and those
//! of each loop.
//!
//! **Complexity.** Linear in the lines, for each loop that they are in.

use gpu_time::pipe::pipe;

use super::listing::opcode;
use super::model::{Listing, Loop, Mix};

/// The pipes that the instructions of a SASS listing run on: for all, then for each loop.
pub fn mixes(listing: &Listing) -> Vec<Mix> {
    let of_loop = |found: &Loop| {
        mix(found.parts.iter().flat_map(|&[first, last]| &listing.lines[first as usize..=last as usize]))
    };
    std::iter::once(mix(listing.lines.iter())).chain(listing.loops.iter().map(of_loop)).collect()
}

/// The pipes of the instructions in these lines of SASS. Padding is not counted, as in the number
/// of instructions.
fn mix<'a>(lines: impl Iterator<Item = &'a String>) -> Mix {
    let mut mix = Mix::default();
    for name in lines.filter_map(|line| opcode(line)).filter(|name| *name != "NOP") {
        mix[pipe(name) as usize] += 1;
    }
    mix
}

#[cfg(test)]
mod tests {
    use gpu_time::pipe::Pipe::{Branch, Fma};

    use super::*;

    #[test]
    fn a_mix_counts_instructions_alone() {
        let lines: Vec<String> =
            [".L_x_1:", "    @!P0 FFMA R1, R1, R2, R3 ;", "    FADD R1, R1, R2 ;", "    EXIT ;", "    NOP;"]
                .map(str::to_owned)
                .into();
        let mix = mix(lines.iter());
        assert_eq!((mix[Fma as usize], mix[Branch as usize], mix.iter().sum::<u32>()), (2, 1, 3));
    }
}
