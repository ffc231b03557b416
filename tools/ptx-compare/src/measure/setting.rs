//! The settings for a kernel that are worth a try.
//!
//! [`rows`] is the only table of them. A setting consists of flags of llc and of the plugin, and of
//! steps that `-ptx-passes` leaves out. `-ptx-nounroll=all` is not among them: fewer SASS
//! instructions are not a gain if a hot loop is no longer unrolled.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::llc::Side;

/// How hard `tune` tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Few settings, which give nearly all of the gain
    Quick,
    /// Every single switch
    More,
    /// Every single switch, and all combinations of those that matter most
    All,
}

/// A way to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    pub name: String,
    /// Whether it is llc alone, without the plugin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stock: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Passes and stages that do not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// The name of the setting that wins ties.
pub const DEFAULT: &str = "default";
/// The name of llc without the plugin.
pub const STOCK: &str = "stock";

/// The plugin leaves all loops to LLVM.
pub const NO_UNROLLING: &str = "-ptx-unroll=off";

/// Whether a flag of the plugin's says whether divisions share their divisors.
fn is_of_divisions(flag: &str) -> bool {
    flag.trim_start_matches('-').starts_with("ptx-divisions")
}

/// Whether a flag of the plugin's says which loops it unrolls.
pub fn is_of_unrolling(flag: &str) -> bool {
    flag.trim_start_matches('-').starts_with("ptx-unroll")
}

impl Setting {
    /// The same setting, except that one thread suffices to compare its code with stock's.
    pub fn step_by_step(&self) -> Setting {
        let mut other = self.clone();
        if !other.stock {
            other.flags.retain(|flag| !is_of_unrolling(flag) && !is_of_divisions(flag));
            other.flags.push(NO_UNROLLING.to_owned());
        }
        other
    }

    /// Whether it says which loops the plugin unrolls.
    pub fn is_unrolling(&self) -> bool {
        self.flags.iter().any(|flag| is_of_unrolling(flag))
    }

    /// Whether it unrolls the loops that the default unrolls.
    pub fn unrolls_as_default(&self) -> bool {
        !self.stock && !self.is_unrolling()
    }

    /// The plugin's default.
    pub fn default_one() -> Setting {
        Setting { name: DEFAULT.to_owned(), ..Setting::default() }
    }

    pub fn stock() -> Setting {
        Setting { name: STOCK.to_owned(), stock: true, ..Setting::default() }
    }

    pub fn side(&self) -> Side {
        if self.stock {
            Side::Stock
        } else {
            Side::Plugin
        }
    }

    fn with(mut self, name: &str, flags: &[&str], without: &[&str]) -> Setting {
        let is_new = self.name == DEFAULT || self.name == STOCK && name.starts_with(STOCK);
        self.name = if is_new { name.to_owned() } else { format!("{}+{name}", self.name) };
        self.flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self.without.extend(without.iter().map(|step| (*step).to_owned()));
        self
    }

    /// The flags with which stock llc treats the IR in the same way, for a comparison of what both
    /// compute. Our default leaves loops to other passes than LoopStrengthReduce.
    pub fn witness(&self) -> Vec<&str> {
        let own = |flag: &&str| !flag.starts_with("-ptx-") && !flag.starts_with("-maxreg");
        let mut flags: Vec<&str> = self.flags.iter().map(String::as_str).filter(own).collect();
        if !self.flags.iter().any(|flag| flag == "-ptx-lsr" || flag == "-disable-lsr") {
            flags.push("-disable-lsr");
        }
        flags
    }
}

/// A switch: its name, its flags, the steps that it leaves out.
type Switch = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The quick pool: the settings with most of the gain of all combinations on 85 kernels of CUDA and
/// 69 of Triton, chosen greedily.
const QUICK: [Switch; 2] = [
    (
        "no-lsr+pressure+no-short-addresses",
        &["-disable-lsr", "-ptx-emit-order=pressure"],
        &["short-addresses"],
    ),
    ("mad-wide", &["-nvptx-mad-wide-opt"], &[]),
];

