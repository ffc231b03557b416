//! Stands in for numbers where code is run to write down what it computes.
//!
//! **Problem.** A solver proves a statement for all numbers, and the statement must be that of the
//! code. **Algorithm.** The code is run on [`Term`]s instead of numbers. Each operation defines a
//! new term. Where the code compares two terms it goes both ways, one run after the other. What the
//! comparison found is a condition of that [`Case`]. **Source.** Symbolic execution (King 1976).
//! **Complexity.** Linear in the operations of all paths through the code.

use crate::ssa::forms::number::Number;
use serde::Serialize;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, BitAnd, BitOr, Shl, Shr};

/// An unknown number of `BITS` bits.
#[derive(Clone, Copy, Debug)]
pub struct Term<const BITS: u32>(usize);

/// A claim in SMT-LIB, and a weaker one that holds in one more case: for one more number, or with
/// one more bit.
#[derive(Clone, PartialEq, Serialize)]
pub struct Claim {
    exact: String,
    weak: String,
    /// For the reader.
    shown: String,
}

/// One path through the code.
#[derive(Clone, PartialEq, Serialize)]
pub struct Case {
    /// Declares and defines the terms.
    terms: Vec<String>,
    /// The claims that hold for the operands.
    given: Vec<Claim>,
    /// The claims that led along this path.
    conditions: Vec<Claim>,
    /// The goal to be proved from these.
    goal: String,
}

/// The current run.
#[derive(Default)]
struct Run {
    terms: Vec<String>,
    /// By term: its name, and how it is shown.
    names: Vec<(String, String)>,
    given: Vec<Claim>,
    conditions: Vec<Claim>,
    /// Which way each decision goes, as far as that is settled.
    way: Vec<bool>,
    /// How many decisions have been made.
    decided: usize,
}

thread_local! {
    static RUN: RefCell<Run> = RefCell::default();
}

/// Runs code once for each path through it. The code returns its goal, or `None` on a path on which
/// the rule does not apply.
pub fn cases(mut code: impl FnMut() -> Option<String>) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut way = Vec::new();
    loop {
        RUN.set(Run { way, ..Run::default() });
        let goal = code();
        let Run { terms, given, conditions, way: went, .. } = RUN.take();
        cases.extend(goal.map(|goal| Case { terms, given, conditions, goal }));
        way = went;
        // The last decision that was true goes the other way.
        while way.last() == Some(&false) {
            way.pop();
        }
        match way.last_mut() {
            Some(last) => *last = false,
            None => return cases,
        }
    }
}

/// Takes the next decision: true in one run, false in a later one.
fn next_way() -> bool {
    RUN.with_borrow_mut(|run| {
        run.decided += 1;
        if run.way.len() < run.decided {
            run.way.push(true);
        }
        run.way[run.decided - 1]
    })
}

/// Returns a number below `n`. The runs go through all of them.
pub fn any_below(n: u32) -> u32 {
    (0..n - 1).find(|_| next_way()).unwrap_or(n - 1)
}

/// Goes both ways, one run after the other: true with the condition `yes`, false with `no`.
fn decide(yes: Claim, no: Claim) -> bool {
    let way = next_way();
    RUN.with_borrow_mut(|run| run.conditions.push(if way { yes } else { no }));
    way
}

/// Assumes a claim about the operands.
pub fn given(claim: Claim) {
    RUN.with_borrow_mut(|run| run.given.push(claim));
}

/// Assumes a claim about the operands that is not part of the rule, such as the width of a
/// register. It is never weakened.
pub fn always(claim: Claim) {
    let weak = claim.exact.clone();
    given(Claim { weak, ..claim });
}

/// Joins claims in SMT-LIB.
pub fn all(claims: &[String]) -> String {
    format!("(and {})", claims.join(" "))
}

impl<const BITS: u32> Term<BITS> {
    /// Makes an unknown number.
    pub fn any(name: &str) -> Self {
        let declaration = format!("(declare-const {name} (_ BitVec {BITS}))");
        Self::push(declaration, name.to_owned(), name.to_owned())
    }
    /// Adds a term, and the line that declares or defines it unless it is a constant.
    fn push(text: String, name: String, shown: String) -> Self {
        RUN.with_borrow_mut(|run| {
            if !text.is_empty() {
                run.terms.push(text);
            }
            run.names.push((name, shown));
            Term(run.names.len() - 1)
        })
    }
    /// Defines a number in SMT-LIB.
    fn define(text: String, shown: String) -> Self {
        let name = RUN.with_borrow(|run| format!("t{}", run.names.len()));
        Self::push(format!("(define-fun {name} () (_ BitVec {BITS}) {text})"), name, shown)
    }
    fn name(self) -> String {
        RUN.with_borrow(|run| run.names[self.0].0.clone())
    }
    fn shown(self) -> String {
        RUN.with_borrow(|run| run.names[self.0].1.clone())
    }
    /// Applies an operation of SMT-LIB.
    fn apply(operation: &str, sign: &str, a: Self, b: Self) -> Self {
        let shown = format!("({} {sign} {})", a.shown(), b.shown());
        Self::define(format!("({operation} {} {})", a.name(), b.name()), shown)
    }

