//! Keeps ptxas from unrolling loops that LLVM has left as they are (default profile, pass
//! `nounroll`; off unless `-ptx-nounroll` asks for it).
//!
//! **Problem.** ptxas unrolls innermost loops, mostly by four, and adds a copy after each for the
//! remaining iterations. LLVM has already looked at each of these loops and decided not to unroll.
//! But `.pragma "nounroll"` appears only on a loop that LLVM has unrolled, or that the source
//! forbids to unroll. In code that seldom runs, the copies gain nothing, and cost instructions and
//! registers:
//!
//! ```text
//! $L__BB0_2:                         $L__BB0_2:
//!                                      .pragma "nounroll";
//!   ld.global.b32 %r2, [%rd2];         ld.global.b32 %r2, [%rd2];
//!   ...                                ...
//!   @%p2 bra $L__BB0_2;                @%p2 bra $L__BB0_2;
//! ```
//!
//! **Algorithm.** Find the natural loops. Of the innermost ones, mark those that [`Which`] names.
//! Leave a loop whose back edges' metadata already decides: it has the directive, or the source
//! wants it unrolled.
//!
//! **The directive is an instruction**, inline assembly without operands. LLVM's printer writes the
//! directive itself where the metadata of an IR branch asks for it, but machine passes must not
//! change IR. The directive has to be the first statement of the header, so it is made after the
//! coalescer. In SSA form it would stand after the PHIs, and so after the copies that they become.
//!
//! **Source.** The PTX ISA, "Pragma Strings". **Deviation.** None.
//!
//! **Complexity.** Linear in blocks and edges.

#[cfg(all(ptx_host, not(test)))]
pub mod pass;

use crate::adt::{BitSet, Rows};
use crate::cfg::{Cfg, Dominators, LoopId, Loops};
use crate::mir::BlockId;
use index_vec::IndexVec;

/// The directive that stands at the start of a loop's header.
pub const DIRECTIVE: &str = ".pragma \"nounroll\";";

/// The entry block of a function.
const ENTRY: BlockId = BlockId::from_raw_unchecked(0);

/// The loops that get the directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Loops whose header runs less often than the entry of the function.
    Cold,
    /// All loops.
    All,
}

/// The wish about unrolling that the metadata of a loop states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing.
    None,
    /// It must not be unrolled: LLVM prints the directive.
    NotUnrolled,
    /// It is to be unrolled.
    Unrolled,
}

/// Counts the innermost loops.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Loops that get the directive.
    pub marked: u64,
    /// Loops that have it already.
    pub have_directive: u64,
    /// Loops that the source wants unrolled.
    pub to_be_unrolled: u64,
    /// Loops that are not cold.
    pub hot: u64,
}

impl Counts {
    /// Names the counts.
    pub fn named(self) -> [(&'static str, u64); 4] {
        [
            ("loops kept from unrolling", self.marked),
            ("loops left: LLVM keeps them from unrolling", self.have_directive),
            ("loops left: the source wants them unrolled", self.to_be_unrolled),
            ("loops left: not cold", self.hot),
        ]
    }
}

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct NoUnroll {
    cfg: Cfg,
    dominators: Dominators,
    loops: Loops,
    /// By loop, whether it contains another loop.
    has_inner: BitSet,
    headers: Vec<BlockId>,
}

impl NoUnroll {
    /// Finds the headers of the loops that get the directive, in a function with these edges.
    /// `wish` says what the metadata of the branch at the end of a block says. `frequencies` says
    /// how often each block runs.
    pub fn find(
        &mut self,
        succs: &Rows<BlockId, BlockId>,
        which: Which,
        wish: impl Fn(BlockId) -> Wish,
        frequencies: &IndexVec<BlockId, u64>,
        counts: &mut Counts,
    ) -> &[BlockId] {
        let NoUnroll { cfg, dominators, loops, has_inner, headers } = self;
        cfg.compute(succs);
        dominators.compute(cfg);
        loops.compute(cfg, dominators);
        has_inner.reset(loops.num_loops());
        loops.ids().filter_map(|l| loops.parent(l)).for_each(|outer| {
            has_inner.insert(outer.index());
        });
        headers.clear();
        for l in loops.ids().filter(|l| !has_inner.contains(l.index())) {
            let header = loops.header(l);
            let is_cold = || frequencies[header] < frequencies[ENTRY];
            match wish_of(cfg, loops, l, &wish) {
                Wish::NotUnrolled => counts.have_directive += 1,
                Wish::Unrolled => counts.to_be_unrolled += 1,
                Wish::None if which == Which::Cold && !is_cold() => counts.hot += 1,
                Wish::None => {
                    counts.marked += 1;
                    headers.push(header);
                }
            }
        }
        headers
    }
}

/// Returns the wish for an innermost loop. One back edge that forbids unrolling is enough, as it is
/// for LLVM's printer.
fn wish_of(cfg: &Cfg, loops: &Loops, l: LoopId, wish: &impl Fn(BlockId) -> Wish) -> Wish {
    let latches = || cfg.preds.row(loops.header(l)).iter().filter(|&&b| loops.innermost(b) == Some(l));
    let says = |wanted: Wish| latches().any(|&latch| wish(latch) == wanted);
    [Wish::NotUnrolled, Wish::Unrolled].into_iter().find(|&w| says(w)).unwrap_or(Wish::None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::edges;

    /// A loop of two blocks, 2 and 3, in a loop from 1 to 4; after it a loop of one block, 5.
    const NEST: &[&[u32]] = &[&[1], &[2], &[3], &[2, 4], &[1, 5], &[5, 6], &[]];

    fn find(which: Which, wishes: &[(u32, Wish)], frequencies: &[u64]) -> (Vec<u32>, Counts) {
        let wish = |latch: BlockId| wishes.iter().find(|w| w.0 == latch.raw()).map_or(Wish::None, |w| w.1);
        let (mut stage, mut counts) = (NoUnroll::default(), Counts::default());
        let frequencies: IndexVec<BlockId, u64> = frequencies.iter().copied().collect();
        let found = stage.find(&edges(NEST), which, wish, &frequencies, &mut counts);
        let mut found: Vec<_> = found.iter().map(|b| b.raw()).collect();
        found.sort_unstable();
        (found, counts)
    }

    #[test]
    fn all_loops_without_a_loop_inside() {
        let (found, counts) = find(Which::All, &[], &[1; 7]);
        assert_eq!((found, counts), (vec![2, 5], Counts { marked: 2, ..Counts::default() }));
    }

    #[test]
    fn cold_is_a_header_that_runs_less_often_than_the_entry() {
        let (found, counts) = find(Which::Cold, &[], &[8, 90, 900, 900, 90, 7, 1]);
        assert_eq!((found, counts), (vec![5], Counts { marked: 1, hot: 1, ..Counts::default() }));
        // Equally often is not less often.
        assert!(find(Which::Cold, &[], &[8; 7]).0.is_empty());
    }

    #[test]
    fn loops_whose_metadata_says_what_is_to_become_of_them_are_left() {
        let (found, counts) = find(Which::All, &[(3, Wish::NotUnrolled), (5, Wish::Unrolled)], &[1; 7]);
        let left = Counts { have_directive: 1, to_be_unrolled: 1, ..Counts::default() };
        assert_eq!((found, counts), (vec![], left));
        // The metadata of the block before a loop, and of an outer loop's latch, belongs to other
        // loops.
        assert_eq!(find(Which::All, &[(1, Wish::NotUnrolled), (4, Wish::NotUnrolled)], &[1; 7]).0, [2, 5]);
    }
}
