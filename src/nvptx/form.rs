//! Tells which operands of an instruction are constants, where the name of its opcode does not.
//!
//! **Problem.** Up to LLVM 23 there is an opcode for each form of an operation: `ADD32rr` and `ADD32ri`. From 24 on there is one, `ADD32`, and
//! what it computes (a shift by a constant, say) depends on its operands, too. **Algorithm.** The table has a row for each opcode and form.
//! Its name is completed to that of LLVM 23. **Complexity.** Linear in the operands.

use crate::mir::Kind;

/// Most operands that are read by an instruction whose form matters.
const MAX_READ: usize = 3;

/// By position, whether an operand that an instruction reads is a register or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    num_read: u8,
    constants: u8,
}

impl Form {
    /// How many different ones there are for an opcode.
    pub const COUNT: usize = 1 + (1 << MAX_READ);
    /// That of an opcode whose name tells it, or for which it does not matter.
    pub const NAMED: Form = Form { num_read: 0, constants: 0 };

    /// Returns the form of an instruction that reads operands of these kinds.
    pub fn of(read: impl Iterator<Item = Kind>) -> Form {
        let mut form = Form::NAMED;
        for kind in read {
            if usize::from(form.num_read) == MAX_READ || !matches!(kind, Kind::Reg | Kind::Imm) {
                return Form::NAMED;
            }
            form.constants |= u8::from(kind == Kind::Imm) << form.num_read;
            form.num_read += 1;
        }
        form
    }
    /// Returns its position among those of one opcode, which always reads the same number of operands.
    pub fn index(self) -> usize {
        match self.num_read {
            0 => 0,
            _ => 1 + usize::from(self.constants),
        }
    }
    /// Completes the name of an opcode to that of LLVM 23; none if there is nothing to be added.
    pub fn complete(self, name: &str) -> Option<String> {
        if self == Form::NAMED {
            return None;
        }
        let kinds = (0..self.num_read).map(|k| if self.constants >> k & 1 != 0 { 'i' } else { 'r' });
        Some(name.chars().chain(kinds).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_completes_the_name() {
        let form = |kinds: &[Kind]| Form::of(kinds.iter().copied());
        assert_eq!(form(&[Kind::Reg, Kind::Imm]).complete("ADD32").as_deref(), Some("ADD32ri"));
        assert_eq!(
            form(&[Kind::Reg, Kind::Reg, Kind::Reg]).complete("MAD_LO_S32").as_deref(),
            Some("MAD_LO_S32rrr")
        );
        assert_eq!(form(&[]).complete("Return"), None);
    }

    #[test]
    fn symbols_and_long_instructions_have_none() {
        assert_eq!(Form::of([Kind::Reg, Kind::Other].into_iter()), Form::NAMED);
        assert_eq!(Form::of([Kind::Imm; 4].into_iter()), Form::NAMED);
    }

    #[test]
    fn forms_of_an_opcode_have_positions_of_their_own() {
        let kind = |constants: usize, k: usize| if constants >> k & 1 != 0 { Kind::Imm } else { Kind::Reg };
        let forms = (0..8).map(|constants| Form::of((0..3).map(|k| kind(constants, k))));
        let mut seen: Vec<usize> = forms.chain([Form::NAMED]).map(Form::index).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..Form::COUNT).collect::<Vec<_>>());
    }
}
