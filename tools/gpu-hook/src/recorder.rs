//! Records launches.
//!
//! **Problem.** A launch can be run again only with all memory that its parameters point to, as it
//! was before. **Method.** The first launches of a kernel, one for each shape, are recorded: the
//! GPU is waited for, and each allocation that a parameter points into is copied whole. What a copy
//! cannot restore is said and not recorded: addresses inside of memory, memory of the host,
//! textures, variables of modules, graphs, launches that need more than a grid.
//!
//! **Source.** None. **Deviation.** Memory that other streams write at the same time is recorded as
//! it is then. **Complexity.** Linear in the memory of the launches that are recorded.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use gpu_record::contents::{Contents, Parameter};
use gpu_record::digest::digest;
use gpu_record::events::Event;
use gpu_record::image;
use gpu_record::launch::{is_name, Launch, Memory, Place, Shape};
use gpu_record::manifest::image_file;
use gpu_record::setup;

use crate::address::{has_addresses, word, Knows, Range, Span, Word};
use crate::log::{locked, store, Log};
use crate::names::{Handle, Kind, Named};

/// How often a kernel's launches are tried in vain. Each takes time.
const TRIES: usize = 8;

/// The driver, as far as a recorder asks it.
pub trait Gpu: Knows {
    /// The parameters of a function; `None` if this driver cannot say.
    fn parameters(&self, handle: (Handle, Kind)) -> Option<Vec<Parameter>>;
    /// Whether a stream's work goes into a graph.
    fn is_capturing(&self, asked: &Asked) -> bool;
    /// Waits for all that was begun.
    fn wait(&self) -> Result<(), String>;
    /// Copies memory into bytes.
    fn copy(&self, from: u64, to: &mut [u8]) -> Result<(), String>;
}

/// A launch, as the application asks for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    pub shape: Shape,
    pub stream: Handle,
    /// Whether the stream 0 is the thread's own.
    pub is_per_thread: bool,
    /// What it needs besides a grid; empty if nothing.
    pub needs: &'static str,
}

/// The bytes of a launch's parameters.
pub trait Values {
    /// Those of one; `None` if the launch does not give it.
    fn get(&self, number: usize, parameter: Parameter) -> Option<Vec<u8>>;
}

/// Why a launch is not recorded.
#[derive(Debug, thiserror::Error)]
enum Skipped {
    #[error("a graph is being captured")]
    Capture,
    #[error("its memory has {have} MB, and --most-memory allows {most}")]
    TooMuch { have: u64, most: u64 },
    #[error("there is not enough memory for a copy of {0} MB")]
    NoRoom(u64),
    #[error("its memory holds addresses, which cannot be restored")]
    Addresses,
    #[error("a parameter is an address of the host's memory")]
    OfHost,
    #[error("a parameter points to a variable of a module")]
    Variable,
    #[error("a parameter may be a texture or a surface")]
    Texture,
    #[error("a parameter may hold a tensor map")]
    TensorMap,
    #[error("it needs {0}")]
    Needs(&'static str),
    #[error("the sizes of its parameters are not known: the driver is older than 12.4, and there is no cubin that can be read")]
    Parameters,
    #[error("it gives fewer parameters than the kernel has")]
    TooFew,
    #[error("its name has a character that a launch file cannot hold")]
    Name,
    #[error("the driver does not copy its memory: {0}")]
    Driver(String),
    #[error("cannot write it: {0}")]
    Write(std::io::Error),
}

/// What is known of a kernel.
#[derive(Default)]
pub struct Facts {
    count: AtomicU64,
    /// Whether no further launch is recorded.
    is_done: AtomicBool,
    parameters: OnceLock<Option<Vec<Parameter>>>,
    shapes: Mutex<Shapes>,
}

#[derive(Default)]
struct Shapes {
    recorded: BTreeSet<Shape>,
    /// How many launches could not be recorded.
    failed: usize,
}

/// Records launches.
pub struct Recorder {
    setup: setup::Record,
    pub span: Span,
    /// Where variables of modules are.
    variables: Mutex<BTreeMap<u64, u64>>,
    textures: Mutex<HashSet<u64>>,
    has_tensor_maps: AtomicBool,
    /// The streams whose work goes into a graph now. While there is one, to wait for the GPU is an
    /// error that also ends the capture.
    captures: Mutex<BTreeSet<Handle>>,
    /// By digest, the contents of the images that can be read.
    contents: Mutex<BTreeMap<String, Contents>>,
}

/// The parameters of a launch, and the memory that they point into.
struct Taken {
    values: Vec<(Vec<u8>, Vec<Place>)>,
    memory: Vec<Range>,
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

impl Recorder {
    pub fn new(setup: setup::Record) -> Recorder {
        Recorder {
            setup,
            span: Span::default(),
            variables: Mutex::default(),
            textures: Mutex::default(),
            has_tensor_maps: AtomicBool::new(false),
            captures: Mutex::default(),
            contents: Mutex::default(),
        }
    }

