//! Tables for people and for programs: terminal, Markdown, CSV, JSON.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::output;
use crate::text;

/// Where a table goes besides the terminal; `-` is standard output, which then holds nothing else.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct OutputArgs {
    /// Write the numbers as JSON to this file ('-': standard output, and nothing else there)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the table as Markdown to this file
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

/// A table. Its first `left` columns are names, the others numbers.
#[derive(Clone, Debug)]
pub struct Sheet {
    header: Vec<String>,
    left: usize,
    rows: Vec<Vec<String>>,
}

/// Longer names are cut in the terminal.
const NAME_WIDTH: usize = 40;

impl Sheet {
    pub fn new<S: ToString>(header: &[S], left: usize) -> Self {
        Sheet { header: header.iter().map(ToString::to_string).collect(), left, rows: Vec::new() }
    }

    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table for people. Names are cut, kernels have their names in the source, and files are
    /// without their common folder.
    pub fn terminal(&self) -> String {
        self.text(text::width())
    }

    /// The same in a width.
    pub fn text(&self, width: Option<u16>) -> String {
        let mut table = text::table_in(&self.header, self.left, width);
        let file = self.header.iter().position(|name| name == "file");
        let folder = file.map_or(0, |file| common_folder(self.rows.iter().map(|row| row[file].as_str())));
        for row in &self.rows {
            let cut = |(column, cell): (usize, &String)| match column < self.left {
                true if Some(column) == file => text::shortened(&cell[folder..], NAME_WIDTH),
                true if self.header[column] == "kernel" => {
                    text::shortened(&text::demangled(cell), NAME_WIDTH)
                }
                true => text::shortened(cell, NAME_WIDTH),
                false => cell.clone(),
            };
            table.add_row(row.iter().enumerate().map(cut).collect::<Vec<_>>());
        }
        table.to_string()
    }

    /// A table of GitHub's.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = |column: usize| if column < self.left { "---".to_owned() } else { "---:".to_owned() };
        let rules: Vec<String> = (0..self.header.len()).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{}{rows}", line(&self.header), line(&rules))
    }

    /// As in RFC 4180, except for the line ends.
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains(['"', ',', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |row: &Vec<String>| format!("{}\n", row.iter().map(quoted).collect::<Vec<_>>().join(","));
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }
}

/// The length of the folder that all paths begin with, its slash included.
fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> usize {
    let Some(first) = paths.next() else { return 0 };
    let mut folder = first.rfind('/').map_or(0, |slash| slash + 1);
    for path in paths {
        while !path.starts_with(&first[..folder]) {
            folder = first[..folder - 1].rfind('/').map_or(0, |slash| slash + 1);
        }
    }
    folder
}

impl OutputArgs {
    /// Whether standard output is for a program.
    pub fn takes_stdout(&self) -> bool {
        [&self.json, &self.csv, &self.markdown].iter().any(|path| path.as_deref() == Some(Path::new("-")))
    }

    /// Finds out, before the work, whether the files that are asked for can be written.
    pub fn check(&self) -> Result<()> {
        let files = [&self.json, &self.csv, &self.markdown].into_iter().flatten();
        files.filter(|path| *path != Path::new("-")).try_for_each(|path| output::check(path))
    }

    /// Writes the files that are asked for.
    pub fn write(&self, sheet: &Sheet, numbers: &impl Serialize) -> Result<()> {
        if let Some(path) = &self.json {
            put(path, &output::json(numbers)?)?;
        }
        if let Some(path) = &self.csv {
            put(path, &sheet.csv())?;
        }
        if let Some(path) = &self.markdown {
            put(path, &sheet.markdown())?;
        }
        Ok(())
    }
}

fn put(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        print!("{text}");
        return Ok(());
    }
    output::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(&["kernel", "SASS"], 1);
        sheet.add(vec!["a|\"b\", c".to_owned(), "12".to_owned()]);
        sheet
    }

    #[test]
    fn formats() {
        assert_eq!(sheet().csv(), "kernel,SASS\n\"a|\"\"b\"\", c\",12\n");
        assert_eq!(sheet().markdown(), "| kernel | SASS |\n| --- | ---: |\n| a\\|\"b\", c | 12 |\n");
        assert!(sheet().terminal().contains("12"));
    }

    #[test]
    fn files_lack_the_common_folder_in_the_terminal_alone() {
        let mut sheet = Sheet::new(&["file", "SASS"], 1);
        for file in ["a/b/c.ll", "a/bc/d.ll"] {
            sheet.add(vec![file.to_owned(), "12".to_owned()]);
        }
        let table = sheet.terminal();
        assert!(table.contains("| b/c.ll ") && table.contains("| bc/d.ll "), "{table}");
        assert!(sheet.csv().contains("a/b/c.ll"));
        let length = |paths: &[&str]| common_folder(paths.iter().copied());
        assert_eq!(
            [length(&["a.ll", "b/a.ll"]), length(&["/x/a.ll"]), length(&["/x.ll", "/y.ll"])],
            [0, 3, 1]
        );
        assert_eq!([length(&[]), length(&["x/y", "z"])], [0, 0]);
    }

    #[test]
    fn cells_are_wrapped_on_a_terminal_alone() {
        let mut sheet = Sheet::new(&["kernel", "why"], 0);
        sheet.add(vec!["k".repeat(90), "w ".repeat(60)]);
        let lines = |width| sheet.text(width).lines().count();
        assert_eq!(lines(None), 3);
        assert!(lines(Some(text::WIDTH)) > 3);
    }

    #[test]
    fn kernels_are_named_as_in_the_source_except_for_programs() {
        let mut sheet = Sheet::new(&["kernel", "SASS"], 1);
        sheet.add(vec!["_ZN2rf5scaleIfEEvPKT_".to_owned(), "12".to_owned()]);
        assert!(sheet.terminal().contains("| rf::scale<float> |"), "{}", sheet.terminal());
        assert!(
            sheet.csv().contains("_ZN2rf5scaleIfEEvPKT_")
                && sheet.markdown().contains("_ZN2rf5scaleIfEEvPKT_")
        );
    }

    #[test]
    fn long_names_are_cut_in_the_terminal_alone() {
        let mut sheet = Sheet::new(&["kernel", "SASS"], 1);
        let name = format!("_Z{}Pf", "x".repeat(200));
        sheet.add(vec![name.clone(), "12".to_owned()]);
        assert!(sheet.csv().contains(&name) && !sheet.terminal().contains(&name));
    }
}
