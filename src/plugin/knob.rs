//! The declaration of an option: its name, its help, its parser, and its value.
//!
//! **Problem.** LLVM sets options by name, from text, and the passes of all threads read them. Help,
//! parser, default and reader of one option belong together.
//!
//! **Algorithm.** A [`Knob`] is a `static` with all of these. Its value is an atomic number, because
//! options are process-wide, as all of LLVM's are. They are written while the command line is parsed
//! and only read afterwards. [`Setting`] is what the list of all knobs sees of one.
//!
//! **Source.** LLVM's `cl::opt`. **Deviation:** the shim registers the real `cl::opt`, from the list.
//!
//! **Complexity.** Reading a knob is one atomic load.

use crate::process::arguments::{parse_flag, OptionError};
use crate::process::output_file::FileKnob;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The facts about a knob that `--help` shows, and whether it changes code.
pub struct Info {
    /// The name without the leading dash.
    pub name: &'static str,
    /// The name of the value; empty for a flag.
    pub value_name: &'static str,
    /// One line.
    pub help: &'static str,
    /// Whether only `--help-hidden` shows it.
    pub is_hidden: bool,
    /// Whether it changes the code of the default profile.
    pub changes_code: bool,
}

impl Info {
    const fn new(name: &'static str, value_name: &'static str, help: &'static str) -> Info {
        Info { name, value_name, help, is_hidden: false, changes_code: false }
    }
}

/// A value that fits in a number below [`u64::MAX`].
pub trait Value: Copy {
    /// Its number. The digest at the head of the PTX depends on it.
    fn number(self) -> u64;
    /// The value with this number.
    fn of_number(number: u64) -> Self;
}

/// The number of a knob that nothing has set.
const UNSET: u64 = u64::MAX;

/// A knob.
pub struct Knob<T> {
    info: Info,
    default: T,
    parse: fn(&str) -> Result<T, OptionError>,
    /// The value's number, or [`UNSET`].
    number: AtomicU64,
}

impl<T: Copy> Knob<T> {
    /// A knob that is not set. `parse` says what is wrong with a value, and what is allowed.
    pub const fn new(
        name: &'static str,
        value_name: &'static str,
        default: T,
        parse: fn(&str) -> Result<T, OptionError>,
        help: &'static str,
    ) -> Knob<T> {
        Knob { info: Info::new(name, value_name, help), default, parse, number: AtomicU64::new(UNSET) }
    }
    /// Shows it only in `--help-hidden`.
    pub const fn hidden(mut self) -> Knob<T> {
        self.info.is_hidden = true;
        self
    }
    /// Declares that it changes the code of the default profile.
    pub const fn changes_code(mut self) -> Knob<T> {
        self.info.changes_code = true;
        self
    }
}

impl Knob<bool> {
    /// A flag.
    pub const fn flag(name: &'static str, default: bool, help: &'static str) -> Knob<bool> {
        Knob::new(name, "", default, parse_flag, help)
    }
}

impl<T: Value> Knob<T> {
    /// Its value.
    pub fn get(&self) -> T {
        match self.number.load(Relaxed) {
            UNSET => self.default,
            number => T::of_number(number),
        }
    }
}

/// A knob that names a file, which is opened when the knob is set.
pub struct FileOption {
    info: Info,
    /// The file.
    pub file: FileKnob,
}

impl FileOption {
    /// A knob that is not set.
    pub const fn new(name: &'static str, help: &'static str) -> FileOption {
        FileOption { info: Info::new(name, "file", help), file: FileKnob::unset() }
    }
}

/// A knob of any type.
pub trait Setting: Sync {
    /// Returns the facts about it.
    fn info(&self) -> &Info;
    /// Sets it to a value.
    ///
    /// # Errors
    /// Says what is wrong with the value, and what is allowed.
    fn set(&self, value: &str) -> Result<(), OptionError>;
    /// The numbers of its value and of its default, if it changes code.
    fn code(&self) -> Option<(u64, u64)>;
}

impl<T: Value + Sync> Setting for Knob<T> {
    fn info(&self) -> &Info {
        &self.info
    }
    fn set(&self, value: &str) -> Result<(), OptionError> {
        self.number.store((self.parse)(value)?.number(), Relaxed);
        Ok(())
    }
    fn code(&self) -> Option<(u64, u64)> {
        self.info.changes_code.then(|| (self.get().number(), self.default.number()))
    }
}

impl Setting for FileOption {
    fn info(&self) -> &Info {
        &self.info
    }
    fn set(&self, value: &str) -> Result<(), OptionError> {
        self.file.open(value)
    }
    fn code(&self) -> Option<(u64, u64)> {
        None
    }
}

/// Something that is done when the knob is set. There is no value to keep.
impl Value for () {
    fn number(self) -> u64 {
        0
    }
    fn of_number(_: u64) {}
}

impl Value for bool {
    fn number(self) -> u64 {
        self.into()
    }
    fn of_number(number: u64) -> bool {
        number != 0
    }
}

impl Value for u8 {
    fn number(self) -> u64 {
        self.into()
    }
    fn of_number(number: u64) -> u8 {
        number as u8
    }
}

impl Value for u32 {
    fn number(self) -> u64 {
        self.into()
    }
    fn of_number(number: u64) -> u32 {
        number as u32
    }
}

impl Value for u64 {
    fn number(self) -> u64 {
        self
    }
    fn of_number(number: u64) -> u64 {
        number
    }
}
