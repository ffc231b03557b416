//! Cuts PTX into statements, blocks, labels and comments.
//!
//! Removes comments and strings, and cuts the text at `;`, at braces and after labels. Three
//! difficulties:
//!
//! * A brace opens a block (function body, call sequence, inline-assembly scope, data section) or
//!   belongs to the statement (a vector operand, an initialiser, `mov.b64 {%r1, %r2}, %rd1`). It
//!   opens a block exactly if nothing of a statement stands before it except the head of a function
//!   or section.
//! * `.loc`, `.file`, `.version` and a few more end at the line's end, not at `;`.
//! * `:` ends a label, but `::` is part of names like `.shared::cluster`.
//!
//! Inline assembly is not a special case: between its comment markers stands ordinary PTX, possibly
//! several instructions on a line or one over several lines.

use std::iter::Peekable;
use std::str::CharIndices;

/// A piece of PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A statement without its semicolon. White space is squeezed; a string is one quotation mark.
    /// The head of a block is a statement too.
    Statement(String),
    /// A brace that begins a block.
    Open,
    Close,
    Label(String),
    /// The text after `//`.
    Comment(&'a str),
}

/// Directives that end with their line.
const LINE_DIRECTIVES: [&str; 6] = [".loc", ".file", ".version", ".target", ".address_size", "@@DWARF"];

/// Passes every item to `take`, with the number of the line on which it begins.
pub fn scan<'a>(ptx: &'a str, take: impl FnMut(usize, Item<'a>)) {
    let chars = ptx.char_indices().peekable();
    let mut scanner =
        Scanner { ptx, chars, take, line: 1, start: 1, statement: String::new(), inner_braces: 0 };
    scanner.read();
}

struct Scanner<'a, F> {
    ptx: &'a str,
    /// The text that is still to be read.
    chars: Peekable<CharIndices<'a>>,
    take: F,
    line: usize,
    /// The line on which the statement began.
    start: usize,
    /// The statement that is being read.
    statement: String,
    /// Open braces of the statement itself.
    inner_braces: usize,
}

impl<'a, F: FnMut(usize, Item<'a>)> Scanner<'a, F> {
    fn read(&mut self) {
        while let Some((at, c)) = self.chars.next() {
            let next = self.chars.peek().map(|&(_, c)| c);
            match c {
                '/' if next == Some('/') => self.line_comment(at),
                '/' if next == Some('*') => self.block_comment(),
                '"' => self.string(),
                '{' | '}' => self.brace(c),
                ';' if self.inner_braces == 0 => self.end_statement(),
                ':' if next == Some(':') => {
                    self.chars.next();
                    self.statement.push_str("::");
                }
                ':' if is_label(&self.statement) => {
                    let name = std::mem::take(&mut self.statement);
                    (self.take)(self.start, Item::Label(name.trim_end().to_owned()));
                }
                '\n' => self.end_line(),
                c if c.is_whitespace() => self.push(' '),
                c => self.push(c),
            }
        }
        self.end_statement();
    }

    /// Reads a comment to the end of the line; `at` is its first slash.
    fn line_comment(&mut self, at: usize) {
        while self.chars.next_if(|&(_, c)| c != '\n').is_some() {}
        let end = self.chars.peek().map_or(self.ptx.len(), |&(end, _)| end);
        (self.take)(self.line, Item::Comment(self.ptx[at + 2..end].trim()));
    }

    /// Reads to the end of a block comment; its slash was read.
    fn block_comment(&mut self) {
        self.chars.next();
        let mut last = ' ';
        for (_, c) in self.chars.by_ref() {
            self.line += usize::from(c == '\n');
            if last == '*' && c == '/' {
                break;
            }
            last = c;
        }
        self.push(' ');
    }

    /// Reads to the end of a string. Its content never matters, except that `;` and `{` in it do
    /// not count.
    fn string(&mut self) {
        while let Some((_, c)) = self.chars.next() {
            match c {
                '"' => break,
                '\\' => drop(self.chars.next()),
                _ => self.line += usize::from(c == '\n'),
            }
        }
        self.push('"');
    }

    /// Handles a brace: that of a block, or of the statement.
    fn brace(&mut self, c: char) {
        match c {
            '{' if self.opens_block() => {
                self.end_statement();
                (self.take)(self.line, Item::Open);
            }
            '{' => {
                self.inner_braces += 1;
                self.push(c);
            }
            _ if self.inner_braces > 0 => {
                self.inner_braces -= 1;
                self.push(c);
            }
            _ => {
                self.end_statement();
                (self.take)(self.line, Item::Close);
            }
        }
    }

    fn end_line(&mut self) {
        let first = self.statement.split(' ').next().unwrap_or("");
        if LINE_DIRECTIVES.contains(&first) {
            self.end_statement();
        } else {
            self.push(' ');
        }
        self.line += 1;
    }

    fn push(&mut self, c: char) {
        if self.statement.is_empty() {
            if c == ' ' {
                return;
            }
            self.start = self.line;
        }
        if c != ' ' || !self.statement.ends_with(' ') {
            self.statement.push(c);
        }
    }

    fn opens_block(&self) -> bool {
        let text = self.statement.trim_end();
        self.inner_braces == 0
            && (text.is_empty()
                || text.starts_with(".section")
                || text.split([' ', '(']).any(|word| word == ".entry" || word == ".func"))
    }

    fn end_statement(&mut self) {
        let mut statement = std::mem::take(&mut self.statement);
        self.inner_braces = 0;
        statement.truncate(statement.trim_end().len());
        if !statement.is_empty() {
            (self.take)(self.start, Item::Statement(statement));
        }
    }
}

/// Whether this is the name before a label's colon. (`.L2:` would be a modifier, and numbers are
/// operands.)
fn is_label(statement: &str) -> bool {
    let name = statement.trim_end();
    name.starts_with(|c: char| c.is_ascii_alphabetic() || "_$%".contains(c))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$%".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_their_lines() {
        let mut items = Vec::new();
        scan(
            ".func f()\n{\n$L: // %a; {\nmov.b64\n {%r1, %r2}, %rd1; /* \n */ ret;\n}\n.file 1 \"a;{\"\n",
            |line, item| {
                items.push((line, item));
            },
        );
        let statement = |text: &str| Item::Statement(text.to_owned());
        let expected = [
            (1, statement(".func f()")),
            (2, Item::Open),
            (3, Item::Label("$L".to_owned())),
            (3, Item::Comment("%a; {")),
            (4, statement("mov.b64 {%r1, %r2}, %rd1")),
            (6, statement("ret")),
            (7, Item::Close),
            (8, statement(".file 1 \"")),
        ];
        assert_eq!(items, expected);
    }
}
