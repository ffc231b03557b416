//! A launch of a kernel: its threads, its parameters and its memory.
//!
//! **Problem.** The PTX of a kernel alone says neither how the kernel is launched nor what its
//! parameters mean.
//!
//! **Method.** A launch is given as a text, one fact a line, or made up from the code. A parameter
//! whose value becomes an address is a pointer; one that goes into floating-point arithmetic is a
//! floating-point number; any other is a count. Several variants of made-up launches reach code
//! after zero-trip guards, in long loops, and for negative numbers. The last variants have numbers
//! at the edges: all 0, all 1, and near 2^31.
//!
//! **Deviation.** Buffers lie far from each other. Every other one crosses a multiple of 2^32 after
//! its first page, so that an address computed in 32 bits is wrong.
//!
//! **Complexity.** Linear in the code, for each of the three rounds that follow a parameter through
//! the code.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure, Context};

use crate::error::Error;
use crate::ptx::trace::Space;
use crate::ptx::value::mix;

use super::decode::{Address, Code, Operation, Pure, Source, Special, Step};
use super::image::Head;
use super::meeting::Planted;
use super::memory::{Content, Memory};
use super::program::Program;

/// The number of launches that can be made up and that differ in all respects.
pub const VARIANTS: u64 = 4;
/// The number of further variants. Their parameters are at the edges of their range, and they are
/// small.
pub const EDGES: u64 = 6;

/// The size of a made-up launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Several blocks, and counts that give all of them work.
    Usual,
    /// One block of one warp, or of the threads that the kernel asks for. Counts are 16 or less
    /// than nine.
    Small,
}

impl Size {
    /// The size of a variant: those with numbers at the edges are small.
    pub fn of(variant: u64) -> Size {
        if variant < VARIANTS {
            Size::Usual
        } else {
            Size::Small
        }
    }
}

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A global address.
    Buffer(Buffer),
    /// The bytes of a number or a structure.
    Bytes(Vec<u8>),
    /// The bytes of a pointer or a structure that hold addresses.
    Addresses {
        /// All bytes. At the places are the addresses that memory has in the emulators.
        bytes: Vec<u8>,
        /// Where the addresses are, and of what.
        places: Vec<Place>,
    },
}

/// An address among the bytes of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset of its eight bytes in the parameter.
    pub at: usize,
    /// The place of its memory among the buffers of the launch.
    pub buffer: usize,
    /// Its offset in that memory.
    pub offset: u64,
}

impl Argument {
    /// The bytes that the kernel sees.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Argument::Buffer(buffer) => buffer.address.to_le_bytes().to_vec(),
            Argument::Bytes(bytes) | Argument::Addresses { bytes, .. } => bytes.clone(),
        }
    }
}

/// Global memory to which a parameter points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// The address of its first byte.
    pub address: u64,
    /// Its bytes.
    pub size: u64,
    /// Its content before the launch, if it is known.
    pub input: Option<Vec<u8>>,
    /// Whether this content repeats up to the buffer's end.
    pub is_repeated: bool,
    /// A file with the bytes that should be first in it after the launch, and these bytes.
    pub expected: Option<(PathBuf, Vec<u8>)>,
}

impl Buffer {
    /// The byte at an offset before the launch, if it is known.
    pub fn before(&self, offset: u64) -> Option<u8> {
        let input = self.input.as_ref()?;
        let at = if self.is_repeated && offset < self.size {
            offset % (input.len() as u64).max(1)
        } else {
            offset
        };
        input.get(usize::try_from(at).ok()?).copied()
    }
}

/// A kernel, the shape of its grid, its parameters and the memory before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The name of the kernel.
    pub kernel: String,
    /// Blocks of the grid, by axis.
    pub grid: [u32; 3],
    /// Threads of a block, by axis.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u64,
    /// The parameters of the kernel, in order.
    pub arguments: Vec<Argument>,
    /// Memory that only addresses in parameters point into.
    pub memory: Vec<Buffer>,
    /// The seed of the numbers in memory that was never written.
    pub seed: u64,
    /// The kind of these numbers.
    pub content: Content,
    /// Further numbers in memory.
    pub planted: Vec<Planted>,
}

