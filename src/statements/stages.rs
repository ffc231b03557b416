//! States what the stages make of code, beyond the forms of registers. Where a stage has a function
//! for the condition, that function is run. The code that a stage makes is written down here.

use super::operations::extend;
use super::term::{all, always, any_below, cases, given, Term};
use super::Statement;
use crate::nvptx::arithmetic::Extension;
use crate::ssa::forms::bits::may_be_negative;
use crate::ssa::forms::number::Number;
use crate::ssa::forms::rules::{distance, is_sum};
use crate::stages::fold_addresses::addresses::MAX_OFFSET;
use crate::stages::fold_addresses::products::{common_extension, MAX_SHIFT};

type T = Term<64>;

fn statement(rule: &str, goal: impl FnMut() -> Option<String>) -> Statement {
    Statement { rule: rule.into(), bits: 64, cases: cases(goal) }
}

/// Returns one of the widths of registers.
fn any_width() -> u32 {
    [32, 64][any_below(2) as usize]
}

/// Makes two registers whose forms have the same terms. Returns them and their constants.
fn same_terms(width: u32) -> ([T; 2], [T; 2]) {
    let [a, b, terms, constant_a, constant_b] = ["a", "b", "terms", "ca", "cb"].map(T::any);
    for (register, constant) in [(a, constant_a), (b, constant_b)] {
        always(register.is_at_most(T::low_bits(width)));
        given(register.is((terms + constant).low(width)));
    }
    ([a, b], [constant_a, constant_b])
}

/// `fold-addresses` and `induction`: a register is another one with the same terms, plus a
/// constant.
fn register_and_constant() -> Statement {
    statement("a register is one with the same terms, and a constant", || {
        let width = any_width();
        let ([a, b], [constant_a, constant_b]) = same_terms(width);
        Some((b + distance(constant_a, constant_b, width)).low(width).is(a).exact())
    })
}

/// `fold-addresses`: a load from an address and an offset reads the same from the leader and the
/// sum of both constants.
fn address_and_offset() -> Statement {
    statement("an address and an offset is its leader and another offset", || {
        let width = any_width();
        let ([a, b], [constant_a, constant_b]) = same_terms(width);
        let offset = T::any("offset");
        let new = offset + distance(constant_a, constant_b, width);
        Some((b + new).low(width).is((a + offset).low(width)).exact())
    })
}

/// `fold-addresses`: offsets of an address lie between a smallest and a largest one. If these two
/// are still offsets with a constant added, so are the others.
fn offset_range() -> Statement {
    statement("offsets between two that fit with a constant added fit", || {
        let [min, max, offset, more] = ["min", "max", "offset", "more"].map(T::any);
        let (low, high) = (T::of(MAX_OFFSET.wrapping_neg() as u64), T::of(MAX_OFFSET as u64));
        given(min.is_at_most_signed(offset));
        given(offset.is_at_most_signed(max));
        for end in [min, max] {
            always(end.is_sum_signed(more));
            given(low.is_at_most_signed(end + more));
            given((end + more).is_at_most_signed(high));
        }
        let sum = offset + more;
        Some(all(&[
            offset.is_sum_signed(more).exact(),
            low.is_at_most_signed(sum).exact(),
            sum.is_at_most_signed(high).exact(),
        ]))
    })
}

/// `fold-addresses`: a sum that differs from its leader by a constant is the leader `or` the
/// constant, if no bit may be set in both.
fn or_of_leader() -> Statement {
    statement("a sum of 32 bits is its leader or a constant", || {
        let ([a, b], [constant_a, constant_b]) = same_terms(32);
        let bits = T::any("B");
        given(b.has_only(bits));
        let constant = distance(constant_a, constant_b, 32).low(32);
        is_sum(bits, constant).then(|| (b | constant).is(a).exact())
    })
}

