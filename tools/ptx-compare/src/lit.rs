//! llc's flags from the RUN lines of LLVM's own tests.
//!
//! A lit test has comments that say how to compile it:
//!
//! ```text
//! ; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_80 | FileCheck %s
//! ; RUN: %if ptxas %{ llc < %s -mtriple=nvptx64 -mcpu=sm_80 | %ptxas-verify %}
//! ; RUN: not llc < %s -mtriple=nvptx64 \
//! ; RUN:   -mcpu=sm_20 2>&1 | FileCheck %s --check-prefix=ERR
//! ```
//!
//! For parity only the flags matter: both sides get the file under its own name, and the output
//! always goes to stdout. So this is not a shell. It joins continued lines, drops `%if` parts (they
//! need ptxas), splits the rest into commands and pipelines with the usual quoting, and reads the
//! flags of every pipeline that *begins* with llc and takes `%s`. Anything that it does not
//! understand (llc fed by another command, `%t` files, other substitutions) is counted, never
//! guessed.

/// The requests in the RUN lines of one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RunLines {
    /// Distinct llc invocations, in order of appearance.
    pub invocations: Vec<Invocation>,
    /// llc invocations whose arguments need more than the test file itself.
    pub not_understood: usize,
    /// llc invocations that emit no text (`-filetype=obj`, `-filetype=null`).
    pub not_asm: usize,
    /// llc invocations that ask for LLVM's new pass manager, which the plugin refuses.
    pub new_pass_manager: usize,
}

/// One set of flags, without input, output and optimisation level.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    pub args: Vec<String>,
    /// Levels that the RUN lines name for these flags.
    pub levels: Vec<u8>,
}

/// Reads the RUN lines of a test; `None` if it has none.
pub fn parse(text: &str) -> Option<RunLines> {
    let commands = logical_lines(text);
    if commands.is_empty() {
        return None;
    }
    let mut lines = RunLines::default();
    for command in commands {
        for pipeline in pipelines(&without_conditionals(&command)) {
            lines.add_pipeline(&pipeline);
        }
    }
    Some(lines)
}

impl RunLines {
    fn add_pipeline(&mut self, pipeline: &[Stage]) {
        let mut stages = pipeline.iter().map(|stage| (llc_args(&stage.words), stage));
        if let Some((Some(args), stage)) = stages.next() {
            match flags(args, stage) {
                Flags::Asm(invocation) => self.add_invocation(invocation),
                Flags::NotAsm => self.not_asm += 1,
                Flags::NewPassManager => self.new_pass_manager += 1,
                Flags::NotUnderstood => self.not_understood += 1,
            }
        }
        // llc later in the pipe reads the output of another command.
        self.not_understood += stages.filter(|(args, _)| args.is_some()).count();
    }

    fn add_invocation(&mut self, new: Invocation) {
        match self.invocations.iter_mut().find(|known| known.args == new.args) {
            Some(known) => {
                for level in new.levels {
                    if !known.levels.contains(&level) {
                        known.levels.push(level);
                    }
                }
            }
            None => self.invocations.push(new),
        }
    }
}

/// The texts after `RUN:`, lines continued by `\` joined.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continued = false;
    for line in text.lines() {
        let Some((before, command)) = line.split_once("RUN:") else {
            continue;
        };
        if !before.chars().all(|c| c.is_whitespace() || ";#/*".contains(c)) {
            continue;
        }
        let command = command.trim();
        let (command, continues) = match command.strip_suffix('\\') {
            Some(rest) => (rest.trim_end(), true),
            None => (command, false),
        };
        match lines.last_mut() {
            Some(last) if continued => {
                last.push(' ');
                last.push_str(command);
            }
            _ => lines.push(command.to_owned()),
        }
        continued = continues;
    }
    lines
}

/// Removes `%if CONDITION %{ ... %}` and `%else %{ ... %}`, nested ones included.
fn without_conditionals(command: &str) -> String {
    let mut kept = String::new();
    let mut depth = 0_usize;
    let mut rest = command;
    while let Some(at) = rest.find('%') {
        let (text, tail) = rest.split_at(at);
        if depth == 0 {
            kept.push_str(text);
        }
        if let Some(inside) = tail.strip_prefix("%{") {
            depth += 1;
            rest = inside;
        } else if let Some(outside) = tail.strip_prefix("%}") {
            depth = depth.saturating_sub(1);
            rest = outside;
        } else if let Some(open) =
            tail.find("%{").filter(|_| tail.starts_with("%if ") || tail.starts_with("%else "))
        {
            // The condition is dropped with the part that it guards.
            rest = &tail[open..];
        } else {
            if depth == 0 {
                kept.push('%');
            }
            rest = &tail[1..];
        }
    }
    if depth == 0 {
        kept.push_str(rest);
    }
    kept
}

