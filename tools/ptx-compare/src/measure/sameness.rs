//! Asks the interpreter whether the code of a setting computes the same as stock's.

use std::collections::BTreeMap;

use anyhow::Result;

use super::setting::Setting;
use super::{Compiler, Input};
use crate::equal;

/// Made-up inputs for every function.
const SEEDS: u64 = 4;

/// The functions that do not compute the same in `ours`, the code of a setting, as in stock's code,
/// and how they differ. Stock's code is that with LoopStrengthReduce. Where that differs, it is the
/// code with loops as the setting leaves them. Empty if stock llc makes no code.
///
/// The branches and accesses of local memory of one thread are compared one by one, and unrolling
/// changes both. So the code without unrolled loops is compared in that way. If the code with them
/// differs from it, that is compared by whole grids.
pub fn computing_other(
    compiler: &Compiler,
    input: &Input,
    setting: &Setting,
    ours: &str,
) -> Result<BTreeMap<String, String>> {
    let text = |setting: &Setting, flags: &[&str]| -> Result<Option<String>> {
        Ok(compiler.compile(input, setting, flags)?.ok().map(|module| module.text().to_owned()))
    };
    let looping = setting.without_unrolling();
    let Some(looping_text) = text(&looping, &[])? else { return Ok(BTreeMap::new()) };
    let differing = |flags: &[&str], is_grid: bool| -> Result<BTreeMap<String, String>> {
        let Some(stock) = text(&Setting::stock(), flags)? else { return Ok(BTreeMap::new()) };
        let compile = |appeal: equal::Appeal| {
            let [stock, ours] = appeal.flags();
            let stock = text(&Setting::stock(), &[flags, stock].concat()).ok()??;
            let setting = if is_grid { setting } else { &looping };
            Some([stock, text(setting, ours).ok()??])
        };
        Ok(match is_grid {
            true => equal::grid_differences(&stock, ours, compile),
            false => equal::differences(&stock, &looping_text, SEEDS, compile),
        })
    };
    let mut all = BTreeMap::new();
    for is_grid in [false, true] {
        if is_grid && looping_text == ours {
            continue;
        }
        let mut found = differing(&[], is_grid)?;
        if !found.is_empty() {
            let second = differing(&setting.witness(), is_grid)?;
            found.retain(|function, _| second.contains_key(function));
        }
        all.extend(found);
    }
    Ok(all)
}