    /// Keeps an image.
    pub fn image(&self, log: &Log, digest: &str, kind: image::Kind, bytes: &[u8]) {
        let path = self.setup.folder.join(image_file(digest, kind));
        if let Err(why) = store(&path, bytes) {
            log.once(&Event::Said { what: format!("an image cannot be written: {why}") });
        }
        let contents = match kind {
            image::Kind::Cubin => Contents::of_cubin(bytes).ok(),
            image::Kind::FatBinary => Contents::of_fat_binary(bytes),
            image::Kind::Ptx => None,
        };
        locked(&self.contents).extend(contents.map(|contents| (digest.to_owned(), contents)));
        log.once(&Event::Image { digest: digest.to_owned(), kind, size: bytes.len() as u64 });
    }

    /// A variable of a module was looked up.
    pub fn variable(&self, range: Range) {
        self.span.add(range);
        locked(&self.variables).insert(range.start, range.size);
    }

    /// A texture or a surface was made.
    pub fn texture(&self, object: u64) {
        locked(&self.textures).insert(object);
    }

    /// A tensor map was made.
    pub fn tensor_map(&self) {
        self.has_tensor_maps.store(true, Ordering::Relaxed);
    }

    /// The capture of a stream is to begin. Waits until no launch is being recorded.
    pub fn capture_begins(&self, stream: Handle) {
        locked(&self.captures).insert(stream);
    }

    /// The capture of a stream has ended, or did not begin.
    pub fn capture_ends(&self, stream: Handle) {
        locked(&self.captures).remove(&stream);
    }

    /// A launch comes: records it if it is one of the first of its kernel.
    pub fn launch(
        &self,
        gpu: &impl Gpu,
        log: &Log,
        (handle, kernel): ((Handle, Kind), &Named<Facts>),
        asked: &Asked,
        values: &impl Values,
    ) {
        let facts = &kernel.facts;
        facts.count.fetch_add(1, Ordering::Relaxed);
        if facts.is_done.load(Ordering::Relaxed) {
            return;
        }
        let (image, name) = (kernel.image.to_string(), kernel.name.clone());
        let mut shapes = locked(&facts.shapes);
        if shapes.recorded.contains(&asked.shape) || facts.is_done.load(Ordering::Relaxed) {
            return;
        }
        let parameters = facts.parameters.get_or_init(|| {
            let found = gpu.parameters(handle).or_else(|| self.of_image(&image, &name));
            let known = found.clone().unwrap_or_default();
            log.once(&Event::Kernel { image: image.clone(), kernel: name.clone(), parameters: known });
            found
        });
        match self.text(gpu, &name, parameters.as_deref(), asked, values) {
            Ok(text) => {
                shapes.recorded.insert(asked.shape);
                log.write(&Event::Launch { image, kernel: name, text });
            }
            Err(why) => {
                // To find out that there is a capture takes no time, and the next launch may be
                // outside of one.
                shapes.failed += usize::from(!matches!(why, Skipped::Capture));
                log.once(&Event::Skipped { image, kernel: name, why: why.to_string() });
            }
        }
        let is_done = shapes.recorded.len() >= self.setup.most_shapes || shapes.failed >= TRIES;
        facts.is_done.store(is_done, Ordering::Relaxed);
    }

    /// The parameters that an image says its kernel has.
    fn of_image(&self, image: &str, kernel: &str) -> Option<Vec<Parameter>> {
        locked(&self.contents).get(image)?.kernels.get(kernel).cloned()
    }

    /// Copies the memory of a launch and describes it.
    fn text(
        &self,
        gpu: &impl Gpu,
        name: &str,
        parameters: Option<&[Parameter]>,
        asked: &Asked,
        values: &impl Values,
    ) -> Result<String, Skipped> {
        if !asked.needs.is_empty() {
            return Err(Skipped::Needs(asked.needs));
        }
        if !is_name(name) {
            return Err(Skipped::Name);
        }
        // Held to the end, so that no other thread begins a capture meanwhile.
        let captures = locked(&self.captures);
        if !captures.is_empty() || gpu.is_capturing(asked) {
            return Err(Skipped::Capture);
        }
        let Taken { values, memory } = self.take(gpu, parameters.ok_or(Skipped::Parameters)?, values)?;
        let all = memory.iter().fold(0_u64, |sum, range| sum.saturating_add(range.size));
        if all > self.setup.most_memory {
            let most = megabytes(self.setup.most_memory);
            return Err(Skipped::TooMuch { have: megabytes(all), most });
        }
        gpu.wait().map_err(Skipped::Driver)?;
        let memory = memory.into_iter().map(|range| self.copy(gpu, range));
        let memory = memory.collect::<Result<Vec<Memory>, Skipped>>()?;
        Ok(Launch { kernel: name.to_owned(), shape: asked.shape, memory, parameters: values }.text())
    }