/// One command of a pipeline.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stage {
    words: Vec<String>,
    /// Target of `<`.
    stdin: Option<String>,
}

/// The role of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Argument,
    Stdin,
    Discarded,
}

/// Splits shell text into pipelines (`;`, `&&`, `||`) of stages (`|`), with quotes and
/// redirections.
fn pipelines(command: &str) -> Vec<Vec<Stage>> {
    let mut all = vec![vec![Stage::default()]];
    let mut word: Option<String> = None;
    let mut target = Target::Argument;
    let mut chars = command.chars().peekable();

    fn finish(all: &mut [Vec<Stage>], word: &mut Option<String>, target: &mut Target) {
        let Some(word) = word.take() else { return };
        let stage = all.last_mut().and_then(|pipeline| pipeline.last_mut());
        if let Some(stage) = stage {
            match *target {
                Target::Argument => stage.words.push(word),
                Target::Stdin => stage.stdin = Some(word),
                Target::Discarded => {}
            }
        }
        *target = Target::Argument;
    }

    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let text = word.get_or_insert_default();
                text.extend(chars.by_ref().take_while(|&c| c != '\''));
            }
            '"' => {
                let text = word.get_or_insert_default();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => text.extend(chars.next()),
                        _ => text.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '|' | ';' | '&' => {
                // `&>file` redirects, the other forms end a stage or a pipeline.
                if c == '&' && chars.peek() == Some(&'>') {
                    continue;
                }
                let doubled = chars.next_if_eq(&c).is_some();
                finish(&mut all, &mut word, &mut target);
                if c == '|' && !doubled {
                    if let Some(pipeline) = all.last_mut() {
                        pipeline.push(Stage::default());
                    }
                } else {
                    all.push(vec![Stage::default()]);
                }
            }
            '<' | '>' => {
                // `2>`: the digits are a file descriptor, not an argument.
                if word.as_deref().is_some_and(|w| w.chars().all(|c| c.is_ascii_digit())) {
                    word = None;
                }
                finish(&mut all, &mut word, &mut target);
                chars.next_if_eq(&c);
                chars.next_if_eq(&'&');
                target = if c == '<' { Target::Stdin } else { Target::Discarded };
            }
            c if c.is_whitespace() => finish(&mut all, &mut word, &mut target),
            c => word.get_or_insert_default().push(c),
        }
    }
    finish(&mut all, &mut word, &mut target);
    all.retain(|pipeline| pipeline.iter().any(|stage| !stage.words.is_empty()));
    all
}

/// The words after `llc`, if this is an llc command (`not` and `not --crash` before it are fine:
/// llc then fails on both sides).
fn llc_args(words: &[String]) -> Option<&[String]> {
    let mut words = words;
    if words.first().is_some_and(|w| w == "not") {
        words = &words[1..];
        if words.first().is_some_and(|w| w == "--crash") {
            words = &words[1..];
        }
    }
    match words.split_first() {
        Some((name, args)) if name == "llc" => Some(args),
        _ => None,
    }
}

enum Flags {
    Asm(Invocation),
    NotAsm,
    NewPassManager,
    NotUnderstood,
}

