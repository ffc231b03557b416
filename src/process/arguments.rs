//! Reads options from words, as on a command line.

use crate::versions::VERSIONS;
use std::borrow::Cow;
use std::fmt;

/// An error in an option or its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The value is not allowed.
    NotAllowed {
        /// The words before the value: "invalid value", "no option".
        what: &'static str,
        /// The value, as written.
        value: String,
        /// The allowed values.
        allowed: Cow<'static, str>,
    },
    /// Something else, in words.
    Other(Cow<'static, str>),
    /// The error of the option of this name.
    Of(String, Box<OptionError>),
}

impl OptionError {
    /// An error that lists what is allowed.
    pub fn not_allowed(
        what: &'static str,
        value: &str,
        allowed: impl Into<Cow<'static, str>>,
    ) -> OptionError {
        OptionError::NotAllowed { what, value: value.to_owned(), allowed: allowed.into() }
    }
    /// The same about the value of an option.
    pub fn invalid(value: &str, allowed: impl Into<Cow<'static, str>>) -> OptionError {
        OptionError::not_allowed("invalid value", value, allowed)
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::NotAllowed { what, value, allowed } => {
                write!(f, "{what} '{value}'; allowed: {allowed}")
            }
            OptionError::Other(words) => f.write_str(words),
            OptionError::Of(name, why) => write!(f, "-{name}: {why}"),
        }
    }
}

impl std::error::Error for OptionError {}

impl From<&'static str> for OptionError {
    fn from(words: &'static str) -> OptionError {
        OptionError::Other(words.into())
    }
}

impl From<String> for OptionError {
    fn from(words: String) -> OptionError {
        OptionError::Other(words.into())
    }
}

/// Sets the options named in `arguments`, words separated by blanks: `-name`, `-name=value`, or
/// `-name value` if the option needs a value. Two dashes work like one. Each item of `options` has
/// the option's name, the name of its value (empty for a flag), and whether it is hidden. `set`
/// gets a position in that list.
///
/// # Errors
/// Names the option, and says what is wrong with it or what is allowed.
pub fn set_options<'a>(
    arguments: &str,
    options: impl Iterator<Item = (&'a str, &'a str, bool)> + Clone,
    set: impl Fn(usize, &str) -> Result<(), OptionError>,
) -> Result<(), OptionError> {
    let mut words = arguments.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let option = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        let (name, value) = match option.unwrap_or_default().split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option.unwrap_or_default(), None),
        };
        let known = options.clone().enumerate().find(|(_, (known, ..))| *known == name);
        let Some((index, (_, value_name, _))) = known else {
            let shown = options.filter(|(.., is_hidden)| !is_hidden);
            let allowed: Vec<_> = shown.map(|(name, ..)| format!("-{name}")).collect();
            return Err(OptionError::not_allowed("no option", word, allowed.join(", ")));
        };
        let value = match value {
            Some(value) => value,
            None if value_name.is_empty() => "",
            None => words.next().ok_or_else(|| format!("{word}: it needs a value: {word}=<{value_name}>"))?,
        };
        set(index, value).map_err(|why| OptionError::Of(name.to_owned(), Box::new(why)))?;
    }
    Ok(())
}

/// Parses the value of the flag that asks for LLVM's new pass manager.
///
/// # Errors
/// Those of [`parse_flag`], and that this LLVM has no pipeline for the new pass manager.
pub fn parse_new_pm(value: &str) -> Result<bool, OptionError> {
    let wanted = parse_flag(value)?;
    if wanted && !VERSIONS.has_new_pipeline {
        return Err(
            "this LLVM has no pipeline for the new pass manager that generates NVPTX code; LLVM 24 has one"
                .into(),
        );
    }
    Ok(wanted)
}

/// Parses the value of a flag. The flag may have no value.
///
/// # Errors
/// Gives the value and the allowed ones.
pub fn parse_flag(value: &str) -> Result<bool, OptionError> {
    match value {
        "" | "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        _ => Err(OptionError::invalid(value, "true, false (or 1, 0, or no value)")),
    }
}
