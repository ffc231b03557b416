//! Which operands of an instruction are constants, for opcodes whose name does not tell.
//!
//! **Problem.** Up to LLVM 23 each form of an operation has an opcode: `ADD32rr` and `ADD32ri`.
//! From 24 on there is one, `ADD32`. Its meaning (a shift by a constant, say) then depends on its
//! operands too. **Algorithm.** The table has a row for each opcode and form. The name is completed
//! to that of LLVM 23. **Complexity.** Linear in the operands.

use crate::mir::Kind;

/// The most operands that an instruction whose form matters reads.
const MAX_READ: usize = 3;

/// For each operand that an instruction reads, whether it is a register or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    num_read: u8,
    constants: u8,
}

impl Form {
    /// How many different forms an opcode can have.
    pub const COUNT: usize = 1 + (1 << MAX_READ);
    /// The form of an opcode whose name tells it, or for which it does not matter.
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
    /// Returns its position among the forms of one opcode, which always reads the same number of
    /// operands.
    pub fn index(self) -> usize {
        match self.num_read {
            0 => 0,
            _ => 1 + usize::from(self.constants),
        }
    }
    /// Completes the name of an opcode to that of LLVM 23; `None` if there is nothing to add.
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