/// `fold-addresses`: the sum of two registers, shifted alike, is shifted once.
fn shift_once() -> Statement {
    statement("a sum of shifted registers is shifted once", || {
        let [base, x, y, by, by_y] = ["base", "x", "y", "by", "by_y"].map(T::any);
        given(by_y.is(by));
        let before = base + x.shifted_left(by) + y.shifted_left(by_y);
        Some(before.is(base + (x + y).shifted_left(by)).exact())
    })
}

/// `fold-addresses`: a product of two extended numbers is one of 32 bits.
fn narrow_product() -> Statement {
    statement("the factors of a product of 64 bits, extended the same way", || {
        let extensions = [0, 1].map(|_| [Extension::Zero, Extension::Sign][any_below(2) as usize]);
        let numbers = ["x", "y"].map(T::any);
        let can_be_negative = ["X", "Y"].map(|name| {
            let bits = T::any(name);
            given(numbers[usize::from(name == "Y")].has_only(bits));
            always(bits.is_at_most(T::low_bits(32)));
            may_be_negative(bits)
        });
        let common = common_extension([0, 1].map(|index| (extensions[index], can_be_negative[index])))?;
        // Products of equal factors are equal.
        let equal = [0, 1].map(|index| {
            extend(numbers[index], extensions[index]).is(extend(numbers[index], common)).exact()
        });
        Some(all(&equal))
    })
}

/// `fold-addresses`: a signed number that is extended and shifted is a product of 32 bits.
fn shift_as_product() -> Statement {
    statement("a signed number, extended and shifted, is a product", || {
        let [x, by] = ["x", "by"].map(T::any);
        given(by.is_at_most(T::of(MAX_SHIFT.into())));
        let factor = extend(T::of(1).shifted_left(by), Extension::Sign);
        let product = extend(x, Extension::Sign).times(factor);
        Some(extend(x, Extension::Sign).shifted_left(by).is(product).exact())
    })
}

/// `induction`: take a variable that begins with the sum of another one and a distance, and has the
/// step of that one. It is that sum in every iteration. Two variables that begin with the same
/// number and have the same step are equal.
fn new_variable() -> Statement {
    statement("a variable and a distance is a variable with the same step", || {
        let width = any_width();
        let [variable, new, distance, step] = ["v", "new", "distance", "step"].map(T::any);
        given(new.is((variable + distance).low(width)));
        // This shows it after the step; the given claim is the value before it.
        let next = (variable + step).low(width);
        let new_next = (new + step).low(width);
        Some(new_next.is((next + distance).low(width)).exact())
    })
}

fn equal_variables() -> Statement {
    statement("variables that begin equal, with the same step, are equal", || {
        let width = any_width();
        let [a, b, step_a, step_b] = ["a", "b", "step_a", "step_b"].map(T::any);
        given(a.low(width).is(b.low(width)));
        given(step_a.low(width).is(step_b.low(width)));
        Some((a + step_a).low(width).is((b + step_b).low(width)).exact())
    })
}

/// `induction`: the initial value is a register whose form is less by the step, plus the step.
fn initial_value_and_step() -> Statement {
    statement("an initial value is one that is less by the step, and the step", || {
        let width = any_width();
        let [initial, distance, step, base] = ["initial", "distance", "step", "base"].map(T::any);
        given(base.is((initial + distance).wrapping_sub(step).low(width)));
        Some((base + step).low(width).is((initial + distance).low(width)).exact())
    })
}

/// `short-addresses`: the low half of an address plus an offset is the low half of the address,
/// plus the offset.
fn short_address() -> Statement {
    statement("a short address and an offset", || {
        let [address, short, offset] = ["address", "short", "offset"].map(T::any);
        given(short.is(address.low(32)));
        Some((short + offset).low(32).is((address + offset).low(32)).exact())
    })
}

/// Returns the statements of the stages.
pub fn statements() -> Vec<Statement> {
    vec![
        register_and_constant(),
        address_and_offset(),
        offset_range(),
        or_of_leader(),
        shift_once(),
        narrow_product(),
        shift_as_product(),
        new_variable(),
        equal_variables(),
        initial_value_and_step(),
        short_address(),
    ]
}
