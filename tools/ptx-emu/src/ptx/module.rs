//! Cuts a PTX module into its functions, and assembles one from several texts.
//!
//! **Problem.** Two texts of one module, compiled with two settings, are to become one. Each kernel
//! comes from the text that suits it best.
//!
//! **Method.** A function is whole lines from its head to its closing brace. All else is the
//! *frame*: header, declarations, globals, and the text between and after functions. If the frames
//! of two texts are the same, a function of one can stand in the other. A function may name others:
//! it calls them, or takes their address. Functions linked in this way form a *group*. A group
//! comes from one text, as a callee that one setting has changed fits only its callers of that
//! setting.
//!
//! A function that a global or an alias names ties the whole module together: any function may call
//! it by its address. Labels need no care, as LLVM numbers them by function. Debug information that
//! names them is in the frame.

use std::collections::BTreeMap;
use std::ops::Range;

use super::parse::function_name;
use super::scan::{self, Item};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the text.
    pub name: String,
    /// Whether it is an `.entry`.
    pub is_kernel: bool,
    /// Everything before the opening brace.
    pub head: String,
    /// Its bytes in the text: whole lines.
    range: Range<usize>,
    /// The functions of the module that it names.
    names: Vec<usize>,
}

/// A PTX module, cut into functions.
#[derive(Clone, Debug)]
pub struct Module {
    text: String,
    /// The functions with a body, in the order of the text.
    pub functions: Vec<Function>,
    /// Why all functions belong together, if they do.
    pub tied: Option<String>,
}

