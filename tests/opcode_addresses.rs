//! Compares where the stages, the checker and LLVM's descriptions say that each opcode has its address.
//!
//! `python3 tests/addresses.py 17 22` has each LLVM print its opcodes (`tests/opcodes/texts.cpp`) and runs this on the texts. The stages know a
//! place by the opcode's name, the checker reads it from the text. Here both must be the same operand, in every form that it can have, and an
//! operand that LLVM's description leaves open or gives a register of 32 or 64 bits. An opcode that has an address in its text and none for the
//! stages is in [`LEFT_ALONE`].

use ptxpasses::checker::addresses::text::{Address, Base, Text};
use ptxpasses::nvptx::accesses::{AddressPlace, SpaceSource};
use ptxpasses::versions::{Nvptx, Versions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The accesses whose address no stage looks for, by the begin of their text: all that they read is a value to the stages. Handles and coordinates of
/// textures and surfaces are not addresses to the checker either.
const LEFT_ALONE: &[(&str, &str)] = &[
    ("txq.", "handle"),
    ("suq.", "handle"),
    ("atom.", "scoped or generic atomic operation of an intrinsic"),
    ("cp.async.bulk.", "bulk copy"),
    ("cp.reduce.async.bulk.", "bulk reduction"),
    ("cp.async.mbarrier.", "barrier"),
    ("mbarrier.", "barrier"),
    ("prefetch", "hint"),
    ("applypriority.", "hint"),
    ("discard.", "hint"),
    ("st.async", "asynchronous store"),
    ("st.bulk", "bulk store"),
    ("tcgen05.", "tensor memory"),
    ("clusterlaunchcontrol.", "barrier and result"),
    ("tensormap.", "tensor map"),
    ("fence.proxy.tensormap", "tensor map"),
];
/// The same for one space or version only: accesses of tensor cores and copies elsewhere than to shared memory, or in LLVM 17 to 20.
const LEFT_ALONE_ELSEWHERE: &[&str] = &["ldmatrix.", "stmatrix.", "wmma.load.", "wmma.store.", "cp.async."];

/// An opcode: its texts by variation.
struct Opcode<'a> {
    name: &'a str,
    num_results: usize,
    /// The operands' types as LLVM numbers them, and the bits of their register classes, 0 without one.
    types: Vec<(u32, u32)>,
    texts: BTreeMap<&'a str, &'a str>,
}

/// An address of an opcode: the operand, and the one that is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    base: usize,
    offset: Option<usize>,
}

fn opcodes(text: &str) -> Vec<Opcode<'_>> {
    let mut found: Vec<Opcode> = Vec::new();
    for line in text.lines() {
        let [name, num_results, types, variation, text] = *line.split('\t').collect::<Vec<_>>() else {
            panic!("no line of texts.cpp: {line}")
        };
        if variation == "-" {
            let number = |text: &str| text.parse::<u32>().expect("a number");
            let types = types.split_whitespace().map(|operand| {
                let (kind, bits) = operand.split_once(':').expect("type:bits");
                (number(kind), number(bits))
            });
            let num_results = number(num_results) as usize;
            found.push(Opcode { name, num_results, types: types.collect(), texts: BTreeMap::new() });
        }
        found.last_mut().expect("a plain line comes first").texts.insert(variation, text);
    }
    found
}