    /// Reads the parameters, and finds the addresses among them.
    fn take(&self, gpu: &impl Gpu, parameters: &[Parameter], values: &impl Values) -> Result<Taken, Skipped> {
        let mut taken = Taken { values: Vec::new(), memory: Vec::new() };
        for (number, &parameter) in parameters.iter().enumerate() {
            let (offset, size) = parameter;
            let mut bytes = values.get(number, parameter).ok_or(Skipped::TooFew)?;
            if size >= 128 && self.has_tensor_maps.load(Ordering::Relaxed) {
                return Err(Skipped::TensorMap);
            }
            let mut places = Vec::new();
            // An address is aligned, counted from the first parameter.
            let first = (offset.next_multiple_of(8) - offset) as usize;
            for at in (first..bytes.len()).step_by(8) {
                let Some(own) = bytes.get(at..at + 8) else { break };
                let value = u64::from_le_bytes(own.try_into().unwrap_or_default());
                let range = match word(gpu, value) {
                    Word::In(range) => range,
                    Word::OfHost => return Err(Skipped::OfHost),
                    Word::Number if locked(&self.textures).contains(&value) => return Err(Skipped::Texture),
                    Word::Number => continue,
                };
                if self.has_variable(range) {
                    return Err(Skipped::Variable);
                }
                self.span.add(range);
                let known = taken.memory.iter().position(|own| *own == range);
                let memory = known.unwrap_or_else(|| {
                    taken.memory.push(range);
                    taken.memory.len() - 1
                });
                places.push(Place { at, memory, offset: value - range.start });
                // The address of this process says nothing.
                bytes[at..at + 8].fill(0);
            }
            taken.values.push((bytes, places));
        }
        Ok(taken)
    }

    fn has_variable(&self, range: Range) -> bool {
        let variables = locked(&self.variables);
        let end = range.start.saturating_add(range.size);
        let last = variables.range(..end).next_back();
        last.is_some_and(|(start, size)| start + size > range.start)
    }

    /// Copies an allocation into a file.
    fn copy(&self, gpu: &impl Gpu, range: Range) -> Result<Memory, Skipped> {
        let size = usize::try_from(range.size).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| Skipped::NoRoom(megabytes(range.size)))?;
        bytes.resize(size, 0);
        gpu.copy(range.start, &mut bytes).map_err(Skipped::Driver)?;
        if has_addresses(gpu, &self.span, &bytes) {
            return Err(Skipped::Addresses);
        }
        let repeats = bytes.len() > 1 && bytes.windows(2).all(|pair| pair[0] == pair[1]);
        let content = if repeats { &bytes[..1] } else { &bytes[..] };
        let file = format!("memory/{}", digest(content));
        store(&self.path(&file), content).map_err(Skipped::Write)?;
        Ok(Memory { size: range.size, file, repeats })
    }

    fn path(&self, file: &str) -> PathBuf {
        Path::new(&self.setup.folder).join(file)
    }