impl Module {
    /// Cuts a text that LLVM has printed.
    pub fn new(text: String) -> Self {
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let line_start = |line: usize| starts.get(line - 1).copied().unwrap_or(text.len());
        let mut functions: Vec<Function> = Vec::new();
        let mut others = Vec::new();
        let mut depth = 0;
        let mut last: Option<(usize, String)> = None;
        let mut open: Option<(usize, String)> = None;
        scan::scan(&text, |line, item| match item {
            Item::Statement(statement) if depth == 0 => {
                others.extend(last.replace((line, statement)).map(|(_, statement)| statement));
            }
            Item::Open => {
                if depth == 0 {
                    open = last.take().filter(|(_, head)| function_name(head).is_some());
                }
                depth += 1;
            }
            Item::Close => {
                depth = usize::saturating_sub(depth, 1);
                let Some((first, head)) = open.take_if(|_| depth == 0) else { return };
                functions.push(Function {
                    name: function_name(&head).unwrap_or_default(),
                    is_kernel: head.split_whitespace().any(|word| word == ".entry"),
                    head,
                    range: line_start(first)..line_start(line + 1),
                    names: Vec::new(),
                });
            }
            _ => {}
        });
        others.extend(last.map(|(_, statement)| statement));

        let numbers: BTreeMap<String, usize> =
            functions.iter().enumerate().map(|(number, function)| (function.name.clone(), number)).collect();
        for number in 0..functions.len() {
            // A comment names the file of a line; a file may have the name of a function.
            let code = text[functions[number].range.clone()].lines().map(|line| line.split("//").next());
            let mut names: Vec<usize> = code
                .flatten()
                .flat_map(words)
                .filter_map(|word| numbers.get(word).copied())
                .filter(|&other| other != number)
                .collect();
            names.sort_unstable();
            names.dedup();
            functions[number].names = names;
        }
        let declares = |statement: &&String| function_name(statement).is_none();
        let tied = others.iter().filter(declares).find_map(|statement| {
            let name = words(statement).find(|word| numbers.contains_key(*word))?;
            Some(format!("a global or an alias names the function {name}"))
        });
        Module { text, functions, tied }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a function.
    pub fn function(&self, number: usize) -> &str {
        &self.text[self.functions[number].range.clone()]
    }

    /// The lines of a function, counted from 0.
    pub fn lines(&self, number: usize) -> Range<usize> {
        let Range { start, end } = self.functions[number].range;
        let count = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        let first = count(&self.text[..start]);
        first..first + self.text[start..end].lines().count()
    }

    /// The text in which a mark with its name replaces each function.
    pub fn frame(&self) -> String {
        self.assemble(|number| Some(format!("\u{0}{}\n", self.functions[number].name)))
    }

    /// Replaces the functions by other texts; `None` omits one.
    pub fn assemble<S: AsRef<str>>(&self, text: impl Fn(usize) -> Option<S>) -> String {
        let mut result = String::new();
        let mut end = 0;
        for (number, function) in self.functions.iter().enumerate() {
            result.push_str(&self.text[end..function.range.start]);
            if let Some(text) = text(number) {
                result.push_str(text.as_ref());
            }
            end = function.range.end;
        }
        result.push_str(&self.text[end..]);
        result
    }

    /// The groups of functions, ordered by their first function.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..self.functions.len()).collect();
        fn find(leader: &mut [usize], mut number: usize) -> usize {
            while leader[number] != number {
                leader[number] = leader[leader[number]];
                number = leader[number];
            }
            number
        }
        for (number, function) in self.functions.iter().enumerate() {
            let everyone = if self.tied.is_some() { &[0][..] } else { &[] };
            for &other in function.names.iter().chain(everyone) {
                let (a, b) = (find(&mut leader, number), find(&mut leader, other));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for number in 0..leader.len() {
            groups.entry(find(&mut leader, number)).or_default().push(number);
        }
        groups.into_values().collect()
    }
}

/// The words of a text that can be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.version 7.0
.target sm_80

	// .globl	f // -- Begin function f
.global .align 4 .b8 table[8] = {1, 2, 3, 4};
.func  (.param .b32 func_retval0) f
(
)
;
.visible .func  (.param .b32 func_retval0) f(
	.param .b32 f_param_0
)                                       // @f
{
	ret;
}
	// .globl	k
.visible .entry k(
)
.maxntid 128, 1, 1
{
	{ // callseq 0, 0
	call.uni (retval0), f, (param0);
	}
	ret;
}
                                        // -- End function
.visible .entry alone()
{
	ret;
}
.section .debug_abbrev { .b8 1 }
";

    #[test]
    fn functions_and_their_groups() {
        let module = Module::new(TEXT.to_owned());
        let names: Vec<_> = module.functions.iter().map(|f| (f.name.as_str(), f.is_kernel)).collect();
        assert_eq!(names, [("f", false), ("k", true), ("alone", true)]);
        assert!(
            module.function(1).starts_with(".visible .entry k(\n")
                && module.function(1).ends_with("ret;\n}\n")
        );
        assert!(module.functions[1].head.contains(".maxntid 128, 1, 1"));
        assert_eq!(module.groups(), [vec![0, 1], vec![2]]);
        assert_eq!(module.tied, None);
        let line = "entry alone()\n{\n\t.loc 1 2 3 // k.cu:2:3\n";
        let with_line = Module::new(TEXT.replace("entry alone()\n{\n", line));
        assert_eq!(with_line.groups(), module.groups(), "a file is called k");
    }

    #[test]
    fn a_function_in_a_global_ties_all() {
        let module = Module::new(TEXT.replace("{1, 2, 3, 4}", "{f}"));
        assert_eq!(module.tied.as_deref(), Some("a global or an alias names the function f"));
        assert_eq!(module.groups(), [vec![0, 1, 2]]);
    }

    #[test]
    fn frames_and_splicing() {
        let one = Module::new(TEXT.to_owned());
        let two = Module::new(TEXT.replace("\tret;\n}\n                ", "\texit;\n}\n                "));
        assert_eq!(one.frame(), two.frame());
        assert_ne!(one.text(), two.text());
        let spliced =
            one.assemble(|number| Some(if number == 1 { two.function(1) } else { one.function(number) }));
        assert_eq!(spliced, two.text());
        assert_eq!(one.assemble(|number| Some(one.function(number))), TEXT);
        let without = one.assemble(|number| (number != 2).then(|| one.function(number)));
        assert!(!without.contains("alone") && without.contains(".debug_abbrev"));
        assert_ne!(one.frame(), Module::new(TEXT.replace("{1, 2", "{7, 2")).frame());
    }
}
