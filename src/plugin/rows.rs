//! The requirements whose code can be left out, one by one, to see what each does.
//!
//! `-ptx-without=E11,C7` compiles as if these rows of docs/requirements.md had not been built. It
//! is for measurements (`ptx-compare bench ablation`) and for tests, not for users. Passes and
//! stages do not know about it. Their options have a switch for each row, and `options.rs` sets
//! those.

use crate::process::arguments::OptionError;

/// A requirement of the default profile, or a part of one, that has a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// The emitter's dead results are erased.
    E11,
    /// Glued nodes read the registers of the values themselves.
    E12,
    /// Results of inline assembly go directly to the wanted registers.
    E13,
    /// Parameters that nothing reads are erased.
    E14,
    /// Small functions are done without global dataflow.
    L6,
    /// NVPTX's own moves are candidates of the NVPTX coalescer.
    C3,
    /// The worklist of the NVPTX coalescer.
    C4,
    /// Candidates with lower registers come first.
    C4Order,
    /// Heavier candidates come first.
    C4Weights,
    /// Candidates in frequent blocks are heavier.
    C4Frequency,
    /// Candidates of a block come before those of the function.
    C4Blocks,
    /// Candidates that failed are tried again.
    C4Retry,
    /// Registers may overlap where they hold the same value.
    C5,
    /// Budgets of the NVPTX coalescer.
    C6,
    /// Copies of constants and redundant moves.
    C9,
    /// The coalescer knows which copies have the same value.
    T5,
    /// The coalescer knows which registers are components of one value.
    T7,
    /// Remarks on COPYs that an instruction forces.
    T9,
    /// Registers joined by PHIs share one.
    C8,
    /// Parts of a value share one register.
    C7,
    /// The register target of a function steers stages.
    L8Steer,
}

/// A feature, as the knob and the ablation name it.
pub struct Row {
    /// The feature.
    pub feature: Feature,
    /// The row of docs/requirements.md; after a dot, the part of it.
    pub name: &'static str,
    /// What is left out.
    pub effect: &'static str,
}

/// All features, in the order of the enum.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { feature: Feature::E11, name: "E11", effect: "dead results of the emitter" },
    Row { feature: Feature::E12, name: "E12", effect: "inline assembly reads the registers of its values" },
    Row { feature: Feature::E13, name: "E13", effect: "inline assembly writes the registers that are wanted" },
    Row { feature: Feature::E14, name: "E14", effect: "parameters that nothing reads" },
    Row { feature: Feature::L6, name: "L6", effect: "the local method for live ranges of small functions" },
    Row { feature: Feature::C3, name: "C3", effect: "moves of NVPTX's own are candidates of the NVPTX coalescer" },
    Row { feature: Feature::C4, name: "C4", effect: "the worklist of the NVPTX coalescer" },
    Row { feature: Feature::C4Order, name: "C4.order", effect: "candidates with lower registers come first" },
    Row { feature: Feature::C4Weights, name: "C4.weights", effect: "heavier candidates come first" },
    Row { feature: Feature::C4Frequency, name: "C4.frequency", effect: "candidates in frequent blocks are heavier" },
    Row { feature: Feature::C4Blocks, name: "C4.blocks", effect: "candidates of a block come before those of the function" },
    Row { feature: Feature::C4Retry, name: "C4.retry", effect: "candidates that have failed are tried again" },
    Row { feature: Feature::C5, name: "C5", effect: "registers overlap where they have the same value" },
    Row { feature: Feature::C6, name: "C6", effect: "budgets of the NVPTX coalescer" },
    Row { feature: Feature::C9, name: "C9", effect: "copies of constants and redundant moves" },
    Row { feature: Feature::T5, name: "T5", effect: "the coalescer knows copies of one value" },
    Row { feature: Feature::T7, name: "T7", effect: "the coalescer knows the components of one value" },
    Row { feature: Feature::T9, name: "T9", effect: "remarks on copies that an instruction forces" },
    Row { feature: Feature::C8, name: "C8", effect: "registers that PHIs join share one" },
    Row { feature: Feature::C7, name: "C7", effect: "parts of a value are one register" },
    Row { feature: Feature::L8Steer, name: "L8.steer", effect: "the register target of a function steers stages" },
];