    /// Returns the claim that two numbers are equal. The weaker one also allows the first to be one
    /// more.
    pub fn is(self, other: Self) -> Claim {
        let (a, b) = (self.name(), other.name());
        Claim {
            exact: format!("(= {a} {b})"),
            weak: format!("(or (= {a} {b}) (= {a} (bvadd {b} (_ bv1 {BITS}))))"),
            shown: format!("{} = {}", self.shown(), other.shown()),
        }
    }
    /// Returns the claim that two numbers are not equal.
    fn is_not(self, other: Self) -> Claim {
        let exact = format!("(not (= {} {}))", self.name(), other.name());
        Claim { exact, weak: "true".into(), shown: format!("{} != {}", self.shown(), other.shown()) }
    }
    /// Returns the claim that a number is at most another one. The weaker one also allows it to be
    /// one more.
    pub fn is_at_most(self, other: Self) -> Claim {
        let (a, b) = (self.name(), other.name());
        Claim {
            exact: format!("(bvule {a} {b})"),
            weak: format!("(or (bvule {a} {b}) (= {a} (bvadd {b} (_ bv1 {BITS}))))"),
            shown: format!("{} <= {}", self.shown(), other.shown()),
        }
    }
    /// Returns the claim that a number is less than another one.
    pub fn is_below(self, other: Self) -> Claim {
        let (a, b) = (self.name(), other.name());
        let shown = format!("{} < {}", self.shown(), other.shown());
        Claim { exact: format!("(bvult {a} {b})"), weak: format!("(bvule {a} {b})"), shown }
    }
    /// Returns the claim that a number is at most another one, both with signs.
    pub fn is_at_most_signed(self, other: Self) -> Claim {
        let (a, b) = (self.name(), other.name());
        Claim {
            exact: format!("(bvsle {a} {b})"),
            weak: format!("(or (bvsle {a} {b}) (= {a} (bvadd {b} (_ bv1 {BITS}))))"),
            shown: format!("{} <= {}", self.shown(), other.shown()),
        }
    }
    /// Returns the claim that a sum with signs does not wrap around.
    pub fn is_sum_signed(self, other: Self) -> Claim {
        let (a, b, sum) = (self.name(), other.name(), (self + other).name());
        // The sign of the sum is that of one of the two.
        let differ = format!("(bvand (bvxor {a} {sum}) (bvxor {b} {sum}))");
        let shown = format!("{} + {} does not wrap around", self.shown(), other.shown());
        Claim { exact: format!("(bvsge {differ} (_ bv0 {BITS}))"), weak: "true".into(), shown }
    }
    /// Returns the claim that a number has only the bits of another one. The weaker one allows one
    /// other bit.
    pub fn has_only(self, bits: Self) -> Claim {
        let others = Self::apply("bvand", "&", self, bits.not());
        let name = others.name();
        Claim {
            exact: format!("(= {name} (_ bv0 {BITS}))"),
            weak: format!("(= (bvand {name} (bvsub {name} (_ bv1 {BITS}))) (_ bv0 {BITS}))"),
            shown: format!("{} has only the bits of {}", self.shown(), bits.shown()),
        }
    }

    /// Returns the lowest bits.
    pub fn low(self, width: u32) -> Self {
        self & Self::low_bits(width)
    }
    /// Returns the number with all bits inverted.
    pub fn not(self) -> Self {
        Self::define(format!("(bvnot {})", self.name()), format!("~{}", self.shown()))
    }
    /// Returns the bits that are set in one of two numbers.
    pub fn xor(self, other: Self) -> Self {
        Self::apply("bvxor", "^", self, other)
    }
    /// Returns the product, modulo 2^`BITS`.
    pub fn times(self, other: Self) -> Self {
        Self::apply("bvmul", "*", self, other)
    }
    /// Shifts to the right by an unknown number. The result is 0 if that is `BITS` or more.
    pub fn shifted_right(self, by: Self) -> Self {
        Self::apply("bvlshr", ">>", self, by)
    }
    /// Shifts to the left by an unknown number. The result is 0 if that is `BITS` or more.
    pub fn shifted_left(self, by: Self) -> Self {
        Self::apply("bvshl", "<<", self, by)
    }
    /// Returns one number where a claim is true, and another one where it is not.
    pub fn choose(condition: &Claim, yes: Self, no: Self) -> Self {
        let shown = format!("({} ? {} : {})", condition.shown, yes.shown(), no.shown());
        Self::define(format!("(ite {} {} {})", condition.exact, yes.name(), no.name()), shown)
    }
    /// Returns this result of an operation on the path on which it fits, as the claim says. `None`
    /// on the path on which it wraps around.
    fn if_fitting(self, fits: String) -> Option<Self> {
        let claim = |exact: String, how: &str| Claim {
            exact,
            weak: "true".into(),
            shown: format!("{} {how}", self.shown()),
        };
        let wraps = format!("(not {fits})");
        decide(claim(fits, "does not wrap around"), claim(wraps, "wraps around")).then_some(self)
    }
    /// Counts the bits before the first set one.
    fn zeros(self, bits: impl DoubleEndedIterator<Item = u32>, shown: &str) -> Self {
        let mut text = format!("(_ bv{BITS} {BITS})");
        for (count, bit) in bits.enumerate().collect::<Vec<_>>().into_iter().rev() {
            text = format!(
                "(ite (= ((_ extract {bit} {bit}) {}) #b1) (_ bv{count} {BITS}) {text})",
                self.name()
            );
        }
        Self::define(text, format!("{shown}({})", self.shown()))
    }
}