/// Address of a buffer, by its place among the buffers of a launch.
pub fn buffer_address(index: u64) -> u64 {
    let low = if index % 2 == 1 { 0xffff_f000 } else { 0 };
    ((index + 1) << 34) | low
}

impl Launch {
    /// Returns a launch of one thread without parameters.
    pub fn new(kernel: String) -> Self {
        let one = [1; 3];
        let (arguments, content, planted) = (Vec::new(), Content::Bits, Vec::new());
        let memory = Vec::new();
        Launch { kernel, grid: one, block: one, shared: 0, arguments, memory, seed: 0, content, planted }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block.iter().map(|&size| u64::from(size)).product()
    }

    /// The buffers: those that are parameters, in order, then other memory.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let own = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Buffer(buffer) => Some(buffer),
            Argument::Bytes(_) | Argument::Addresses { .. } => None,
        });
        own.chain(&self.memory)
    }

    /// Puts the content of the buffers into memory.
    pub fn fill(&self, global: &mut Memory) {
        for buffer in self.buffers() {
            if let Some(input) = &buffer.input {
                if buffer.is_repeated {
                    global.repeat(buffer.address, buffer.size, input.clone());
                } else {
                    global.fill(buffer.address, input);
                }
            }
        }
    }

    /// Puts the planted numbers of a state space into its memory.
    pub fn plant(&self, space: Space, memory: &mut Memory) {
        for planted in self.planted.iter().filter(|planted| planted.space == space) {
            memory.fill(planted.address, &planted.value.to_le_bytes()[..planted.bytes.min(8)]);
        }
    }

    /// The bytes of all parameters as the kernel sees them.
    pub fn parameters(&self, head: &Head) -> Result<Vec<u8>, Error> {
        let places: Vec<(u64, u64)> =
            head.parameters.iter().map(|parameter| (parameter.offset, parameter.size)).collect();
        self.place_parameters(&places, head.size)
    }

    /// The bytes of all parameters. The place of each is its offset and its size.
    pub fn place_parameters(&self, places: &[(u64, u64)], size: u64) -> Result<Vec<u8>, Error> {
        if places.len() != self.arguments.len() {
            let [wanted, given] = [places.len(), self.arguments.len()];
            return Err(Error::Parameters(format!(
                "the kernel {} has {wanted} parameters, the launch gives {given}",
                self.kernel
            )));
        }
        let mut bytes = vec![0; size as usize];
        for (number, (&(offset, size), argument)) in places.iter().zip(&self.arguments).enumerate() {
            let own = argument.bytes();
            if own.len() as u64 != size {
                let (number, given) = (number + 1, own.len());
                return Err(Error::Parameters(format!(
                    "parameter {number} of {} has {size} bytes, the launch gives {given}",
                    self.kernel
                )));
            }
            let at = offset as usize;
            let place = bytes.get_mut(at..at + own.len());
            place
                .ok_or_else(|| {
                    Error::Parameters(format!("parameter {} lies outside of them all", number + 1))
                })?
                .copy_from_slice(&own);
        }
        Ok(bytes)
    }

    /// Reads the launches of a file; it must have at least one.
    pub fn read_file(path: &Path) -> anyhow::Result<Vec<Launch>> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let launches = Launch::read(&text, folder).map_err(|why| anyhow!("{name}: {why}"))?;
        ensure!(!launches.is_empty(), "{name}: there is no launch");
        Ok(launches)
    }

    /// Reads the launches of all files; each must have at least one.
    pub fn read_files(paths: &[PathBuf]) -> anyhow::Result<Vec<Launch>> {
        let files = paths.iter().map(|path| Launch::read_file(path)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(files.concat())
    }

    /// Reads launches from a text; paths in it are relative to `folder`.
    pub fn read(text: &str, folder: &Path) -> Result<Vec<Launch>, Error> {
        let mut launches: Vec<Launch> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            let rest: Vec<&str> = words.collect();
            let fact = match (first, launches.last_mut()) {
                ("kernel", _) => match rest.first() {
                    Some(&name) => {
                        launches.push(Launch::new(name.to_owned()));
                        Ok(())
                    }
                    None => Err("a kernel without a name".into()),
                },
                (_, None) => Err("a launch begins with `kernel NAME`".into()),
                (_, Some(launch)) => launch.take(first, &rest, folder),
            };
            fact.map_err(|why| why.on(number + 1))?;
        }
        Ok(launches)
    }

    /// Takes one fact of a launch.
    fn take(&mut self, first: &str, rest: &[&str], folder: &Path) -> Result<(), Error> {
        let numbers = || -> Result<[u32; 3], Error> {
            let mut shape = [1; 3];
            if rest.is_empty() || rest.len() > 3 {
                return Err(format!("{first} has one to three numbers").into());
            }
            for (place, word) in shape.iter_mut().zip(rest) {
                *place = word
                    .parse()
                    .ok()
                    .filter(|&number| number > 0)
                    .ok_or(format!("{first}: {word} is not a number above 0"))?;
            }
            Ok(shape)
        };
        match first {
            "grid" => self.grid = numbers()?,
            "block" => {
                self.block = numbers()?;
                if self.threads() > 1024 {
                    return Err(format!("a block of {} threads; 1024 are allowed", self.threads()).into());
                }
            }
            "shared" => self.shared = numbers()?[0].into(),
            "buffer" => self.arguments.push(Argument::Buffer(self.read_buffer(rest, folder)?)),
            "memory" => self.memory.push(self.read_buffer(rest, folder)?),
            "bytes" => self.arguments.push(self.read_bytes(rest)?),
            kind => {
                let [word] = rest else {
                    // For an unknown kind, the error of `read_number` names it.
                    read_number(kind, "0")?;
                    return Err(format!("{kind} has one number, here are {}", rest.len()).into());
                };
                let number = read_number(kind, word)?;
                self.arguments.push(Argument::Bytes(number));
            }
        }
        Ok(())
    }

    /// Reads the bytes of a parameter: hexadecimal digits, then a word `AT=BUFFER+OFFSET` for each
    /// address among them.
    fn read_bytes(&self, rest: &[&str]) -> Result<Argument, Error> {
        let digits = rest.iter().take_while(|word| !word.contains('=')).count();
        let text = rest[..digits].concat();
        let byte = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
        let mut bytes = bytes.ok_or(format!("{text} is not hexadecimal"))?;
        let mut places = Vec::new();
        for word in &rest[digits..] {
            let place = self.read_place(word)?;
            let address = buffer_address(place.buffer as u64) + place.offset;
            let own = place.at.checked_add(8).and_then(|end| bytes.get_mut(place.at..end));
            own.ok_or_else(|| format!("{word}: the parameter has no eight bytes there"))?
                .copy_from_slice(&address.to_le_bytes());
            places.push(place);
        }
        Ok(if places.is_empty() { Argument::Bytes(bytes) } else { Argument::Addresses { bytes, places } })
    }

    /// Reads `AT=BUFFER+OFFSET`; buffers count from 1, in the order of their lines.
    fn read_place(&self, word: &str) -> Result<Place, Error> {
        let parts = word.split_once('=').and_then(|(at, rest)| Some((at, rest.split_once('+')?)));
        let parsed = parts.and_then(|(at, (buffer, offset))| {
            Some((at.parse().ok()?, buffer.parse::<usize>().ok()?, offset.parse().ok()?))
        });
        let (at, buffer, offset) =
            parsed.ok_or_else(|| format!("{word} is not an address: AT=BUFFER+OFFSET, such as 8=1+256"))?;
        let known = (1..=self.buffers().count()).contains(&buffer);
        let buffer = buffer.saturating_sub(1);
        let own = self.buffers().find(|own| known && own.address == buffer_address(buffer as u64));
        let own = own.ok_or_else(|| format!("{word}: there is no such buffer above this line"))?;
        if offset > own.size {
            return Err(format!("{word}: the buffer has {} bytes", own.size).into());
        }
        Ok(Place { at, buffer, offset })
    }

    fn read_buffer(&self, rest: &[&str], folder: &Path) -> Result<Buffer, Error> {
        let size = rest.first().and_then(|word| word.parse().ok()).ok_or("a buffer without its bytes")?;
        let address = buffer_address(self.buffers().count() as u64);
        let mut buffer = Buffer { address, size, ..Buffer::default() };
        for word in &rest[1..] {
            let (kind, name) = word.split_once('=').ok_or_else(|| Error::unknown("word", *word))?;
            let path = folder.join(name);
            let bytes =
                std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            if bytes.len() as u64 > size {
                return Err(format!("{} has {} bytes, the buffer {size}", path.display(), bytes.len()).into());
            }
            match kind {
                "in" | "repeat" if buffer.input.is_some() => {
                    return Err(format!("the content of a buffer is given twice, by {word} too").into());
                }
                "in" => buffer.input = Some(bytes),
                "repeat" if bytes.is_empty() => {
                    return Err(format!("{} is empty: nothing to repeat", path.display()).into());
                }
                "repeat" => (buffer.input, buffer.is_repeated) = (Some(bytes), true),
                "out" => buffer.expected = Some((path, bytes)),
                _ => return Err(format!("unknown word {word}; in=, repeat= and out= are known").into()),
            }
        }
        Ok(buffer)
    }

    /// The constants other than 0 in the kernel's comparisons, in their order.
    pub fn numbers_in_tests(&self, program: &Program) -> Vec<u64> {
        let code = program.image.function(&self.kernel).and_then(|number| program.code(number).ok());
        let tests = code.iter().flat_map(|code| &code.steps);
        let mut numbers = Vec::new();
        for step in tests.filter(|step| matches!(step.operation, Operation::Test { .. })) {
            for source in &step.sources {
                match source {
                    Source::Constant(number) if *number != 0 && !numbers.contains(number) => {
                        numbers.push(*number);
                    }
                    _ => {}
                }
            }
        }
        numbers
    }

    /// Makes up a launch of a kernel from its two texts, mainly from the first. Each variant gives
    /// a different one.
    pub fn make_up(texts: [&Program; 2], kernel: &str, variant: u64, size: Size) -> Result<Launch, Error> {
        let [program, other] = texts;
        let number = program.image.function(kernel);
        let number = number.ok_or_else(|| Error::NoKernel(kernel.to_owned()))?;
        let (head, code) = (&program.image.heads[number], program.code(number)?);
        let mut launch = Launch::new(kernel.to_owned());
        launch.seed = variant;
        launch.content = match variant % VARIANTS {
            0 => Content::Small,
            1 => Content::Floats,
            2 => Content::Bits,
            _ => Content::Mixed,
        };
        let (grid, mut block) = shape(head, code, variant);
        launch.grid = grid;
        if size == Size::Small {
            (launch.grid, block) = ([1; 3], [32, 1, 1]);
        }
        launch.block = head.required.unwrap_or(block);
        launch.shared = 48 << 10;
        let mut kinds = kinds_of_parameters(head, code);
        // One text may have lost the only access through a pointer.
        if let Some(Ok(code)) = other.image.function(kernel).map(|number| other.code(number)) {
            for part in kinds_of_parameters(head, code) {
                match kinds.iter_mut().find(|known| (known.0, known.1) == (part.0, part.1)) {
                    Some(known) if part.2 == ParameterKind::Pointer => known.2 = part.2,
                    Some(_) => {}
                    None => kinds.push(part),
                }
            }
            kinds.sort_by_key(|part| (part.0, part.1));
        }
        let count = |offset: u64| match size {
            _ if variant >= VARIANTS => at_the_edge(variant, offset),
            Size::Usual => made_up(variant, offset),
            // Rows of matrices are aligned in the even variants.
            Size::Small if variant % 2 == 0 => 16,
            Size::Small => made_up(variant, offset) % 9,
        };
        let mut num_buffers = 0;
        for parameter in &head.parameters {
            let mut bytes = vec![0; parameter.size as usize];
            let own = |(offset, ..): &&(u64, usize, ParameterKind)| {
                (parameter.offset..parameter.offset + parameter.size).contains(offset)
            };
            for &(offset, size, kind) in kinds.iter().filter(own) {
                let is_pointer =
                    kind == ParameterKind::Pointer || parameter.is_pointer && parameter.size == 8;
                let value = match kind {
                    _ if is_pointer && size == 8 => {
                        num_buffers += 1;
                        buffer_address(num_buffers - 1)
                    }
                    ParameterKind::Float if size == 4 => u64::from((count(offset) as f32 / 8.0).to_bits()),
                    ParameterKind::Float if size == 8 => (count(offset) as f64 / 8.0).to_bits(),
                    _ => count(offset) as u64,
                };
                let at = (offset - parameter.offset) as usize;
                let end = (at + size).min(bytes.len());
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            }
            launch.arguments.push(Argument::Bytes(bytes));
        }
        Ok(launch)
    }
}