/// Takes input, output and optimisation level out of llc's arguments.
fn flags(args: &[String], stage: &Stage) -> Flags {
    let mut invocation = Invocation::default();
    let mut reads_test = stage.stdin.as_deref() == Some("%s");
    if stage.stdin.is_some() && !reads_test {
        return Flags::NotUnderstood;
    }
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        // LLVM takes one dash or two.
        let option = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).unwrap_or("");
        let (name, mut value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        match name {
            "o" => {
                if value.is_none() {
                    args.next();
                }
            }
            "filetype" => {
                value = value.or_else(|| args.next().map(String::as_str));
                if value != Some("asm") {
                    return Flags::NotAsm;
                }
            }
            "passes" => return Flags::NewPassManager,
            "enable-new-pm" if value != Some("false") => return Flags::NewPassManager,
            "O" => {
                value = value.or_else(|| args.next().map(String::as_str));
                match value.and_then(|v| v.parse().ok()) {
                    Some(level) => invocation.levels.push(level),
                    None => return Flags::NotUnderstood,
                }
            }
            _ if name.len() == 2 && name.starts_with('O') && value.is_none() => match name[1..].parse() {
                Ok(level) => invocation.levels.push(level),
                Err(_) => return Flags::NotUnderstood,
            },
            _ if arg == "%s" => reads_test = true,
            _ if arg == "-" => {}
            _ if arg.contains('%') => return Flags::NotUnderstood,
            _ => invocation.args.push(arg.clone()),
        }
    }
    if reads_test {
        Flags::Asm(invocation)
    } else {
        Flags::NotUnderstood
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation(args: &str, levels: &[u8]) -> Invocation {
        Invocation { args: args.split_whitespace().map(str::to_owned).collect(), levels: levels.to_vec() }
    }

    fn parsed(text: &str) -> RunLines {
        parse(text).expect("has RUN lines")
    }

    #[test]
    fn no_run_line() {
        assert_eq!(parse("; just a comment\ndefine void @f() { ret void }\n"), None);
        assert_eq!(parse("; The word XRUN: is not a RUN line\n"), None);
    }

    #[test]
    fn stdin_and_pipe() {
        let lines =
            parsed("; RUN: llc < %s -mtriple=nvptx64 -mattr=+ptx80| FileCheck --check-prefixes=A %s\n");
        assert_eq!(lines.invocations, [invocation("-mtriple=nvptx64 -mattr=+ptx80", &[])]);
        assert_eq!((lines.not_understood, lines.not_asm), (0, 0));
    }

    #[test]
    fn continuation_levels_and_duplicates() {
        let lines = parsed(
            "; RUN: llc < %s -O0 -mcpu=sm_52 \\\n; RUN:   -asm-verbose=false | FileCheck %s\n\
             # RUN: llc -O=2 -o - %s -mcpu=sm_52 -asm-verbose=false 2>&1 | FileCheck %s\n\
             // RUN: llc %s -mcpu=sm_60 -o %t\n",
        );
        assert_eq!(
            lines.invocations,
            [invocation("-mcpu=sm_52 -asm-verbose=false", &[0, 2]), invocation("-mcpu=sm_60", &[])]
        );
    }

    #[test]
    fn conditional_parts_are_dropped() {
        let lines = parsed(
            "; RUN: %if ptxas && !ptxas-12.0 %{ llc < %s -march=nvptx | %ptxas-verify %}\n\
             ; RUN: llc < %s %if asserts %{ -debug-only=isel %} -march=nvptx64 | FileCheck %s\n\
             ; RUN: %if a %{ llc %s -x %} %else %{ llc %s -y %}\n",
        );
        assert_eq!(lines.invocations, [invocation("-march=nvptx64", &[])]);
        assert_eq!(lines.not_understood, 0);
    }

    #[test]
    fn the_new_pass_manager_is_left_out() {
        let lines = parsed(
            "; RUN: llc %s -passes=finalize-isel -o -\n; RUN: llc --enable-new-pm %s -o -\n; RUN: llc -enable-new-pm=false %s\n",
        );
        assert_eq!(lines.invocations, [invocation("-enable-new-pm=false", &[])]);
        assert_eq!((lines.new_pass_manager, lines.not_understood), (2, 0));
    }

    #[test]
    fn failing_llc_counts() {
        let lines = parsed(
            "; RUN: not --crash llc < %s -march=nvptx64 2>&1 | FileCheck %s\n; RUN: not llc %s -o /dev/null 2>&1\n",
        );
        assert_eq!(lines.invocations, [invocation("-march=nvptx64", &[]), invocation("", &[])]);
    }

    #[test]
    fn other_files_and_pipes_are_not_understood() {
        let lines = parsed(
            "; RUN: opt -S < %s | llc -march=nvptx64 | FileCheck %s\n\
             ; RUN: llc < %t.ll -march=nvptx64 | FileCheck %s\n\
             ; RUN: llc %s -opt-bisect-limit=%(line-1) -o -\n\
             ; RUN: cat %s > %t.ftz\n\
             ; RUN: llc -march=nvptx64 -stop-before=x < %s 2>&1 | llc -x mir -start-before=x\n",
        );
        assert_eq!(lines.not_understood, 4);
        assert_eq!(lines.invocations, [invocation("-march=nvptx64 -stop-before=x", &[])]);
    }

    #[test]
    fn object_files_are_not_text() {
        let lines = parsed(
            "; RUN: llc %s -filetype=null -o -\n; RUN: llc --filetype=asm %s -o - && llc -filetype obj %s\n",
        );
        assert_eq!(lines.not_asm, 2);
        assert_eq!(lines.invocations, [invocation("", &[])]);
    }

    #[test]
    fn quotes_and_separate_values() {
        let lines = parsed(
            "; RUN: llc -mtriple nvptx64 -stop-after machine-cp %s -run-pass=\"a<b>,c\" --debug-only='aa' > %t 2>%t.err\n",
        );
        assert_eq!(
            lines.invocations,
            [invocation("-mtriple nvptx64 -stop-after machine-cp -run-pass=a<b>,c --debug-only=aa", &[])]
        );
    }
}
