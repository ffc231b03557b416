//! Writes the PTX of a file in which each kernel comes from its chosen setting.
//!
//! Every used setting is compiled with `-ptx-verify`, which proves the plugin's passes. It cannot
//! see what LLVM's own passes do under other flags. So the result is compared by interpretation
//! with stock's code, and with stock's code under the same flags: where a value is undefined, two
//! LLVM settings may compute different ones, and both be right.

use std::collections::BTreeMap;

use anyhow::Result;
use ptx_emu::ptx::module::Module;

use crate::measure::memo::Loops;
use crate::measure::sameness;
use crate::measure::setting::{Setting, DEFAULT};
use crate::measure::{Compiler, Input};
use crate::ptxas;

/// The modules of a file under the settings that its kernels need, the default first.
pub struct Modules {
    modules: BTreeMap<String, Module>,
    /// What the plugin did to loops under each, if it is known.
    loops: BTreeMap<String, Loops>,
}

/// Why a setting cannot be used for a kernel, or for any kernel if `kernel` is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    pub setting: String,
    pub kernel: Option<String>,
    pub why: String,
}

impl Modules {
    /// Compiles an input under the default and the others. The inner error is a setting that llc or
    /// the checker rejects.
    pub fn compile(
        compiler: &Compiler,
        input: &Input,
        settings: &[&Setting],
    ) -> Result<Result<Modules, Rejected>> {
        let default = Setting::default_one();
        let (mut modules, mut all_loops) = (BTreeMap::new(), BTreeMap::new());
        for setting in std::iter::once(&default).chain(settings.iter().copied()) {
            if modules.contains_key(&setting.name) {
                continue;
            }
            match compiler.compile_proven(input, setting)? {
                Ok((module, loops)) => {
                    all_loops.extend(loops.map(|loops| (setting.name.clone(), loops)));
                    modules.insert(setting.name.clone(), module)
                }
                Err(why) => {
                    let setting = setting.name.clone();
                    return Ok(Err(Rejected { setting, kernel: None, why: why.into() }));
                }
            };
        }
        Ok(Ok(Modules { modules, loops: all_loops }))
    }

    pub fn default_one(&self) -> &Module {
        &self.modules[DEFAULT]
    }

    /// Whether their functions can be mixed.
    pub fn agree(&self) -> bool {
        let first = self.default_one();
        first.tied.is_none()
            && self
                .modules
                .values()
                .all(|other| other.frame() == first.frame() && other.groups() == first.groups())
    }

    /// Assembles the file's module. `choice` has the name of each kernel's setting; a kernel that
    /// it lacks gets the default. `None` if kernels of one group have different settings.
    pub fn splice(&self, choice: &BTreeMap<String, String>) -> Option<String> {
        let default = self.default_one();
        let groups = match self.agree() {
            true => default.groups(),
            false => vec![(0..default.functions.len()).collect()],
        };
        let mut chosen: Vec<&Module> = vec![default; default.functions.len()];
        for group in &groups {
            let kernels =
                group.iter().map(|&number| &default.functions[number]).filter(|function| function.is_kernel);
            let mut names = kernels.map(|kernel| choice.get(&kernel.name).map_or(DEFAULT, String::as_str));
            let Some(name) = names.next() else { continue };
            if names.any(|other| other != name) {
                return None;
            }
            let module = self.modules.get(name)?;
            if groups.len() == 1 {
                return Some(module.text().to_owned());
            }
            for &number in group {
                chosen[number] = module;
            }
        }
        Some(default.assemble(|number| Some(chosen[number].function(number))))
    }

    /// The kernels for which a setting's code does not compute the same as stock's; also those in a
    /// group with such a function.
    pub fn differences(
        &self,
        compiler: &Compiler,
        input: &Input,
        setting: &Setting,
    ) -> Result<Vec<Rejected>> {
        let Some(module) = self.modules.get(&setting.name).filter(|_| !setting.stock && !input.is_ptx())
        else {
            return Ok(Vec::new());
        };
        let loops = self.loops.get(&setting.name).copied();
        let found = sameness::computing_other(compiler, input, setting, module.text(), loops)?;
        let mut rejected = Vec::new();
        for group in module.groups() {
            let functions = || group.iter().map(|&number| &module.functions[number]);
            let Some(why) = functions().find_map(|function| found.get(&function.name)) else { continue };
            for kernel in functions().filter(|function| function.is_kernel) {
                rejected.push(Rejected {
                    setting: setting.name.clone(),
                    kernel: Some(kernel.name.clone()),
                    why: why.clone(),
                });
            }
        }
        Ok(rejected)
    }
}

/// Makes the PTX that is written: ptxas must optimise it and accept it.
pub fn finished(text: &str, wanted_version: Option<&str>) -> String {
    let text = ptxas::without_debug(text).into_owned();
    let raised = wanted_version.and_then(|version| ptxas::with_version(&text, version));
    raised.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(values: [u32; 3], global: u32) -> Module {
        let kernel = |name: &str, body: String| format!(".visible .entry {name}()\n{{\n{body}\nret;\n}}\n");
        Module::new(format!(
            ".version 7.0\n.target sm_80, debug\n.global .b32 g = {global};\n.func f()\n{{\nmov.b32 %r1, {};\nret;\n}}\n{}{}",
            values[0],
            kernel("a", format!("call.uni f, ();\nmov.b32 %r1, {};", values[1])),
            kernel("b", format!("mov.b32 %r1, {};", values[2])),
        ))
    }

    fn modules(globals: [u32; 2]) -> Modules {
        let modules = [(DEFAULT, module([1, 2, 3], globals[0])), ("lsr", module([4, 5, 6], globals[1]))];
        Modules {
            modules: modules.map(|(name, module)| (name.to_owned(), module)).into(),
            loops: BTreeMap::new(),
        }
    }

    fn choice(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(kernel, setting)| ((*kernel).to_owned(), (*setting).to_owned())).collect()
    }

    #[test]
    fn a_kernel_brings_the_functions_that_it_calls() {
        let both = modules([7, 7]);
        assert_eq!(both.splice(&choice(&[])).as_deref(), Some(module([1, 2, 3], 7).text()));
        assert_eq!(both.splice(&choice(&[("a", "lsr")])).as_deref(), Some(module([4, 5, 3], 7).text()));
        assert_eq!(both.splice(&choice(&[("b", "lsr")])).as_deref(), Some(module([1, 2, 6], 7).text()));
    }

    #[test]
    fn where_globals_differ_a_module_is_whole() {
        let both = modules([7, 8]);
        assert!(!both.agree());
        assert_eq!(both.splice(&choice(&[("a", "lsr")])), None);
        let whole = both.splice(&choice(&[("a", "lsr"), ("b", "lsr")]));
        assert_eq!(whole.as_deref(), Some(module([4, 5, 6], 8).text()));
    }

    #[test]
    fn what_is_written() {
        let text = finished(module([1, 2, 3], 7).text(), Some("8.0"));
        assert!(text.starts_with(".version 8.0\n.target sm_80\n"), "{text}");
    }
}
