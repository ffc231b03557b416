//! Number formatting and table style, the same in every report.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use comfy_table::{presets, Cell, CellAlignment, ContentArrangement, Table};
use cpp_demangle::{DemangleOptions, Symbol};

/// Reports fit in this many columns.
pub const WIDTH: u16 = 120;

/// A table in plain ASCII that is also valid Markdown, so that it can be pasted into an issue.
/// The first `left` columns are names, the others numbers.
pub fn table<S: ToString>(header: &[S], left: usize) -> Table {
    table_in(header, left, width())
}

/// The width that tables must fit in; `None` if a program or a file reads them, which wants one
/// line per row.
pub fn width() -> Option<u16> {
    std::io::stdout().is_terminal().then_some(WIDTH)
}

/// The same in a width: longer cells are wrapped.
pub fn table_in<S: ToString>(header: &[S], left: usize, width: Option<u16>) -> Table {
    let mut table = Table::new();
    match width {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table
        .load_preset(presets::ASCII_MARKDOWN)
        .set_header(header.iter().map(|title| Cell::new(title.to_string())));
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table of counts by name, largest first.
pub fn table_of_counts(header: &[&str; 2], counts: &BTreeMap<String, u64>) -> Table {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    let mut table = table(header, 1);
    for (name, count) in counts {
        table.add_row([name.clone(), thousands(*count)]);
    }
    table
}

/// 1234567 as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2 files`, `2 launches`, `2 processes`.
pub fn counted(number: usize, what: &str) -> String {
    let ending = match number {
        1 => "",
        _ if what.ends_with("ch") || what.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{number} {what}{ending}")
}

/// A name of at most `width` characters: the middle of a longer one is left out.
pub fn shortened(name: &str, width: usize) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= width {
        return name.to_owned();
    }
    let (front, back) = (width / 2, width - width / 2 - 2);
    let text = |part: &[char]| part.iter().collect::<String>();
    format!("{}..{}", text(&characters[..front]), text(&characters[characters.len() - back..]))
}

/// The name of a C++ function as in the source, without its parameters; any other name unchanged.
pub fn demangled(name: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let symbol = Some(name).filter(|name| name.starts_with("_Z")).and_then(|name| Symbol::new(name).ok());
    symbol.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

/// Bytes as MiB.
pub fn mebibytes(bytes: f64) -> String {
    format!("{:.1}", bytes / (1024.0 * 1024.0))
}

/// Prints notes to stderr. One that several files share, `FILE: WHAT`, is printed once, with the
/// number of further files.
pub fn print_notes<'a>(notes: impl IntoIterator<Item = &'a String>) {
    for note in joined(notes) {
        eprintln!("* {note}");
    }
}

/// The notes; one that several files share appears once.
pub fn joined<'a>(notes: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut alike: Vec<(&str, &str, usize)> = Vec::new();
    for note in notes {
        let (file, what) = note.split_once(": ").unwrap_or(("", note));
        match alike.iter_mut().find(|(_, other, _)| *other == what) {
            Some((_, _, more)) => *more += 1,
            None => alike.push((file, what, 0)),
        }
    }
    let line = |(file, what, more): (&str, &str, usize)| match (file, more) {
        ("", _) => what.to_owned(),
        (_, 0) => format!("{file}: {what}"),
        _ => format!("{file} and {more} more: {what}"),
    };
    alike.into_iter().map(line).collect()
}

/// `a > b`, or one number if both are equal.
pub fn change<T: PartialEq + ToString>(old: T, new: T) -> String {
    if old == new {
        new.to_string()
    } else {
        format!("{} > {}", old.to_string(), new.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!((counted(1, "file"), counted(0, "file")), ("1 file".into(), "0 files".into()));
        assert_eq!(
            (shortened("abcdefghij", 10), shortened("abcdefghijk", 8)),
            ("abcdefghij".into(), "abcd..jk".into())
        );
    }

    #[test]
    fn names_of_the_source() {
        assert_eq!(demangled("_Z19chamfer_dist_kernelIfEviiPKT_iS2_PS0_Pi"), "chamfer_dist_kernel<float>");
        assert_eq!(demangled("_ZN2rf12_GLOBAL__N_15scaleEPKi"), "rf::(anonymous namespace)::scale");
        assert_eq!((demangled("saxpy"), demangled("_Znonsense")), ("saxpy".into(), "_Znonsense".into()));
    }

    #[test]
    fn a_note_that_is_said_of_several_files_is_one() {
        let notes = ["a.ll: small: odd", "b.ll: large", "c.ll: small: odd", "nothing"].map(str::to_owned);
        assert_eq!(joined(&notes), ["a.ll and 1 more: small: odd", "b.ll: large", "nothing"]);
    }
}
