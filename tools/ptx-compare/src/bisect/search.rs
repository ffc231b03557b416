//! The searches of [`super`], over a closure that tries something and gives a verdict.
//!
//! [`first_bad`] halves a range of numbers, as `git bisect` does. [`minimal`] reduces a set by
//! delta debugging (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002).
//! Neither tries the same thing twice. Neither tries what the caller knows: that the empty set is
//! good, and that everything is bad.
//!
//! Neither needs a monotone search space. If something bad turns good again further on, the result
//! is still a place where good turns to bad, or a set of which no member can be left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The verdict of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Good,
    Bad,
    /// Cannot be decided.
    Skip,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Good => "good",
            Verdict::Bad => "bad",
            Verdict::Skip => "skip",
        })
    }
}

/// Two numbers, the first good and the second bad. All numbers between are skipped; without skipped
/// ones the two are neighbours.
///
/// `good` is known to be good, and the greater `bad` to be bad. **Complexity.** About log2(bad -
/// good) tries, and one for each skipped number.
pub fn first_bad<E>(
    mut good: usize,
    mut bad: usize,
    mut test: impl FnMut(usize) -> Result<Verdict, E>,
) -> Result<(usize, usize), E> {
    let mut skipped = BTreeSet::new();
    loop {
        let middle = good + (bad - good) / 2;
        let open = (good + 1..bad).filter(|number| !skipped.contains(number));
        let Some(number) = open.min_by_key(|number| number.abs_diff(middle)) else {
            return Ok((good, bad));
        };
        match test(number)? {
            Verdict::Good => good = number,
            Verdict::Bad => bad = number,
            Verdict::Skip => drop(skipped.insert(number)),
        }
    }
}

/// Tries 1, 2, 4 and so on. Returns the last good number before the first bad one, or 0, and that
/// bad one; `None` if there is none up to `most`.
pub fn doubled<E>(
    most: usize,
    mut test: impl FnMut(usize) -> Result<Verdict, E>,
) -> Result<Option<(usize, usize)>, E> {
    let mut good = 0;
    let mut number = 1;
    while number <= most {
        match test(number)? {
            Verdict::Good => good = number,
            Verdict::Bad => return Ok(Some((good, number))),
            Verdict::Skip => {}
        }
        number *= 2;
    }
    Ok(None)
}