/// A grid and its blocks, in the dimensions that the kernel uses.
fn shape(head: &Head, code: &Code, variant: u64) -> ([u32; 3], [u32; 3]) {
    let uses = |axis: usize| {
        code.steps.iter().flat_map(|step| &step.sources).any(|source| {
            matches!(source, Source::Special(Special::Thread(own) | Special::Block(own)) if *own == axis)
        })
    };
    let grid = [2, if uses(1) { 2 } else { 1 }, if uses(2) { 2 } else { 1 }];
    let mut block = match (uses(1), uses(2)) {
        (false, false) => [[64, 33, 128, 96][(variant % VARIANTS) as usize], 1, 1],
        (true, false) => [16, 8, 1],
        (_, true) => [8, 4, 2],
    };
    if let Some(max) = head.max_threads {
        while block.iter().product::<u32>() > max {
            let largest = (0..3).max_by_key(|&axis| block[axis]).unwrap_or(0);
            block[largest] = (block[largest] / 2).max(1);
        }
    }
    (grid, block)
}

/// A number for a parameter: a multiple of 32, any count, a multiple of 16 (as strides are), or
/// sometimes a negative number.
fn made_up(variant: u64, offset: u64) -> i64 {
    let hash = mix(variant, offset);
    match variant % VARIANTS {
        0 => 32 + 32 * (hash % 3) as i64,
        1 => 1 + (hash % 40) as i64,
        2 => 16 + 16 * (hash % 8) as i64,
        _ if hash % 4 == 0 => -1 - (hash % 50) as i64,
        _ => (hash % 70) as i64,
    }
}

