//! A PTX module as loaded: variables at their addresses, functions with their parameters.
//!
//! **Problem.** Two texts of one module must see the same addresses, or their results cannot be
//! compared.
//!
//! **Method.** The variables of each state space lie one after the other in the order of their
//! names, which are the same in both texts. Each space that generic addresses reach has a window.
//! Parameters lie in the order of their declarations.
//!
//! **Source.** PTX ISA, sections 5.1 "State Spaces", 5.4 "Variables" and 7.1 "Function Declarations
//! and Definitions".
//!
//! **Complexity.** Linear in the text.

use std::collections::{BTreeMap, HashMap};

use crate::error::Error;
use crate::ptx::parse::{self, Function};
use crate::ptx::scan::{self, Item};
use crate::ptx::trace::Space;

use super::memory::{Memory, BUFFER};
use super::windows::{window, WINDOW_BITS};

/// The first address of global variables, and of functions.
const GLOBALS: u64 = 0xe00 << WINDOW_BITS;
const CODE: u64 = 0xf10 << WINDOW_BITS;
/// Space between two variables of global memory: an access just beyond one does not reach the next.
const GAP: u64 = 256;
const CODE_STEP: u64 = 16;

/// A parameter or a result of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the text.
    pub name: String,
    /// Bytes from the first parameter's start.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
    /// Whether the text says that it is a pointer.
    pub is_pointer: bool,
    /// Whether it is a pointer to constant memory.
    pub is_constant: bool,
}

/// The part of a function before its body.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Whether it is an `.entry`.
    pub is_kernel: bool,
    /// Its results.
    pub results: Vec<Parameter>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Bytes of all results and parameters.
    pub size: u64,
    /// Threads of a block that `.reqntid` asks for.
    pub required: Option<[u32; 3]>,
    /// Threads of a block that `.maxntid` allows.
    pub max_threads: Option<u32>,
}

impl Head {
    fn read(function: &Function) -> Result<Head, Error> {
        let head = &function.head;
        let mut read =
            Head { is_kernel: head.split_whitespace().any(|word| word == ".entry"), ..Head::default() };
        let words = [".entry", ".func"];
        let name =
            words.iter().find_map(|word| head.split_once(word)).map_or("", |(_, after)| after.trim_start());
        let (results, rest) = match name.strip_prefix('(') {
            Some(results) => results.split_once(')').unwrap_or((results, "")),
            None => ("", name),
        };
        // After the list of parameters only directives follow, without brackets.
        let parameters = match (rest.find('('), rest.rfind(')')) {
            (Some(open), Some(close)) if open < close => &rest[open + 1..close],
            _ => "",
        };
        read.results = read.take(results)?;
        read.parameters = read.take(parameters)?;
        let numbers = |word: &str| -> Option<Vec<u32>> {
            let text = rest.split_once(word)?.1.trim_start();
            let end =
                text.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == ' ')).unwrap_or(text.len());
            text[..end].split(',').map(|number| number.trim().parse().ok()).collect()
        };
        let shape = |numbers: Vec<u32>| std::array::from_fn(|index| numbers.get(index).copied().unwrap_or(1));
        read.required = numbers(".reqntid").map(shape);
        read.max_threads = numbers(".maxntid").map(|numbers| numbers.iter().product());
        Ok(read)
    }

    fn take(&mut self, list: &str) -> Result<Vec<Parameter>, Error> {
        let mut parameters = Vec::new();
        for text in parse::split(list) {
            if text.starts_with(".reg") {
                return Err("parameters in registers are not supported".into());
            }
            let (name, align, size) = parse::sized(text)?;
            let offset = self.size.next_multiple_of(align);
            self.size = offset + size;
            let has = |wanted| text.split_whitespace().any(|word| word == wanted);
            let (is_pointer, is_constant) = (has(".ptr"), has(".ptr") && has(".const"));
            parameters.push(Parameter { name, offset, size, is_pointer, is_constant });
        }
        Ok(parameters)
    }
}

/// One number of a variable's initial content.
enum Initial {
    Number(i128),
    /// The address of something, in its state space or as a generic one: its bits from `shift` on.
    Address {
        name: String,
        offset: i64,
        is_generic: bool,
        shift: u32,
    },
}

/// A variable of the module.
struct Variable {
    name: String,
    space: Space,
    align: u64,
    size: u64,
    /// Bytes of each number in the content.
    width: usize,
    content: Vec<Initial>,
}