impl Opcode<'_> {
    fn plain(&self) -> Text {
        Text::parse(self.texts["-"])
    }
    /// Reads the opcode's addresses as the checker does, with each operand as a name and as a number.
    fn addresses(&self) -> Vec<Found> {
        let plain = self.plain().addresses;
        let parsed = |variation: String| {
            let addresses = Text::parse(self.texts.get(&variation[..])?).addresses;
            // A name where only a number can be added makes no address.
            (addresses.len() == plain.len()).then_some(addresses)
        };
        let mut found = Vec::new();
        for n in 0..plain.len() {
            let is_base = |&k: &usize| match plain[n].base {
                Base::Operand(position) => position == k,
                Base::Number(_) => {
                    let (name, number) = (parsed(format!("n{k}")), parsed(format!("i{k}")));
                    let is = |list: Option<Vec<Address>>, base| list.is_some_and(|l| l[n].base == base);
                    let by_name = is(name, Base::Operand(k));
                    assert_eq!(by_name, is(number, Base::Number(12345)), "{}: operand {k}", self.name);
                    by_name
                }
            };
            let is_offset = |&k: &usize| parsed(format!("i{k}")).is_some_and(|list| list[n].offset == 12345);
            let operands = 0..self.types.len();
            let bases: Vec<_> = operands.clone().filter(is_base).collect();
            let [base] = bases[..] else { panic!("{}: address {n} is of the operands {bases:?}", self.name) };
            found.push(Found { base, offset: operands.into_iter().find(is_offset) });
        }
        found
    }
    /// The name that the stages know it by.
    fn known_as(&self) -> String {
        let text = self.texts["-"].trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        if self.name.starts_with("anonymous_") {
            text[..end].to_owned()
        } else {
            self.name.to_owned()
        }
    }
    fn place(&self, version: &Nvptx) -> Option<AddressPlace> {
        AddressPlace::from_name(&self.known_as(), version)
    }
    /// Checks the place of the stages against the text and LLVM's description.
    fn check(&self, place: AddressPlace, addresses: &[Found]) {
        let name = self.name;
        let position = self.num_results + place.operands_before;
        let offset = Some(position + 1).filter(|_| place.has_offset);
        let first = addresses.first().unwrap_or_else(|| panic!("{name} has a place and no address"));
        assert_eq!(*first, Found { base: position, offset }, "{name}: {}", self.texts["-"]);
        // LLVM: neither a number nor a value of any size; the results are registers.
        let (kind, bits) = self.types[position];
        assert!([0, 2].contains(&kind) && [0, 32, 64].contains(&bits), "{name}: {kind}:{bits}");
        assert!(self.types[..self.num_results].iter().all(|&(kind, bits)| kind == 2 && bits > 0), "{name}");
        if let Some(offset) = offset {
            let (kind, bits) = self.types[offset];
            assert!([0, 1].contains(&kind) && bits == 0, "{name}: {kind}:{bits} is added");
        }
        if place.space == SpaceSource::Shared {
            assert!(self.plain().addresses[0].is_small, "{name}: {}", self.texts["-"]);
        }
    }
}

fn is_left_alone(opcode: &Opcode, used: &mut BTreeSet<&'static str>) -> bool {
    let all = LEFT_ALONE.iter().map(|(begin, _)| begin).chain(LEFT_ALONE_ELSEWHERE);
    // Some opcodes print several statements, in braces.
    let statements = opcode.texts["-"].split(';').map(|s| s.trim_start_matches([' ', '{']));
    let is_of = |begin: &str| statements.clone().any(|statement| statement.starts_with(begin));
    let found = all.into_iter().find(|begin| is_of(begin));
    used.extend(found);
    found.is_some()
}

fn check_version(version: u32, text: &str, used: &mut BTreeSet<&'static str>) {
    let nvptx = Versions::of(version).nvptx;
    let (mut num_places, mut num_addresses, mut spaces) = (0, 0, BTreeSet::new());
    let mut unknown = Vec::new();
    for opcode in opcodes(text) {
        let addresses = opcode.addresses();
        num_addresses += usize::from(!addresses.is_empty());
        match opcode.place(&nvptx) {
            Some(place) => {
                opcode.check(place, &addresses);
                num_places += 1;
                spaces.insert(format!("{:?}", place.space));
            }
            None if addresses.is_empty() || is_left_alone(&opcode, used) => {}
            None => unknown.push(format!("{}: {}", opcode.name, opcode.texts["-"])),
        }
    }
    assert!(unknown.is_empty(), "LLVM {version}: the stages know no address of {unknown:#?}");
    println!("LLVM {version}: {num_addresses} opcodes with addresses, {num_places} of them with a place for the stages");
    assert!(num_places > 50 && spaces.len() >= 2, "LLVM {version}: {num_places} places in {spaces:?}");
}

#[test]
fn stages_checker_and_llvm_agree_where_each_opcode_has_its_address() {
    let folder = std::env::var("PTX_OPCODE_TEXTS").expect("tests/addresses.py says where the texts are");
    let mut used = BTreeSet::new();
    let mut num_versions = 0;
    for version in 17..=24 {
        let path = Path::new(&folder).join(format!("{version}.txt"));
        if !path.exists() {
            continue;
        }
        // A number that LLVM's printer does not expect may print anything.
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check_version(version, &String::from_utf8_lossy(&text), &mut used);
        num_versions += 1;
    }
    assert!(num_versions > 0, "{folder} has no texts");
    let all: BTreeSet<_> = LEFT_ALONE.iter().map(|(begin, _)| begin).chain(LEFT_ALONE_ELSEWHERE).collect();
    let unused: Vec<_> = all.into_iter().filter(|begin| !used.contains(*begin)).collect();
    // One version has not all of them.
    assert!(num_versions < 6 || unused.is_empty(), "no version has {unused:?}");
}
