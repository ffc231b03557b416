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
pub fn computing_other(
    compiler: &Compiler,
    input: &Input,
    setting: &Setting,
    ours: &str,
) -> Result<BTreeMap<String, String>> {
    let text = |setting: &Setting, flags: &[&str]| -> Result<Option<String>> {
        Ok(compiler.compile(input, setting, flags)?.ok().map(|module| module.text().to_owned()))
    };
    let differing = |flags: &[&str]| -> Result<BTreeMap<String, String>> {
        let Some(stock) = text(&Setting::stock(), flags)? else { return Ok(BTreeMap::new()) };
        let compile = |appeal: equal::Appeal| {
            let [stock, ours] = appeal.flags();
            let stock = text(&Setting::stock(), &[flags, stock].concat()).ok()??;
            Some([stock, text(setting, ours).ok()??])
        };
        Ok(equal::differences(&stock, ours, SEEDS, compile))
    };
    let mut found = differing(&[])?;
    if !found.is_empty() {
        let second = differing(&setting.witness())?;
        found.retain(|function, _| second.contains_key(function));
    }
    Ok(found)
}