impl Variable {
    /// Reads `.visible .global .align 4 .b8 name[8] = {1, 2}`; `None` if the text is something
    /// else.
    fn read(text: &str) -> Result<Option<Variable>, Error> {
        let (declared, content) =
            text.split_once('=').map_or((text, ""), |(left, right)| (left, right.trim()));
        let space = declared.split_whitespace().find_map(|word| match word {
            ".global" => Some(Space::Global),
            ".shared" => Some(Space::Shared),
            ".const" => Some(Space::Const),
            _ => None,
        });
        let is_function =
            declared.split_whitespace().any(|word| matches!(word, ".func" | ".entry" | ".alias"));
        let Some(space) = space.filter(|_| !is_function) else { return Ok(None) };
        let texture = [".texref", ".samplerref", ".surfref"];
        if declared.split_whitespace().any(|word| texture.contains(&word)) {
            return Ok(None);
        }
        let (name, align, size) = parse::sized(declared)?;
        let width = declared
            .split_whitespace()
            .find_map(|word| parse::type_width(word.strip_prefix('.')?))
            .map_or(1, |width| width as usize / 8);
        let mut numbers = Vec::new();
        let list = content.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(content);
        for text in parse::split(list) {
            numbers.push(Initial::read(text).ok_or_else(|| format!("unknown content of {name}: {text}"))?);
        }
        Ok(Some(Variable { name, space, align, size, width, content: numbers }))
    }
}

impl Initial {
    /// Reads `7`, `0f3F800000`, `name+8`, `generic(name)+8`, or a byte of an address:
    /// `0xFF00(generic(name))`.
    fn read(text: &str) -> Option<Initial> {
        let text = text.trim();
        if let Some(number) = parse::integer(text) {
            return Some(Initial::Number(number));
        }
        if let Some(hex) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0d")) {
            return i128::from_str_radix(hex, 16).ok().map(Initial::Number);
        }
        if let Some((mask, inner)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            if let Some(mask) = parse::integer(mask) {
                let Initial::Address { name, offset, is_generic, .. } = Initial::read(inner)? else {
                    return None;
                };
                return Some(Initial::Address { name, offset, is_generic, shift: mask.trailing_zeros() });
            }
        }
        let (name, offset) = parse::split_offset(text);
        let (name, is_generic) = match name.strip_prefix("generic(").and_then(|name| name.strip_suffix(')')) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || "_$.%".contains(c);
        (!name.is_empty() && name.chars().all(fits)).then(|| Initial::Address {
            name: name.to_owned(),
            offset,
            is_generic,
            shift: 0,
        })
    }
}

/// The memory of a device after a module was loaded.
pub struct Image {
    /// The functions, in the order of the text.
    pub functions: Vec<Function>,
    /// The head of each function.
    pub heads: Vec<Head>,
    numbers: HashMap<String, usize>,
    variables: BTreeMap<String, (Space, u64)>,
    content: Vec<Variable>,
    /// The address at which dynamic shared memory begins.
    pub shared_size: u64,
}