/// A bad set of the numbers below `count` that is not bad without any one of its members. All
/// numbers together are known to be bad, and the empty set good.
///
/// First each number is left out alone. Those that are needed are in the set; often they are all of
/// it. **Complexity.** `count` tries, and then at worst quadratic in the rest, as delta debugging
/// is.
pub fn minimal<E>(
    count: usize,
    mut test: impl FnMut(&BTreeSet<usize>) -> Result<Verdict, E>,
) -> Result<BTreeSet<usize>, E> {
    let all: BTreeSet<usize> = (0..count).collect();
    let mut known = BTreeMap::from([(BTreeSet::new(), Verdict::Good), (all.clone(), Verdict::Bad)]);
    let mut is_bad = |set: &BTreeSet<usize>| -> Result<bool, E> {
        if !known.contains_key(set) {
            known.insert(set.clone(), test(set)?);
        }
        Ok(known[set] == Verdict::Bad)
    };
    let mut needed = BTreeSet::new();
    for left_out in 0..count {
        let mut rest = all.clone();
        rest.remove(&left_out);
        if !is_bad(&rest)? {
            needed.insert(left_out);
        }
    }
    // Of the needed numbers no large part can be left out.
    let (mut set, mut parts) =
        if is_bad(&needed)? { (needed.clone(), needed.len()) } else { (all, 2.min(count)) };
    // Ends when no single member can be left out.
    while set.len() > 1 {
        let members: Vec<usize> = set.iter().copied().collect();
        let chunks: Vec<BTreeSet<usize>> = members
            .chunks(members.len().div_ceil(parts))
            .map(|chunk| chunk.iter().copied().collect())
            .collect();
        let mut smaller: Option<(BTreeSet<usize>, usize)> = None;
        // A single member is seldom bad if more are needed. The set without it, tried below, tells
        // as much.
        for chunk in chunks.iter().filter(|chunk| chunk.len() > 1) {
            if is_bad(chunk)? {
                smaller = Some((chunk.clone(), 2));
                break;
            }
        }
        if smaller.is_none() {
            for chunk in &chunks {
                let rest = &set - chunk;
                if is_bad(&rest)? {
                    smaller = Some((rest, parts.saturating_sub(1).max(2)));
                    break;
                }
            }
        }
        match smaller {
            Some((found, next)) => {
                parts = next.min(found.len());
                set = found;
            }
            None if parts >= set.len() => break,
            None => parts = (2 * parts).min(set.len()),
        }
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn verdict(is_bad: bool) -> Verdict {
        if is_bad {
            Verdict::Bad
        } else {
            Verdict::Good
        }
    }

    /// Bisects the numbers from 0 to `bad`, and counts the tries.
    fn bisect(bad: usize, test: impl Fn(usize) -> Verdict) -> ((usize, usize), usize) {
        let mut tried = BTreeSet::new();
        let found = first_bad(0, bad, |number| {
            assert!(number > 0 && number < bad, "{number} is known");
            assert!(tried.insert(number), "{number} is tried twice");
            Ok::<_, Infallible>(test(number))
        });
        (found.expect("it cannot fail"), tried.len())
    }

    #[test]
    fn the_first_bad_number_wherever_it_is() {
        for count in 1..200_usize {
            for first in 1..=count {
                let (found, tries) = bisect(count, |number| verdict(number >= first));
                assert_eq!(found, (first - 1, first));
                assert!(tries <= count.ilog2() as usize + 1, "{tries} tries for {count}");
            }
        }
    }

    #[test]
    fn whatever_is_good_and_bad_a_change_from_good_to_bad_is_found() {
        const COUNT: usize = 12;
        for pattern in 0..1_u32 << (COUNT - 1) {
            let of =
                |number: usize| verdict(number == COUNT || number > 0 && pattern >> (number - 1) & 1 == 1);
            let ((good, bad), _) = bisect(COUNT, of);
            assert_eq!((of(good), of(bad), bad - good), (Verdict::Good, Verdict::Bad, 1));
        }
    }

    #[test]
    fn between_a_good_and_a_bad_number_only_skipped_ones_are_left() {
        const COUNT: usize = 8;
        for pattern in 0..3_u32.pow(COUNT as u32 - 1) {
            let of = |number: usize| match number {
                0 => Verdict::Good,
                COUNT => Verdict::Bad,
                _ => [Verdict::Good, Verdict::Bad, Verdict::Skip]
                    [(pattern / 3_u32.pow(number as u32 - 1) % 3) as usize],
            };
            let ((good, bad), _) = bisect(COUNT, of);
            assert_eq!((of(good), of(bad)), (Verdict::Good, Verdict::Bad));
            assert!((good + 1..bad).all(|number| of(number) == Verdict::Skip));
        }
    }

    #[test]
    fn doubling_finds_a_range() {
        for first in 1..100 {
            let found = doubled(128, |number| Ok::<_, Infallible>(verdict(number >= first)));
            let (good, bad) = found.expect("it cannot fail").expect("it is there");
            assert!(good < first && first <= bad && (bad == 2 * good || bad == 1));
        }
        assert_eq!(doubled(128, |_| Ok::<_, Infallible>(Verdict::Good)), Ok(None));
    }

    /// Reduces the set of all numbers below `count`, and counts the tries.
    fn reduce(count: usize, test: impl Fn(&BTreeSet<usize>) -> Verdict) -> (BTreeSet<usize>, usize) {
        let mut tried = BTreeSet::new();
        let found = minimal(count, |set| {
            assert!(!set.is_empty() && set.len() < count, "{set:?} is known");
            assert!(tried.insert(set.clone()), "{set:?} is tried twice");
            Ok::<_, Infallible>(test(set))
        });
        (found.expect("it cannot fail"), tried.len())
    }

    #[test]
    fn the_members_that_are_needed_whichever_they_are() {
        const COUNT: usize = 9;
        for pattern in 1..1_u32 << COUNT {
            let needed: BTreeSet<usize> = (0..COUNT).filter(|number| pattern >> number & 1 == 1).collect();
            let (found, tries) = reduce(COUNT, |set| verdict(needed.is_subset(set)));
            assert_eq!(found, needed);
            // Each one left out, those needed, and the proof that none of these can be left out.
            assert!(tries <= COUNT + 1 + needed.len(), "{tries} tries for {needed:?}");
        }
    }

    #[test]
    fn one_of_two_ways_to_be_bad() {
        let ways = [BTreeSet::from([0, 5]), BTreeSet::from([2, 3, 7])];
        let (found, _) = reduce(10, |set| verdict(ways.iter().any(|way| way.is_subset(set))));
        assert!(ways.contains(&found), "{found:?}");
    }

    #[test]
    fn whatever_is_good_and_bad_no_member_can_be_left_out() {
        const COUNT: usize = 4;
        let number = |set: &BTreeSet<usize>| set.iter().map(|member| 1_usize << member).sum::<usize>();
        // One bit for each set except the empty and the full one.
        for pattern in 0..1_u32 << ((1 << COUNT) - 2) {
            let of = |set: &BTreeSet<usize>| match set.len() {
                0 => Verdict::Good,
                COUNT => Verdict::Bad,
                _ => verdict(pattern >> (number(set) - 1) & 1 == 1),
            };
            let (found, _) = reduce(COUNT, of);
            assert_eq!(of(&found), Verdict::Bad);
            for member in &found {
                let mut rest = found.clone();
                rest.remove(member);
                assert_eq!(of(&rest), Verdict::Good, "{found:?} without {member}");
            }
        }
    }

    #[test]
    fn what_cannot_be_told_is_kept() {
        let of = |set: &BTreeSet<usize>| match (set.contains(&1), set.contains(&2)) {
            (true, true) => Verdict::Bad,
            (true, false) => Verdict::Skip,
            _ => Verdict::Good,
        };
        assert_eq!(reduce(5, of).0, BTreeSet::from([1, 2]));
    }
}