/// The one that gives most of the gain of predicted time where it is added to the quick pool, on 50 kernels with launches. Without predicted time
/// nothing speaks for it: it takes more registers and instructions.
const BY_TIME: Switch = ("unroll-all", &["-ptx-unroll=all"], &[]);

/// Single switches.
const MORE: [Switch; 30] = [
    ("pressure", &["-ptx-emit-order=pressure"], &[]),
    ("lsr", &["-ptx-lsr"], &[]),
    ("no-short-addresses", &[], &["short-addresses"]),
    ("nounroll-cold", &["-ptx-nounroll=cold"], &[]),
    BY_TIME,
    ("no-unroll", &[NO_UNROLLING], &[]),
    ("no-lsr", &["-disable-lsr"], &[]),
    ("no-equal-phis", &[], &["equal-phis"]),
    ("no-early-loads", &[], &["early-loads"]),
    ("no-loop-branches", &[], &["loop-branches"]),
    ("divisions", &["-ptx-divisions"], &[]),
    ("no-fold-addresses", &[], &["fold-addresses"]),
    ("no-induction", &[], &["induction"]),
    ("no-flush", &[], &["flush"]),
    ("no-wide-phis", &[], &["wide-phis"]),
    ("no-hoist", &[], &["hoist"]),
    ("no-remat", &[], &["remat"]),
    ("no-sink", &[], &["sink"]),
    ("no-bit-fields", &[], &["bit-fields"]),
    ("no-cssa", &[], &["cssa"]),
    ("no-nvptx-coalescer", &[], &["nvptx-coalescer"]),
    ("dessa-2", &["-usedessa=2"], &[]),
    ("sched4reg", &["-nvptx-sched4reg"], &[]),
    ("no-gep-split", &["-disable-separate-const-offset-from-gep"], &[]),
    ("maxreg-32", &["-maxreg=32"], &[]),
    ("maxreg-40", &["-maxreg=40"], &[]),
    ("maxreg-48", &["-maxreg=48"], &[]),
    ("maxreg-80", &["-maxreg=80"], &[]),
    ("maxreg-128", &["-maxreg=128"], &[]),
    ("maxreg-255", &["-maxreg=255"], &[]),
];

/// Promises of the user about the kernels. They show what the promise would give; no pool has them,
/// as only the user can know that it holds.
const PROMISES: [Switch; 1] = [("restrict", &["-ptx-restrict"], &[])];

/// Switches that are combined: at most one of each line.
const AXES: [&[Switch]; 6] = [
    &[("lsr", &["-ptx-lsr"], &[]), ("no-lsr", &["-disable-lsr"], &[])],
    &[("pressure", &["-ptx-emit-order=pressure"], &[])],
    &[("no-short-addresses", &[], &["short-addresses"])],
    &[("no-fold-addresses", &[], &["fold-addresses"])],
    &[("nounroll-cold", &["-ptx-nounroll=cold"], &[])],
    &[("mad-wide", &["-nvptx-mad-wide-opt"], &[])],
];

/// The settings of a pool where predicted time chooses.
pub fn rows_by_time(effort: Effort) -> Vec<Setting> {
    let mut rows = rows(effort);
    if effort == Effort::Quick {
        let (name, flags, without) = BY_TIME;
        rows.push(Setting::default_one().with(name, flags, without));
    }
    rows
}

/// The settings of a pool: the default and stock first, each once.
pub fn rows(effort: Effort) -> Vec<Setting> {
    let mut rows = vec![Setting::default_one(), Setting::stock()];
    let single = |&(name, flags, without): &Switch| Setting::default_one().with(name, flags, without);
    rows.extend(QUICK.iter().map(single));
    if effort >= Effort::More {
        rows.extend(MORE.iter().map(single));
        rows.push(Setting::stock().with("stock-no-lsr", &["-disable-lsr"], &[]));
    }
    if effort >= Effort::All {
        let mut products = vec![Setting::default_one()];
        for axis in AXES {
            let longer = products.iter().flat_map(|row| {
                axis.iter().map(|&(name, flags, without)| row.clone().with(name, flags, without))
            });
            let longer: Vec<Setting> = longer.collect();
            products.extend(longer);
        }
        for product in products {
            if rows.iter().all(|row| row.name != product.name) {
                rows.push(product);
            }
        }
    }
    rows
}

