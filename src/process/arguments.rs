//! Reads options from words, as on a command line.

use crate::versions::VERSIONS;

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
    set: impl Fn(usize, &str) -> Result<(), String>,
) -> Result<(), String> {
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
            return Err(format!("no option '{word}'; allowed: {}", allowed.join(", ")));
        };
        let value = match value {
            Some(value) => value,
            None if value_name.is_empty() => "",
            None => words.next().ok_or_else(|| format!("{word}: it needs a value: {word}=<{value_name}>"))?,
        };
        set(index, value).map_err(|why| format!("-{name}: {why}"))?;
    }
    Ok(())
}

/// Parses the value of the flag that asks for LLVM's new pass manager.
///
/// # Errors
/// Those of [`parse_flag`], and that this LLVM has no pipeline for the new pass manager.
pub fn parse_new_pm(value: &str) -> Result<bool, String> {
    let wanted = parse_flag(value)?;
    if wanted && !VERSIONS.has_new_pipeline {
        return Err(
            "this LLVM has no pipeline for the new pass manager that generates NVPTX code; LLVM 24 has one"
                .to_owned(),
        );
    }
    Ok(wanted)
}

/// Parses the value of a flag. The flag may have no value.
///
/// # Errors
/// Gives the value and the allowed ones.
pub fn parse_flag(value: &str) -> Result<bool, String> {
    match value {
        "" | "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        _ => Err(format!("invalid value '{value}'; allowed: true, false (or 1, 0, or no value)")),
    }
}
