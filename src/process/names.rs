//! Checks the names of a plugin, its passes and its options before LLVM sees them.
//!
//! **Problem.** LLVM accepts any name, but no option can ask for a pass whose name has a comma or a
//! blank. **Algorithm.** Each character is checked. **Source.** None. **Complexity.** Linear.

use std::fmt;

/// The kinds of things that have names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A plugin. Its name in capitals is also that of an environment variable.
    Plugin,
    /// A pass.
    Pass,
    /// An option.
    Option,
}

impl Named {
    /// Checks a name.
    ///
    /// # Errors
    /// Gives the name, and what is allowed.
    pub fn check(self, name: &str) -> Result<(), BadName> {
        let is_valid = |c: char| match c {
            'a'..='z' | '0'..='9' | '-' => true,
            'A'..='Z' | '_' => self != Named::Plugin,
            _ => false,
        };
        if name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_valid) {
            return Ok(());
        }
        Err(BadName::Characters(self, name.to_owned()))
    }
}

/// An error in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadName {
    /// It has other characters than names of this kind.
    Characters(Named, String),
    /// Two options have it.
    Twice(String),
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (named, name) = match self {
            BadName::Characters(named, name) => (named, name),
            BadName::Twice(name) => return write!(f, "two options are called -{name}"),
        };
        let (what, letters) = match named {
            Named::Plugin => ("a plugin", "lower-case letters, digits and '-'"),
            Named::Pass => ("a pass", "letters, digits, '-' and '_'"),
            Named::Option => ("an option", "letters, digits, '-' and '_'"),
        };
        write!(f, "{name:?} is not a name of {what}: that has {letters}, and begins with a letter or a digit")
    }
}

impl std::error::Error for BadName {}

/// Finds a name that occurs twice in a list.
pub fn twice(mut names: Vec<&str>) -> Option<&str> {
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_plugin_is_lower_case() {
        for name in ["a", "tidy-copies", "3-passes"] {
            assert_eq!(Named::Plugin.check(name), Ok(()), "{name}");
        }
        for name in ["", "-a", "tidy copies", "Tidy", "tidy_copies", "t\0", "größe", "a,b"] {
            let why = Named::Plugin.check(name).expect_err(name).to_string();
            assert!(why.starts_with(&format!("{name:?} is not a name of a plugin: ")), "{why}");
        }
    }

    #[test]
    fn names_of_passes_and_options_have_letters_digits_dashes_and_underscores() {
        for named in [Named::Pass, Named::Option] {
            for name in ["forward-copies", "x86-avoid-SFB", "my_pass", "0"] {
                assert_eq!(named.check(name), Ok(()), "{name}");
            }
            for name in ["", "-limit", "_", "Forward Copies!", "a,b", "a=b", "a\nb"] {
                let why = named.check(name).expect_err(name).to_string();
                assert!(!why.contains('\n'), "{why}");
            }
        }
    }

    #[test]
    fn a_name_that_is_there_twice_is_found() {
        assert_eq!(twice(vec!["b", "a", "c"]), None);
        assert_eq!(twice(vec!["b", "a", "c", "a"]), Some("a"));
    }
}