/// The rows marked ◆ that change no code by default, and why. docs/requirements.md has the same
/// words. Rows without a switch are not in [`ROWS`].
pub const REASONS: &[(&str, &str)] = &[
    ("L5", "one bitset for all registers would give the same live ranges"),
    ("L6", "the local method and the dataflow give the same live ranges; the statistics show which one ran"),
    ("L7", "where memory comes from changes no result"),
    ("T8", "without it LiveVariables is wrong, and nothing after the pass reads that on NVPTX"),
    ("T9", "a remark is not code"),
    ("C4.order", STANDARD_HAS_JOINED),
    ("C4.weights", STANDARD_HAS_JOINED),
    ("C4.frequency", STANDARD_HAS_JOINED),
    ("C4.blocks", STANDARD_HAS_JOINED),
    ("C6", "there is no limit unless an option sets one"),
    ("L8.steer", "there is no target unless an option or the function sets one"),
];

/// Why the order of the worklist changes nothing by default.
const STANDARD_HAS_JOINED: &str = "the standard coalescer has joined every copy that excludes another";

/// Returns why a row changes no code; `None` if [`REASONS`] does not list it.
fn reason(name: &str) -> Option<&'static str> {
    REASONS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// Returns the text of `-ptx-without=help`: a line for each row, starting with its name. If the row
/// has a reason, `no code changes: ` or `no switch: ` comes before it.
pub fn help() -> String {
    let mut out = String::new();
    for row in ROWS {
        let reason = reason(row.name).map_or(String::new(), |why| format!("; no code changes: {why}"));
        out += &format!("{:<12} {}{reason}\n", row.name, row.effect);
    }
    for (name, why) in REASONS.iter().filter(|reason| ROWS.iter().all(|row| row.name != reason.0)) {
        out += &format!("{name:<12} no switch: {why}\n");
    }
    out
}

/// Parses names separated by commas to a set of features, a bit for each. `help` is not handled
/// here.
///
/// # Errors
/// Names the unknown row, and lists those allowed.
pub fn parse(text: &str) -> Result<u64, OptionError> {
    text.split(',').filter(|name| !name.is_empty()).try_fold(0, |set, name| {
        let row = ROWS.iter().find(|row| row.name == name).ok_or_else(|| {
            let names: Vec<_> = ROWS.iter().map(|row| row.name).collect();
            format!(
                "no requirement '{name}' with a switch; allowed: {} (separated by commas)",
                names.join(", ")
            )
        })?;
        Ok(set | 1 << row.feature as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_position_of_its_feature() {
        assert!(ROWS.len() <= 64);
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.feature as usize, i);
            assert_eq!(parse(row.name), Ok(1 << i));
        }
    }

    /// The rows of docs/requirements.md: name, whether it is marked ◆, the text.
    fn documented() -> impl Iterator<Item = (&'static str, bool, &'static str)> {
        include_str!("../../docs/requirements.md").lines().filter_map(|line| {
            let (name, text) = line.strip_prefix("| ")?.split_once(" | ")?;
            Some((name.trim_end_matches(" ◆"), name.ends_with('◆'), text))
        })
    }

    /// Whether a row or a part of it has a switch.
    fn has_switch(name: &str) -> bool {
        ROWS.iter().any(|row| row.name.split('.').next() == Some(name))
    }

    #[test]
    fn the_requirements_mark_the_rows_that_have_a_switch_or_a_reason() {
        for row in ROWS {
            let name = row.name.split('.').next().unwrap();
            assert!(documented().any(|known| known.0 == name), "{name}");
        }
        for (name, why) in REASONS {
            let whole = name.split('.').next().unwrap();
            let row =
                documented().find(|row| row.0 == *name).or_else(|| documented().find(|row| row.0 == whole));
            let text = row.expect(name).2;
            assert!(text.contains(why), "{name}: docs/requirements.md does not say that {why}");
        }
        let neither = documented().filter(|row| row.1 && !has_switch(row.0) && reason(row.0).is_none());
        let neither: Vec<_> = neither.map(|row| row.0).collect();
        assert!(neither.is_empty(), "{neither:?}");
    }

    #[test]
    fn help_names_each_row_once() {
        let help = help();
        let names: Vec<_> = help.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
        assert!(ROWS.iter().all(|row| names.contains(&row.name)));
        assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)), "{names:?}");
        assert!(help.lines().any(|line| line.starts_with("L5 ") && line.contains("no switch: ")));
        assert!(help.lines().any(|line| line.starts_with("L6 ") && line.contains("; no code changes: ")));
    }

    #[test]
    fn names_parse_or_say_which_are_allowed() {
        assert_eq!(parse(""), Ok(0));
        assert_eq!(parse("E11,E13"), Ok(0b101));
        let e = parse("E11,E99").unwrap_err().to_string();
        assert!(e.contains("'E99'") && e.contains("E11, E12"), "{e}");
    }
}
