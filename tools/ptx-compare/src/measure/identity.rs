//! Names a kernel by its IR, so that a choice made for it is found again, and one made for another
//! kernel is not.
//!
//! The hash covers the kernel's text and everything that it refers to (functions, globals, types,
//! attributes, metadata), and the metadata that names it. Numbers of attributes and metadata change
//! with any other function of the module. They become numbers in the order of first use. Debug
//! information is left out, so that a new line above the kernel changes nothing.
//!
//! A kernel of bitcode without llvm-dis, of machine code or of PTX has the hash of the whole file.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::Input;

/// FNV-1a of 128 bits: the same with every compiler and version, which std's hash does not promise.
#[derive(Clone, Copy)]
pub struct Fnv(u128);

impl Fnv {
    pub fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    pub fn text(self) -> String {
        format!("{:032x}", self.0)
    }
}

/// The kernels that a text of IR defines: functions with `ptx_kernel`, or that `nvvm.annotations` names. `None` if it
/// defines nothing: then it may not be IR.
pub fn kernels(ir: &str) -> Option<BTreeSet<String>> {
    let mut kernels = BTreeSet::new();
    let mut has_function = false;
    for line in ir.lines() {
        let Some((before, name)) = line.split_once('@') else { continue };
        let is_function = before.starts_with("define ");
        has_function |= is_function;
        let is_kernel = is_function && before.contains(" ptx_kernel ")
            || before.starts_with('!') && line.contains("!\"kernel\", i32 1");
        if is_kernel {
            let own = match name.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => name.split(['(', ',']).next(),
            };
            kernels.extend(own.map(str::to_owned));
        }
    }
    has_function.then_some(kernels)
}

/// The definitions of a module, by the names that refer to them: `@f`, `%struct.s`, `#0`, `!1`.
pub struct Definitions<'a> {
    texts: HashMap<&'a str, &'a str>,
    /// Metadata that names functions.
    about: Vec<&'a str>,
    whole: &'a [u8],
}

impl<'a> Definitions<'a> {
    pub fn of(input: &'a Input) -> Self {
        let Some(ir) = &input.ir else {
            return Definitions { texts: HashMap::new(), about: Vec::new(), whole: &input.content };
        };
        Definitions::of_text(ir)
    }

    fn of_text(ir: &'a str) -> Self {
        let mut texts = HashMap::new();
        let mut about = Vec::new();
        let mut at = 0;
        while at < ir.len() {
            let line_end = ir[at..].find('\n').map_or(ir.len(), |end| at + end);
            let line = &ir[at..line_end];
            let mut end = line_end;
            if line.starts_with("define ") {
                end = ir[at..].find("\n}").map_or(ir.len(), |end| at + end + 2);
                let name = names(line).find(|name| name.starts_with('@'));
                texts.extend(name.map(|name| (name, &ir[at..end])));
            } else if line.starts_with("declare ") {
                let name = names(line).find(|name| name.starts_with('@'));
                texts.extend(name.map(|name| (name, line)));
            } else if let Some((head, _)) = line.split_once(" = ") {
                texts.insert(head.strip_prefix("attributes ").unwrap_or(head), line);
                if head.starts_with('!') && line.contains('@') {
                    about.push(line);
                }
            }
            at = end + 1;
        }
        Definitions { texts, about, whole: ir.as_bytes() }
    }

    /// The hash of a kernel and the processor that it is compiled for.
    pub fn hash(&self, kernel: &str, cpu: &str) -> String {
        let mut hash = Fnv::new();
        hash.add(cpu.as_bytes());
        let plain = format!("@{kernel}");
        let quoted = format!("@\"{kernel}\"");
        let Some((name, _)) =
            [&plain, &quoted].iter().find_map(|name| self.texts.get_key_value(name.as_str()))
        else {
            hash.add(kernel.as_bytes());
            hash.add(self.whole);
            return hash.text();
        };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut queue: Vec<&str> = vec![name];
        numbers.insert(name, 0);
        let mut next = 0;
        while let Some(&name) = queue.get(next) {
            next += 1;
            let text = self.texts.get(name).copied().unwrap_or(name);
            self.digest(text, &mut hash, &mut numbers, &mut queue);
            if next == 1 {
                for line in self.about.iter().filter(|line| names(line).any(|other| other == name)) {
                    let content = line.split_once(" = ").map_or(*line, |(_, content)| content);
                    self.digest(content, &mut hash, &mut numbers, &mut queue);
                }
            }
        }
        hash.text()
    }

    /// Adds a text to the hash, with numbers in place of references, and adds what it refers to to
    /// the queue.
    fn digest(
        &self,
        text: &str,
        hash: &mut Fnv,
        numbers: &mut HashMap<&'a str, usize>,
        queue: &mut Vec<&'a str>,
    ) {
        for line in text.lines() {
            if line.trim_start().starts_with("#dbg_") || line.contains("@llvm.dbg.") {
                continue;
            }
            let line = &*without_location(line);
            let mut end = 0;
            for name in names(line) {
                let at = name.as_ptr() as usize - line.as_ptr() as usize;
                hash.add(&line.as_bytes()[end..at]);
                end = at + name.len();
                let Some((&known, _)) = self.texts.get_key_value(name) else {
                    hash.add(name.as_bytes());
                    continue;
                };
                let count = numbers.len();
                let number = *numbers.entry(known).or_insert_with(|| {
                    queue.push(known);
                    count
                });
                let is_number = name.starts_with(['#', '!']);
                hash.add(
                    if is_number { format!("{}{number}", &name[..1]) } else { name.to_owned() }.as_bytes(),
                );
            }
            hash.add(&line.as_bytes()[end..]);
            hash.add(b"\n");
        }
    }
}

