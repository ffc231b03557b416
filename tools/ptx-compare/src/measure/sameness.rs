//! Asks the interpreter whether the code of a setting computes the same as stock's.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use ptx_emu::ptx::module::Module;

use super::memo::Loops;
use super::setting::Setting;
use super::{Compiler, Input};
use crate::equal;

/// Made-up inputs for every function.
const SEEDS: u64 = 4;

/// The functions that do not compute the same in `ours`, the code of a setting, as in stock's code,
/// and how they differ. Stock's code is that with LoopStrengthReduce. Where that differs, it is the
/// code with loops as the setting leaves them. Empty if stock llc makes no code.
///
/// The branches, accesses of local memory and numbers of one thread are compared one by one. Unrolling
/// and shared divisors change these. So the code without them is compared in that way. Kernels whose
/// code with them differs from it are compared by whole grids. `loops`: what the plugin did, if it is known.
pub fn computing_other(
    compiler: &Compiler,
    input: &Input,
    setting: &Setting,
    ours: &str,
    loops: Option<Loops>,
) -> Result<BTreeMap<String, String>> {
    let text = |setting: &Setting, flags: &[&str]| -> Result<Option<String>> {
        Ok(compiler.compile(input, setting, flags)?.ok().map(|module| module.text().to_owned()))
    };
    let stepwise = setting.step_by_step();
    let stepwise_text = match loops {
        Some(loops) if loops.are_left() => ours.to_owned(),
        _ => match text(&stepwise, &[])? {
            Some(text) => text,
            None => return Ok(BTreeMap::new()),
        },
    };
    let differing = |flags: &[&str], is_grid: bool| -> Result<BTreeMap<String, String>> {
        let Some(stock) = text(&Setting::stock(), flags)? else { return Ok(BTreeMap::new()) };
        let compile = |appeal: equal::Appeal| {
            let [stock, ours] = appeal.flags();
            let stock = text(&Setting::stock(), &[flags, stock].concat()).ok()??;
            let setting = if is_grid { setting } else { &stepwise };
            Some([stock, text(setting, ours).ok()??])
        };
        Ok(match is_grid {
            true => equal::grid_differences(&stock, ours, &changed(&stepwise_text, ours), compile),
            false => equal::differences(&stock, &stepwise_text, SEEDS, compile),
        })
    };
    let mut all = BTreeMap::new();
    for is_grid in [false, true] {
        if is_grid && stepwise_text == ours {
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

/// The functions of a text whose code, or that of a function they share code with, is another one in the second text. All of them if what is
/// around the functions differs.
fn changed(first: &str, second: &str) -> BTreeSet<String> {
    let [old, new] = [first, second].map(|text| Module::new(text.to_owned()));
    let is_other = old.frame() != new.frame();
    let is_changed = |group: &Vec<usize>| {
        is_other || group.iter().any(|&number| old.function(number) != new.function(number))
    };
    let groups = new.groups().into_iter().filter(is_changed);
    groups.flatten().map(|number| new.functions[number].name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_call_a_changed_one_are_changed() {
        let text = |values: [u32; 3], global: u32| {
            let kernel =
                |name: &str, body: String| format!(".visible .entry {name}()\n{{\n{body}\nret;\n}}\n");
            format!(
                ".version 7.0\n.target sm_80\n.global .b32 g = {global};\n.func f()\n{{\nmov.b32 %r1, {};\nret;\n}}\n{}{}",
                values[0],
                kernel("a", format!("call.uni f, ();\nmov.b32 %r1, {};", values[1])),
                kernel("b", format!("mov.b32 %r1, {};", values[2])),
            )
        };
        let of = |values, global| {
            let names = changed(&text([1, 2, 3], 7), &text(values, global));
            names.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of([1, 2, 3], 7), "");
        assert_eq!(of([9, 2, 3], 7), "a f");
        assert_eq!(of([1, 2, 9], 7), "b");
        assert_eq!(of([1, 2, 3], 8), "a b f");
    }
}