/// A number for a parameter: 0, 1, near the largest or the smallest of 32 bits, or a mixture of
/// large numbers, perhaps with small ones.
fn at_the_edge(variant: u64, offset: u64) -> i64 {
    const LARGE: [i64; 8] =
        [0x7fff_ffff, -0x8000_0000, 0x7fff_fff0, 0x4000_0000, -1, -0x7fff_fff0, -16, 0x8000_0000];
    let hash = mix(variant, offset);
    let large = LARGE[(hash >> 8) as usize % LARGE.len()];
    let is_even = offset / 4 % 2 == 0;
    match variant - VARIANTS {
        0 => 0,
        1 => 1,
        2 if is_even => 0x7fff_ffff,
        2 => 0x7fff_fff0,
        3 if is_even => -0x8000_0000,
        3 => -1,
        4 => large,
        _ if hash % 2 == 0 => large,
        _ => (hash >> 16) as i64 & 15,
    }
}

fn read_number(kind: &str, word: &str) -> Result<Vec<u8>, Error> {
    let bad = || format!("{word} is not a number of the kind {kind}");
    let (class, width) = kind.split_at_checked(1).unwrap_or((kind, ""));
    let bytes: usize = match (class, width) {
        ("s" | "u", "8" | "16" | "32" | "64") | ("f", "32" | "64") => {
            width.parse::<usize>().map_err(|_| bad())? / 8
        }
        _ => {
            return Err(format!(
            "unknown fact {kind}; known are kernel, grid, block, shared, buffer, memory, bytes and s8 to f64"
        )
            .into())
        }
    };
    let hex = word
        .strip_prefix("0x")
        .map(|digits| u64::from_str_radix(digits, 16).map_err(|_| bad()))
        .transpose()?;
    let value = match (hex, class, bytes) {
        (Some(bits), ..) => bits,
        (None, "f", 4) => word.parse::<f32>().map_err(|_| bad())?.to_bits().into(),
        (None, "f", _) => word.parse::<f64>().map_err(|_| bad())?.to_bits(),
        (None, "s", _) => word.parse::<i64>().map_err(|_| bad())? as u64,
        (None, ..) => word.parse::<u64>().map_err(|_| bad())?,
    };
    let fits =
        bytes == 8 || value >> (8 * bytes) == 0 || class == "s" && (value as i64) >> (8 * bytes - 1) == -1;
    if !fits {
        return Err(bad().into());
    }
    Ok(value.to_le_bytes()[..bytes].to_vec())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParameterKind {
    Pointer,
    Float,
    Count,
}

/// The parts of the parameters that a kernel loads: offset, bytes, and what they are used for.
fn kinds_of_parameters(head: &Head, code: &Code) -> Vec<(u64, usize, ParameterKind)> {
    let mut parts: Vec<(u64, usize, ParameterKind)> = Vec::new();
    // The parts that each register holds, plain or as an addend.
    let mut holds: Vec<u64> = vec![0; code.masks.len()];
    let mut is_float: Vec<bool> = vec![false; code.masks.len()];
    let is_parameter = |address: &Address| {
        let is_constant = matches!(address.base, Source::Constant(_));
        is_constant && address.is_own_parameter && address.space == Some(Space::Param)
    };
    for step in &code.steps {
        match &step.operation {
            Operation::Load { address, bytes, .. } if is_parameter(address) => {
                let Source::Constant(base) = address.base else { continue };
                for (index, result) in step.results.iter().enumerate() {
                    let offset = base.wrapping_add_signed(address.offset) + (index * bytes) as u64;
                    if offset >= head.size {
                        continue;
                    }
                    let known = parts.iter().position(|part| (part.0, part.1) == (offset, *bytes));
                    let part = known.unwrap_or_else(|| {
                        parts.push((offset, *bytes, ParameterKind::Count));
                        parts.len() - 1
                    });
                    if let Some(register) = result {
                        holds[*register] |= 1_u64.checked_shl(part as u32).unwrap_or(0);
                    }
                }
            }
            Operation::Pure(Pure::Float(float)) | Operation::Test { test: Pure::Float(float), .. }
                if float.reads_floats() =>
            {
                for source in &step.sources {
                    if let Source::Register(register) = source {
                        is_float[*register] = true;
                    }
                }
            }
            _ => {}
        }
    }
    follow_addresses(code, &mut holds);
    let mut set = |parts_of_value: u64, kind: ParameterKind, bytes: Option<usize>| {
        for (index, part) in parts.iter_mut().enumerate().take(64) {
            if parts_of_value >> index & 1 == 1 && bytes.is_none_or(|bytes| part.1 == bytes) {
                part.2 = kind;
            }
        }
    };
    for (register, _) in is_float.iter().enumerate().filter(|(_, is_float)| **is_float) {
        set(holds[register], ParameterKind::Float, None);
    }
    for step in &code.steps {
        for address in accesses(step) {
            set(parts_of(&holds, &address.base), ParameterKind::Pointer, Some(8));
        }
        let is_argument =
            matches!(&step.operation, Operation::Store { address, .. } if address.is_own_parameter);
        if is_argument {
            step.sources
                .iter()
                .for_each(|source| set(parts_of(&holds, source), ParameterKind::Pointer, Some(8)));
        }
    }
    parts
}

/// The parts of parameters that a source holds.
fn parts_of(holds: &[u64], source: &Source) -> u64 {
    match source {
        Source::Register(register) => holds[*register],
        _ => 0,
    }
}

/// Adds the parts that registers hold because instructions compute addresses from addresses.
fn follow_addresses(code: &Code, holds: &mut [u64]) {
    for _ in 0..3 {
        for step in &code.steps {
            let passes = matches!(step.operation, Operation::Move { .. })
                || matches!(&step.operation, Operation::Pure(Pure::Integer(integer)) if integer.keeps_addresses());
            if !passes {
                continue;
            }
            let all = step.sources.iter().fold(0, |all, source| all | parts_of(holds, source));
            step.results.iter().flatten().for_each(|&register| holds[register] |= all);
        }
    }
}

/// The addresses that an instruction accesses.
fn accesses(step: &Step) -> Vec<&Address> {
    match &step.operation {
        Operation::Load { address, .. }
        | Operation::Store { address, .. }
        | Operation::Atomic { address, .. }
        | Operation::LoadMatrix { address, .. }
        | Operation::StoreMatrix { address, .. }
        | Operation::LoadFragment { address, .. }
        | Operation::StoreFragment { address, .. } => vec![address],
        Operation::Copy { to, from, .. } => vec![to, from],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "\
.visible .entry k(
.param .b64 k_param_0,
.param .b32 k_param_1,
.param .b32 k_param_2,
.param .b64 k_param_3
)
.maxntid 48, 1, 1
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.b64 %rd1, [k_param_0];
ld.param.b32 %r1, [k_param_1];
ld.param.b32 %r2, [k_param_2];
ld.param.b64 %rd2, [k_param_3];
cvta.to.global.u64 %rd3, %rd1;
mul.wide.s32 %rd4, %r1, 4;
add.s64 %rd5, %rd3, %rd4;
shl.b64 %rd6, %rd2, 3;
add.s64 %rd7, %rd5, %rd6;
add.rn.f32 %r3, %r2, %r2;
cvt.rn.f32.s32 %r4, %r1;
st.global.b32 [%rd7], %r3;
ret;
}
";

    #[test]
    fn a_launch_is_made_up_from_the_code() {
        let program = Program::new(KERNEL).expect("a module");
        let launch = Launch::make_up([&program; 2], "k", 0, Size::Usual).expect("a kernel");
        let bytes: Vec<Vec<u8>> = launch
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Buffer(_) => vec![],
                other => other.bytes(),
            })
            .collect();
        assert_eq!(bytes[0], buffer_address(0).to_le_bytes());
        assert!(bytes[1][3] == 0 && bytes[1][0] >= 32, "a count: {:?}", bytes[1]);
        let float = f32::from_le_bytes([bytes[2][0], bytes[2][1], bytes[2][2], bytes[2][3]]);
        assert!((0.25..=9.0).contains(&float), "{float}");
        assert!(bytes[3][4..] == [0; 4], "a count of 64 bits: {:?}", bytes[3]);
        assert_eq!(launch.block, [32, 1, 1], "what the kernel allows");
        assert_ne!(launch, Launch::make_up([&program; 2], "k", 1, Size::Usual).expect("a kernel"));
    }

    #[test]
    fn a_launch_is_read() {
        let text = "kernel k # a comment\ngrid 3\nblock 8 4\ns32 -2\nf32 0.5\nbuffer 64\nu8 200\nbytes 00ff\n\nkernel l\n";
        let launches = Launch::read(text, Path::new(".")).expect("launches");
        assert_eq!(launches.len(), 2);
        let launch = &launches[0];
        assert_eq!((launch.grid, launch.block, launch.threads()), ([3, 1, 1], [8, 4, 1], 32));
        let bytes = |bytes: &[u8]| Argument::Bytes(bytes.to_vec());
        assert_eq!(launch.arguments[0], bytes(&[0xfe, 0xff, 0xff, 0xff]));
        assert_eq!(launch.arguments[1], bytes(&0.5_f32.to_le_bytes()));
        assert_eq!(launch.buffers().map(|buffer| buffer.size).collect::<Vec<_>>(), [64]);
        assert_eq!(launch.arguments[3..], [bytes(&[200]), bytes(&[0, 255])]);
    }

    #[test]
    fn addresses_are_of_memory_above_them() {
        let read = |lines: &str| Launch::read(&format!("kernel k\n{lines}"), Path::new("."));
        let launch = read("buffer 64\nmemory 4096\nbytes 0000000000000000 2a000000 00000000 0=2+256\n");
        let launch = launch.expect("a launch").remove(0);
        assert_eq!(launch.buffers().map(|buffer| buffer.size).collect::<Vec<_>>(), [64, 4096]);
        let Argument::Addresses { bytes, places } = &launch.arguments[1] else { panic!("{launch:?}") };
        assert_eq!(bytes[..8], (buffer_address(1) + 256).to_le_bytes());
        assert_eq!(bytes[8..], [0x2a, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(places[..], [Place { at: 0, buffer: 1, offset: 256 }]);
        let fails = |lines: &str| read(lines).expect_err("an error").to_string();
        let bytes = "bytes 0000000000000000";
        assert!(fails(&format!("{bytes} 0=1+0")).ends_with("0=1+0: there is no such buffer above this line"));
        assert!(
            fails(&format!("memory 8\n{bytes} 0=0+0")).ends_with("there is no such buffer above this line")
        );
        assert!(
            fails(&format!("memory 8\n{bytes} 4=1+0")).ends_with("the parameter has no eight bytes there")
        );
        assert!(fails(&format!("memory 8\n{bytes} 0=1+9")).ends_with("the buffer has 8 bytes"));
        assert!(fails(&format!("memory 8\n{bytes} 0=1")).contains("is not an address: AT=BUFFER+OFFSET"));
    }

    #[test]
    fn the_content_of_a_buffer_repeats() {
        let folder = std::env::temp_dir().join(format!("ptx-emu-launch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("three"), [1, 2, 3]).expect("a file");
        std::fs::write(folder.join("none"), []).expect("a file");
        let read = |line: &str| Launch::read(&format!("kernel k\n{line}\n"), &folder);
        let launch = read("buffer 200000000 repeat=three").expect("a launch").remove(0);
        let refused = [
            read("buffer 2 repeat=three"),
            read("buffer 8 repeat=none"),
            read("buffer 8 in=three repeat=three"),
            read("buffer 8 often=three"),
        ];
        std::fs::remove_dir_all(&folder).expect("it was there");

        let buffer = launch.buffers().next().expect("a buffer");
        let mut memory = Memory::new(1, Content::Bits);
        launch.fill(&mut memory);
        for at in [0, 1, 5, 199_999_998, 199_999_999] {
            assert_eq!(memory.read(buffer.address + at, 1).0, at % 3 + 1);
            assert_eq!(buffer.before(at), Some((at % 3 + 1) as u8));
        }
        assert_eq!(buffer.before(200_000_000), None);
        let whys = refused.map(|refused| refused.expect_err("an error").to_string());
        for (why, wanted) in whys.iter().zip([
            "three has 3 bytes, the buffer 2",
            "none is empty: nothing to repeat",
            "line 2: the content of a buffer is given twice, by repeat=three too",
            "line 2: unknown word often=three; in=, repeat= and out= are known",
        ]) {
            assert!(why.ends_with(wanted), "{why}");
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let fails = |text: &str| Launch::read(text, Path::new(".")).expect_err("an error").to_string();
        assert_eq!(fails("grid 3"), "line 1: a launch begins with `kernel NAME`");
        assert_eq!(fails("kernel k\nblock 0"), "line 2: block: 0 is not a number above 0");
        assert_eq!(fails("kernel k\nblock 64 64"), "line 2: a block of 4096 threads; 1024 are allowed");
        assert_eq!(fails("kernel k\nu32"), "line 2: u32 has one number, here are 0");
        assert_eq!(fails("kernel k\nf32 1 2"), "line 2: f32 has one number, here are 2");
        assert!(fails("kernel k\ngröße 3").starts_with("line 2: unknown fact größe; known are"));
        assert!(fails("kernel k\nü 3").starts_with("line 2: unknown fact ü; known are"));
        assert_eq!(fails("kernel k\nu8 300"), "line 2: 300 is not a number of the kind u8");
        assert_eq!(fails("kernel k\ns8 -129"), "line 2: -129 is not a number of the kind s8");
        assert!(fails("kernel k\nu7 3").starts_with("line 2: unknown fact u7; known are kernel, grid, block"));
        assert!(fails("kernel k\nbuffer 8 in=nowhere.bin").starts_with("line 2: cannot read ./nowhere.bin"));
    }
}
