//! Lists the requirements whose code can be left out, one by one, to see what each does.
//!
//! `-ptx-without=E11,C7` compiles as if these rows of docs/requirements.md had not been built. It is for measurements
//! (`ptx-compare bench ablation`) and for tests, not for users. Passes and stages do not know of it: they have a switch for
//! each row in their options, and `options.rs` sets those.

/// A requirement of the `cicc` profile, or a part of one, that has a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Dead results of the emitter go.
    E11,
    /// Glued nodes read the registers of the values.
    E12,
    /// Results of inline assembly go where they are wanted.
    E13,
    /// Parameters that nothing reads go.
    E14,
}

/// A feature as the knob and the ablation name it.
pub struct Row {
    /// The feature.
    pub feature: Feature,
    /// The row of docs/requirements.md; behind a point the part of it.
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
];

/// Parses names separated by commas to a set of features, a bit for each. `help` is not handled here.
///
/// # Errors
/// The name that is unknown, and those that are allowed.
pub fn parse(text: &str) -> Result<u64, String> {
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

    #[test]
    fn names_parse_or_say_which_are_allowed() {
        assert_eq!(parse(""), Ok(0));
        assert_eq!(parse("E11,E13"), Ok(0b101));
        let e = parse("E11,E99").unwrap_err();
        assert!(e.contains("'E99'") && e.contains("E11, E12"), "{e}");
    }
}