/// The settings that are promises.
pub fn promises() -> impl Iterator<Item = Setting> {
    PROMISES.iter().map(|&(name, flags, without)| Setting::default_one().with(name, flags, without))
}

/// The setting with this name, a promise or of a pool.
pub fn named(name: &str) -> Result<Setting> {
    let all: Vec<Setting> = rows(Effort::All).into_iter().chain(promises()).collect();
    let names = || all.iter().map(|row| row.name.as_str()).collect::<Vec<_>>();
    all.iter().find(|row| row.name == name).cloned().with_context(|| {
        let near = names().into_iter().find(|known| known.contains(name) || name.contains(known));
        format!(
            "there is no setting {name}{}; `kernels --setting list` names all",
            near.map_or(String::new(), |near| format!(" (is it {near}?)"))
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pools_grow_and_hold_each_setting_once() {
        let [quick, more, all] = [Effort::Quick, Effort::More, Effort::All].map(rows);
        assert_eq!(quick[..], more[..quick.len()]);
        assert_eq!(more[..], all[..more.len()]);
        assert_eq!((quick[0].name.as_str(), quick[1].name.as_str()), (DEFAULT, STOCK));
        let by_time = [Effort::Quick, Effort::More, Effort::All].map(rows_by_time);
        assert_eq!(by_time[0].last(), all.iter().find(|row| row.name == "unroll-all"));
        assert_eq!(
            (&by_time[0][..quick.len()], &by_time[1..]),
            (&quick[..], &[more.clone(), all.clone()][..])
        );
        let names: BTreeSet<&str> = all.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        let contents: BTreeSet<String> =
            all.iter().map(|row| format!("{} {:?} {:?}", row.stock, row.flags, row.without)).collect();
        assert_eq!(contents.len(), all.len());
        let product =
            all.iter().find(|row| row.name == "lsr+pressure+no-short-addresses").expect("a product");
        assert_eq!(product.flags, ["-ptx-lsr", "-ptx-emit-order=pressure"]);
        assert_eq!(product.without, ["short-addresses"]);
    }

    #[test]
    fn a_promise_is_found_by_its_name_and_is_in_no_pool() {
        let flags: Vec<String> = promises().flat_map(|row| row.flags).collect();
        assert_eq!(named("restrict").expect("a setting").flags, flags);
        let pools = [rows(Effort::All), rows_by_time(Effort::All)].concat();
        assert!(
            !flags.is_empty() && pools.iter().all(|row| !row.flags.iter().any(|flag| flags.contains(flag)))
        );
        assert!(named("restricted").is_err());
    }

    #[test]
    fn settings_that_unroll_other_loops_and_run_step_by_step() {
        let rows = rows(Effort::More);
        let others: Vec<&str> =
            rows.iter().filter(|row| !row.unrolls_as_default()).map(|row| row.name.as_str()).collect();
        assert_eq!(others, ["stock", "unroll-all", "no-unroll", "stock-no-lsr"]);
        let of =
            |name: &str| rows.iter().find(|row| row.name == name).expect("a setting").step_by_step().flags;
        assert_eq!(of("unroll-all"), ["-ptx-unroll=off"]);
        assert_eq!(of("lsr"), ["-ptx-lsr", "-ptx-unroll=off"]);
        assert_eq!(of("divisions"), ["-ptx-unroll=off"]);
        assert!(of("stock").is_empty());
    }

    #[test]
    fn what_stock_is_compared_with() {
        let of = |name: &str| {
            let rows = rows(Effort::All);
            let row = rows.iter().find(|row| row.name == name).expect("a setting");
            row.witness().join(" ")
        };
        assert_eq!(of(DEFAULT), "-disable-lsr");
        assert_eq!(of("lsr+pressure"), "");
        assert_eq!(of("no-lsr"), "-disable-lsr");
        assert_eq!(of("mad-wide"), "-nvptx-mad-wide-opt -disable-lsr");
    }
}