/// A line without the `, !dbg !7` of an instruction or the ` !dbg !7` of a function.
fn without_location(line: &str) -> Cow<'_, str> {
    match line.split_once(" !dbg !") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            Cow::Owned(format!("{}{after}", before.trim_end_matches(',')))
        }
        None => Cow::Borrowed(line),
    }
}

/// The references in a line of IR: `@f`, `@"f"`, `%struct.s`, `#0`, `!1`. Strings are skipped.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(offset) = line[at..].find(['@', '%', '#', '!', '"']) {
            let start = at + offset;
            let body = &line[start + 1..];
            let quoted = line[start..].starts_with('"');
            let length = if quoted {
                body.find('"').map_or(body.len(), |end| end + 1)
            } else if let Some(rest) = body.strip_prefix('"') {
                rest.find('"').map_or(body.len(), |end| end + 2)
            } else {
                let is_name = |c: char| c.is_ascii_alphanumeric() || "$._-".contains(c);
                body.find(|c| !is_name(c)).unwrap_or(body.len())
            };
            at = start + 1 + length;
            if !quoted && length > 0 {
                return Some(&line[start..at]);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = "\
source_filename = \"a.cu\"
%struct.s = type { i32 }
@table = internal constant [2 x i32] [i32 1, i32 2]
define void @other() #1 {
  ret void
}
define float @f(float %x) #0 {
  ret float %x
}
define ptx_kernel void @k(ptr %p) #0 !dbg !9 {
  %1 = load float, ptr %p, !dbg !7, !tbaa !4
  %2 = call float @f(float %1)
  store float %2, ptr @table
  ret void
}
attributes #0 = { nounwind \"target-cpu\"=\"sm_80\" }
attributes #1 = { noinline }
!nvvm.annotations = !{!3}
!3 = !{ptr @k, !\"maxntidx\", i32 128}
!4 = !{!5, !5, i64 0}
!5 = !{!\"float\"}
!7 = !DILocation(line: 1)
!9 = distinct !DISubprogram(name: \"k\")
";

    fn of(ir: &str) -> String {
        Definitions::of_text(ir).hash("k", "sm_80")
    }

    fn replaced(from: &str, to: &str) -> String {
        assert!(IR.contains(from));
        of(&IR.replace(from, to))
    }

    #[test]
    fn what_a_kernel_is_made_of_counts() {
        let own = of(IR);
        assert_ne!(replaced("i32 1, i32 2", "i32 1, i32 3"), own, "a global");
        assert_ne!(replaced("ret float %x", "ret float 0.0"), own, "a callee");
        assert_ne!(replaced("i32 128}", "i32 256}"), own, "launch bounds");
        assert_ne!(replaced("\"sm_80\" }", "\"sm_90\" }"), own, "an attribute");
        assert_ne!(replaced("!\"float\"", "!\"int\""), own, "metadata two steps away");
        assert_ne!(Definitions::of_text(IR).hash("k", "sm_90"), own, "the processor");
    }

    #[test]
    fn the_rest_of_the_module_does_not() {
        let own = of(IR);
        assert_eq!(replaced("@other() #1 {\n", "@other() #1 {\n  call void @k(ptr null)\n"), own);
        assert_eq!(replaced("source_filename = \"a.cu\"", "source_filename = \"b.cu\""), own);
        assert_eq!(replaced("line: 1", "line: 2"), own, "debug information");
        let renumbered = IR.replace("!5", "!15").replace("!4", "!5").replace("#0", "#7").replace("!3", "!30");
        assert_eq!(of(&renumbered), own, "other numbers");
    }

    #[test]
    fn kernels_are_known_before_they_are_compiled() {
        let names = |ir: &str| kernels(ir).map(|names| names.into_iter().collect::<Vec<_>>().join(" "));
        assert_eq!(names(IR).as_deref(), Some("k"), "launch bounds make no kernel");
        let by_metadata =
            "define void @\"a b\"(ptr %p) {\ndefine void @c() {\n!0 = !{ptr @\"a b\", !\"kernel\", i32 1}\n\
            !1 = !{void ()* @c, !\"kernel\", i32 1}\n";
        assert_eq!(names(by_metadata).as_deref(), Some("a b c"));
        assert_eq!(names("define void @f() {\n").as_deref(), Some(""));
        assert_eq!(names("this is not IR\n"), None);
    }

    #[test]
    fn a_kernel_without_text_has_the_hash_of_the_file() {
        let of = |content: &str| {
            Definitions { texts: HashMap::new(), about: Vec::new(), whole: content.as_bytes() }
                .hash("k", "sm_80")
        };
        assert_eq!(of("a"), of("a"));
        assert_ne!(of("a"), of("b"));
        let mut fnv = Fnv::new();
        fnv.add(b"a");
        assert_eq!(format!("{:032x}", fnv.0), "d228cb696f1a8caf78912b704e4a8964", "as published");
    }
}