impl Claim {
    /// Returns what it says.
    pub fn exact(&self) -> String {
        self.exact.clone()
    }
}

impl<const BITS: u32> PartialEq for Term<BITS> {
    fn eq(&self, other: &Self) -> bool {
        decide(self.is(*other), self.is_not(*other))
    }
}

impl<const BITS: u32> PartialOrd for Term<BITS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(match self == other {
            true => Ordering::Equal,
            false if self < other => Ordering::Less,
            false => Ordering::Greater,
        })
    }
    fn le(&self, other: &Self) -> bool {
        decide(self.is_at_most(*other), other.is_below(*self))
    }
    fn lt(&self, other: &Self) -> bool {
        decide(self.is_below(*other), other.is_at_most(*self))
    }
    fn ge(&self, other: &Self) -> bool {
        other <= self
    }
    fn gt(&self, other: &Self) -> bool {
        other < self
    }
}

impl<const BITS: u32> Add for Term<BITS> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::apply("bvadd", "+", self, other)
    }
}
impl<const BITS: u32> BitAnd for Term<BITS> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self::apply("bvand", "&", self, other)
    }
}
impl<const BITS: u32> BitOr for Term<BITS> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::apply("bvor", "|", self, other)
    }
}
impl<const BITS: u32> Shl<u32> for Term<BITS> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        self.shifted_left(Self::of(by.into()))
    }
}
impl<const BITS: u32> Shr<u32> for Term<BITS> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        self.shifted_right(Self::of(by.into()))
    }
}

impl<const BITS: u32> Number for Term<BITS> {
    const BITS: u32 = BITS;
    /// It is less than 2^`BITS`.
    type Count = Self;

    fn of(number: u64) -> Self {
        let number = number & (u64::MAX >> (64 - BITS));
        let text = format!("(_ bv{number} {BITS})");
        Self::push(String::new(), text, if number < 64 { number.to_string() } else { format!("{number:#x}") })
    }
    fn wrapping_add(self, other: Self) -> Self {
        self + other
    }
    fn wrapping_sub(self, other: Self) -> Self {
        Self::apply("bvsub", "-", self, other)
    }
    fn wrapping_neg(self) -> Self {
        Self::define(format!("(bvneg {})", self.name()), format!("-{}", self.shown()))
    }
    fn checked_add(self, other: Self) -> Option<Self> {
        let sum = self + other;
        sum.if_fitting(format!("(bvule {} {})", self.name(), sum.name()))
    }
    fn checked_mul(self, other: Self) -> Option<Self> {
        let product = self.times(other);
        let wide = |factor: Self| format!("((_ zero_extend {BITS}) {})", factor.name());
        let high = format!("((_ extract {} {BITS}) (bvmul {} {}))", 2 * BITS - 1, wide(self), wide(other));
        product.if_fitting(format!("(= {high} (_ bv0 {BITS}))"))
    }
    fn checked_shl(self, by: Self) -> Option<Self> {
        (by < Self::of(BITS.into())).then(|| self.shifted_left(by))
    }
    fn checked_shr(self, by: Self) -> Option<Self> {
        (by < Self::of(BITS.into())).then(|| self.shifted_right(by))
    }
    fn leading_zeros(self) -> Self {
        self.zeros((0..BITS).rev(), "leading zeros")
    }
    fn trailing_zeros(self) -> Self {
        self.zeros(0..BITS, "trailing zeros")
    }
    fn sign_extended(self, width: u32) -> Self {
        let shown = format!("sign extended {}", self.shown());
        let low = format!("((_ extract {} 0) {})", width - 1, self.name());
        Self::define(format!("((_ sign_extend {}) {low})", BITS - width), shown)
    }
}