    /// Writes how often each kernel was launched.
    pub fn end(log: &Log, kernels: &[Arc<Named<Facts>>]) {
        for kernel in kernels {
            let launches = kernel.facts.count.load(Ordering::Relaxed);
            if launches > 0 {
                let (image, kernel) = (kernel.image.to_string(), kernel.name.clone());
                log.write(&Event::Count { image, kernel, launches });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A GPU with two allocations of 64 bytes. The second holds an address.
    struct Fake {
        captures: bool,
    }

    const FIRST: u64 = 0x1_0000;
    const SECOND: u64 = 0x2_0000;

    impl Knows for Fake {
        fn range(&self, address: u64) -> Option<Range> {
            let start = [FIRST, SECOND].into_iter().find(|start| (*start..start + 64).contains(&address))?;
            Some(Range { start, size: 64 })
        }

        fn is_of_host(&self, address: u64) -> bool {
            address == 0x3_0000
        }
    }

    impl Gpu for Fake {
        fn parameters(&self, _: (Handle, Kind)) -> Option<Vec<Parameter>> {
            Some(vec![(0, 8), (8, 4), (16, 24)])
        }

        fn is_capturing(&self, _: &Asked) -> bool {
            self.captures
        }

        fn wait(&self) -> Result<(), String> {
            Ok(())
        }

        fn copy(&self, from: u64, to: &mut [u8]) -> Result<(), String> {
            to.fill(7);
            if from == SECOND {
                to[8..16].copy_from_slice(&(FIRST + 8).to_le_bytes());
            }
            Ok(())
        }
    }

    struct Words([u64; 5]);

    impl Values for Words {
        fn get(&self, _: usize, (offset, size): Parameter) -> Option<Vec<u8>> {
            let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.get(offset as usize..(offset + size) as usize).map(<[u8]>::to_vec)
        }
    }

    struct Bed {
        folder: tempfile::TempDir,
        log: Log,
        recorder: Recorder,
        kernel: Named<Facts>,
    }

    impl Bed {
        fn new(most_memory: u64) -> Bed {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("memory")).unwrap();
            let record = setup::Record { folder: folder.path().to_owned(), most_memory, most_shapes: 2 };
            let kernel = Named { image: "i".into(), name: "k".into(), facts: Facts::default() };
            Bed { log: Log::new(folder.path()), recorder: Recorder::new(record), folder, kernel }
        }

        fn launch(&self, gpu: &Fake, grid: u32, words: [u64; 5]) {
            let shape = Shape { grid: [grid, 1, 1], block: [32, 1, 1], shared: 0 };
            let asked = Asked { shape, ..Asked::default() };
            self.recorder.launch(gpu, &self.log, ((1, Kind::Kernel), &self.kernel), &asked, &Words(words));
        }

        fn events(&self) -> Vec<Event> {
            let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
            let files = files.filter(|path| path.is_file());
            files.flat_map(|path| Event::read(&fs::read_to_string(path).unwrap())).collect()
        }

        fn why(&self) -> String {
            match self.events().pop().unwrap() {
                Event::Skipped { why, .. } => why,
                other => panic!("{other:?}"),
            }
        }
    }

    const FREE: Fake = Fake { captures: false };

    #[test]
    fn the_first_launch_of_each_shape_is_recorded() {
        let bed = Bed::new(64);
        for grid in [1, 1, 2, 3, 4] {
            bed.launch(&FREE, grid, [FIRST + 4, 9, 5, FIRST + 64, 6]);
        }
        let texts = bed.events().into_iter().filter_map(|event| match event {
            Event::Launch { text, .. } => Some(text),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        assert_eq!(texts.len(), 2, "of four shapes");
        let file = format!("memory/{}", digest(&[7]));
        assert_eq!(fs::read(bed.folder.path().join(&file)).unwrap(), [7]);
        let wanted = format!(
            "kernel k\ngrid 2 1 1\nblock 32 1 1\nmemory 64 repeat={file}\nbytes 0000000000000000 0=1+4\nbytes 09000000\nbytes {} 8=1+64\n",
            "0500000000000000" .to_owned() + "0000000000000000" + "0600000000000000"
        );
        assert_eq!(texts[1], wanted);
        Recorder::end(&bed.log, &[Arc::new(bed.kernel)]);
        let log = fs::read_dir(bed.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let text = fs::read_to_string(log.into_iter().find(|path| path.is_file()).unwrap()).unwrap();
        assert!(text.ends_with("\"launches\":5}}\n"), "{text}");
    }

    #[test]
    fn what_cannot_be_restored_is_said() {
        let numbers = [0, 1, 2, 3, 4];
        let mut first = numbers;
        first[0] = FIRST;
        let bed = Bed::new(63);
        bed.launch(&FREE, 1, first);
        assert_eq!(bed.why(), "its memory has 1 MB, and --most-memory allows 1");
        let bed = Bed::new(64);
        bed.launch(&Fake { captures: true }, 1, first);
        assert_eq!(bed.why(), "a graph is being captured");
        bed.recorder.capture_begins(5);
        bed.launch(&FREE, 1, first);
        assert!(!bed.events().iter().any(|event| matches!(event, Event::Launch { .. })), "another stream is");
        bed.recorder.capture_ends(5);
        bed.launch(&FREE, 1, first);
        assert!(matches!(bed.events().pop(), Some(Event::Launch { .. })), "the next one is not");
        let bed = Bed::new(1 << 20);
        bed.launch(&FREE, 1, [FIRST, 0, SECOND, 0, 0]);
        assert_eq!(bed.why(), "its memory holds addresses, which cannot be restored");
        bed.launch(&FREE, 1, [0x3_0000, 0, 0, 0, 0]);
        assert_eq!(bed.why(), "a parameter is an address of the host's memory");
        bed.recorder.texture(3);
        bed.launch(&FREE, 1, numbers);
        assert_eq!(bed.why(), "a parameter may be a texture or a surface");
        bed.recorder.variable(Range { start: FIRST + 32, size: 4 });
        bed.launch(&FREE, 1, first);
        assert_eq!(bed.why(), "a parameter points to a variable of a module");
    }
}