impl Image {
    /// Reads the text of a module.
    pub fn read(ptx: &str) -> Result<Image, Error> {
        let functions = parse::parse(ptx);
        let heads = functions
            .iter()
            .map(|function| Head::read(function).map_err(|why| why.of(&function.name)))
            .collect::<Result<Vec<_>, _>>()?;
        let numbers =
            functions.iter().enumerate().map(|(at, function)| (function.name.clone(), at)).collect();
        let mut content = Vec::new();
        let mut problem = None;
        let mut depth = 0_usize;
        scan::scan(ptx, |line, item| match item {
            Item::Open => depth += 1,
            Item::Close => depth = depth.saturating_sub(1),
            Item::Statement(text) => match Variable::read(&text) {
                // A function may have shared variables of its own.
                Ok(Some(variable)) if depth == 0 || variable.space == Space::Shared => content.push(variable),
                Ok(_) => {}
                Err(_) if depth > 0 => {}
                Err(why) => problem = problem.take().or(Some(why.on(line))),
            },
            _ => {}
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        content.sort_by(|a, b| a.name.cmp(&b.name));
        content.dedup_by(|again, first| again.name == first.name && again.content.is_empty());
        let mut image =
            Image { functions, heads, numbers, variables: BTreeMap::new(), content, shared_size: 0 };
        image.place_variables();
        Ok(image)
    }

    fn place_variables(&mut self) {
        let mut ends: BTreeMap<Space, u64> = BTreeMap::from([(Space::Global, GLOBALS)]);
        // An array without a size is dynamic shared memory. All of these begin after the other
        // variables.
        for is_dynamic in [false, true] {
            for variable in self.content.iter().filter(|variable| (variable.size == 0) == is_dynamic) {
                let end = ends.entry(variable.space).or_default();
                let address = end.next_multiple_of(variable.align.max(1));
                let gap = if variable.space == Space::Global { GAP } else { 0 };
                *end = address + variable.size + gap;
                self.variables.insert(variable.name.clone(), (variable.space, address));
            }
        }
        self.shared_size = ends.get(&Space::Shared).copied().unwrap_or(0);
    }

    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<usize> {
        let number = address.checked_sub(CODE)? / CODE_STEP;
        (address % CODE_STEP == 0 && number < self.functions.len() as u64).then_some(number as usize)
    }

    /// The address of a variable or a function in its state space.
    pub fn address(&self, name: &str) -> Option<u64> {
        let variable = self.variables.get(name).map(|&(_, address)| address);
        variable.or_else(|| Some(CODE + CODE_STEP * self.function(name)? as u64))
    }

    /// Puts the content of variables into memory.
    pub fn fill(&self, global: &mut Memory, constant: &mut Memory) -> Result<(), Error> {
        for variable in &self.content {
            let Some(&(space, address)) = self.variables.get(&variable.name) else { continue };
            if space == Space::Shared {
                continue;
            }
            if variable.size > BUFFER {
                let Variable { name, size, .. } = variable;
                return Err(Error::Limit(format!(
                    "the variable {name} has {size} bytes; {BUFFER} are allowed"
                )));
            }
            // Memory of a variable without content is zero, and so is the part that its content
            // omits.
            let mut bytes = vec![0; variable.size as usize];
            for (number, chunk) in variable.content.iter().zip(bytes.chunks_mut(variable.width)) {
                let value = match number {
                    Initial::Number(number) => *number as u128,
                    Initial::Address { name, offset, is_generic, shift } => {
                        let place = self.variables.get(name).copied();
                        let (space, address) =
                            place
                                .or_else(|| Some((Space::Global, self.address(name)?)))
                                .ok_or_else(|| Error::unknown("name", name).of(&variable.name))?;
                        let first = if *is_generic { window(space) } else { 0 };
                        u128::from(first.wrapping_add(address).wrapping_add_signed(*offset) >> shift)
                    }
                };
                chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
            }
            match space {
                Space::Const => constant.fill(address, &bytes),
                _ => global.fill(address, &bytes),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Content;
    use super::super::windows::place;
    use super::*;

    const TEXT: &str = "\
.version 8.0
.target sm_80
.visible .global .align 4 .u32 table[3] = {1, 0x10};
.const .align 1 .b8 bytes[4] = {1, 2, 0xFF(table), 0xFF00(generic(table))};
.global .align 8 .u64 pointers[2] = {generic(inner)+4, f};
.extern .shared .align 16 .b8 dynamic[];
.shared .align 8 .b8 inner[20];
.visible .func (.param .align 8 .b8 func_retval0[16]) f(
	.param .b32 f_param_0,
	.param .align 8 .b8 f_param_1[12]
)
{
	ret;
}
.visible .entry k(
	.param .u64 .ptr .global .align 1 k_param_0,
	.param .u32 k_param_1,
	.param .u64 .ptr .align 1 k_param_2
)
.maxntid 128, 2, 1
{
	ret;
}
";

    #[test]
    fn parameters_lie_one_after_the_other() {
        let image = Image::read(TEXT).expect("a module");
        let head = |name| &image.heads[image.function(name).expect("a function")];
        let places = |list: &[Parameter]| -> Vec<(u64, u64, bool)> {
            list.iter().map(|p| (p.offset, p.size, p.is_pointer)).collect()
        };
        assert_eq!(places(&head("f").results), [(0, 16, false)]);
        assert_eq!(places(&head("f").parameters), [(16, 4, false), (24, 12, false)]);
        assert_eq!(places(&head("k").parameters), [(0, 8, true), (8, 4, false), (16, 8, true)]);
        assert!(head("k").is_kernel && !head("f").is_kernel);
        let text = ".visible .entry c(\n\t.param .u64 .ptr .const .align 4 c_param_0,\n\t.param .u64 .ptr .global .align 4 c_param_1\n)\n{\n\tret;\n}\n";
        let image = Image::read(text).expect("a module");
        let parameters = &image.heads[image.function("c").expect("a function")].parameters;
        assert_eq!([parameters[0].is_constant, parameters[1].is_constant], [true, false]);
        assert_eq!((head("k").max_threads, head("k").required), (Some(256), None));
    }

    #[test]
    fn variables_have_their_content() {
        let image = Image::read(TEXT).expect("a module");
        let [mut global, mut constant] = [1, 2].map(|seed| Memory::new(seed, Content::Bits));
        image.fill(&mut global, &mut constant).expect("all names are known");
        let table = image.address("table").expect("a variable");
        assert_eq!(global.read(table, 8).0, 1 | 0x10 << 32);
        assert_eq!(global.read(table + 8, 4).0, 0, "what the content leaves out");
        let pointers = image.address("pointers").expect("a variable");
        assert_eq!(place(global.read(pointers, 8).0), (Space::Shared, 4));
        assert_eq!(image.function_at(global.read(pointers + 8, 8).0), image.function("f"));
        assert_eq!(constant.read(0, 4).0, 0x0201 | (table & 0xff) << 16 | (table >> 8 & 0xff) << 24);
        assert_eq!(image.address("dynamic"), Some(32), "after the others, aligned");
    }
}
