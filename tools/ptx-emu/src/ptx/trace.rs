//! Records what a run of a function has done, and compares two runs.
//!
//! A trace is a sequence of ordered events (calls, barriers, atomics, volatile accesses, the
//! return), which must be equal one by one, and of stores in segments. Within a segment the
//! scheduler may exchange stores to different bytes, so we compare the sequence of values that each
//! byte gets. An event ends a segment, unless it is a volatile access: LLVM lets ordinary stores to
//! other bytes cross these. They are entries in the sequences of their bytes.
//!
//! A run ends because the function does, because its budget is used up, or because its next step
//! depends on an undefined value (a branch, the address of a store). Then we compare only what both
//! have done. What is undefined in stock's trace may be anything in ours; what is defined there
//! must be the same here. It is a difference if our run stops at an undefined value, or goes on
//! where stock's has ended.

use std::fmt;

use rustc_hash::FxHashMap;

use super::value::Value;

/// State space; generic addresses are translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Memory of the device.
    Global,
    /// Memory of a block.
    Shared,
    /// Memory of a thread.
    Local,
    /// Constant memory.
    Const,
    /// Parameters.
    Param,
}

/// A stored byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The bits that are defined; 0 where they are not.
    pub byte: u8,
    /// The bits that are undefined.
    pub undef: u8,
    /// Whether this is a volatile load; its value does not count.
    pub is_load: bool,
    /// The line of the store.
    pub line: u32,
    /// The number of bytes that were stored before it.
    pub order: u32,
}

impl Write {
    fn is_met_by(&self, other: &Write) -> bool {
        self.is_load == other.is_load && self.value().is_met_by(other.value())
    }

    fn value(&self) -> Value {
        Value::with_undef(u128::from(self.byte), u128::from(self.undef), 8)
    }
}

/// By address, the bytes that are stored between two events that no store crosses.
pub type Segment = FxHashMap<(Space, u64), Vec<Write>>;

/// An ordered action of a thread.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its line in the text.
    pub line: usize,
    /// Opcode, and the callee of a call.
    pub what: String,
    /// The values that it depends on.
    pub operands: Vec<Value>,
    /// Whether stores cannot cross it.
    pub ends_segment: bool,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        let mut operands = self.operands.iter();
        for operand in operands.by_ref().take(8) {
            write!(f, " {operand}")?;
        }
        if operands.len() > 0 {
            write!(f, " ...")?;
        }
        Ok(())
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The function has returned.
    Done,
    /// It has run as many instructions as it may.
    Budget,
    /// The next step depends on an undefined value: the line, and what needs it.
    Undefined(usize, &'static str),
}

/// The predicate or the index of a table that a branch depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The branch's line.
    pub line: usize,
    /// The value.
    pub value: Value,
    /// The value that the branch has used: another one, if it was forced.
    pub used: Value,
    /// Whether it is an index.
    pub is_of_table: bool,
}

impl Condition {
    /// The value that another text's branch with this `value` uses to go to the same place. A
    /// predicate may be the opposite of this one.
    pub fn followed_by(&self, value: Value) -> Value {
        match [self.value, value, self.used].map(Value::defined) {
            [Some(own), Some(other), Some(used)] if !self.is_of_table => {
                Value::new(other ^ own ^ used, value.width)
            }
            _ => self.used,
        }
    }
}

/// Whether a predicate may be the opposite of the other text's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Senses {
    /// It must be the same.
    Same,
    /// It may be the opposite, if it is in all runs of the branch.
    Either,
}

/// Everything that a run has done.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The segments: one more than events that end one.
    pub segments: Vec<Segment>,
    /// Events, in their order.
    pub events: Vec<Event>,
    /// The conditions of the branches, in their order.
    pub conditions: Vec<Condition>,
    /// Its end.
    pub end: End,
    /// Instructions that were run.
    pub steps: usize,
    /// The last line that was run.
    pub line: usize,
}

/// The result of comparing two runs that have done the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Events that were compared.
    pub events: u64,
    /// Bytes of memory that were compared.
    pub bytes: u64,
    /// Bytes and operands that are undefined in stock's run, at least in part.
    pub undefined: u64,
    /// Whether stock's run did not reach the end of the function.
    pub is_prefix: bool,
}

impl Agreement {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: &Agreement) {
        self.events += other.events;
        self.bytes += other.bytes;
        self.undefined += other.undefined;
    }
}

/// The first thing in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Ordered events before it.
    pub event: usize,
    /// What stock's text does.
    pub stock: String,
    /// What ours does.
    pub ours: String,
    /// The line in stock's text.
    pub stock_line: usize,
    /// The line in ours.
    pub our_line: usize,
}

/// Whether a condition of ours is right. `opposite` says by lines whether predicates have been
/// opposites.
fn is_right(old: &Condition, new: &Condition, opposite: &mut FxHashMap<[usize; 2], bool>) -> bool {
    let (Some(own), false) = (old.value.defined(), old.is_of_table || new.is_of_table) else {
        return old.value.is_met_by(new.value);
    };
    let is_opposite = new.value.defined().map(|other| own != other);
    is_opposite.is_some_and(|is| *opposite.entry([old.line, new.line]).or_insert(is) == is)
}

/// Compares two runs.
pub fn compare(stock: &Trace, ours: &Trace, senses: Senses) -> Result<Agreement, Difference> {
    let mut agreement = Agreement { is_prefix: stock.end != End::Done, ..Agreement::default() };
    let mut opposite = FxHashMap::default();
    for (index, (old, new)) in stock.conditions.iter().zip(&ours.conditions).enumerate() {
        let is_right = match senses {
            Senses::Same => old.value.is_met_by(new.value),
            Senses::Either => is_right(old, new, &mut opposite),
        };
        if !is_right {
            let [stock, ours] =
                [old, new].map(|one| format!("branches on {}, conditional branch {index}", one.value));
            return Err(Difference { event: 0, stock, ours, stock_line: old.line, our_line: new.line });
        }
    }
    let common = stock.events.len().min(ours.events.len());
    let mut segment = 0;
    for event in 0..=common {
        let pair = stock.events.get(event).zip(ours.events.get(event));
        if pair.is_none_or(|(old, new)| old.ends_segment || new.ends_segment) {
            let is_whole = |trace: &Trace| segment + 1 < trace.segments.len() || trace.end == End::Done;
            let [old, new] = [stock, ours].map(|trace| (&trace.segments[segment], is_whole(trace), trace));
            compare_segments(event, old, new, &mut agreement)?;
            segment += 1;
        }
        if let Some((old, new)) = pair {
            compare_events(event, old, new, &mut agreement)?;
        }
    }
    let difference = |ours_text: String, our_line| {
        let stock_text = match stock.events.get(common) {
            Some(event) => event.to_string(),
            None => "goes on".to_owned(),
        };
        let stock_line = stock.events.get(common).map_or(stock.line, |event| event.line);
        Err(Difference { event: common, stock: stock_text, ours: ours_text, stock_line, our_line })
    };
    let is_short = ours.events.len() < stock.events.len() || ours.steps < stock.steps / 2;
    match (&stock.end, &ours.end) {
        (End::Done, End::Budget) => {
            difference(format!("does not end in {} instructions", ours.steps), ours.line)
        }
        (End::Done, End::Undefined(line, what)) => difference(format!("{what} is undefined"), *line),
        (End::Budget, End::Undefined(line, what)) if is_short => {
            difference(format!("{what} is undefined"), *line)
        }
        // Stock's run goes on where ours has ended.
        (End::Budget, End::Done) if is_short => difference("ends".to_owned(), ours.line),
        _ => Ok(agreement),
    }
}

fn compare_events(at: usize, old: &Event, new: &Event, agreement: &mut Agreement) -> Result<(), Difference> {
    agreement.events += 1;
    agreement.undefined += old.operands.iter().filter(|value| value.undef != 0).count() as u64;
    let same = old.what == new.what
        && old.operands.len() == new.operands.len()
        && old.operands.iter().zip(&new.operands).all(|(a, b)| a.is_met_by(*b));
    if same {
        return Ok(());
    }
    Err(Difference {
        event: at,
        stock: old.to_string(),
        ours: new.to_string(),
        stock_line: old.line,
        our_line: new.line,
    })
}

type Part<'a> = (&'a Segment, bool, &'a Trace);

/// Compares two segments. Every byte must get the same values in the same order; of a run that was
/// stopped, as many as there are. Returns the difference that is first in the order of the stores.
fn compare_segments(at: usize, old: Part, new: Part, agreement: &mut Agreement) -> Result<(), Difference> {
    let none = Vec::new();
    let mut worst: Option<(u32, Difference)> = None;
    let mut differ = |order: u32, key: &(Space, u64), stock: Option<&Write>, ours: Option<&Write>| {
        if worst.as_ref().is_some_and(|(first, _)| *first <= order) {
            return;
        }
        let (space, address) = key;
        let show = |write: Option<&Write>| match write {
            Some(write) if write.is_load => format!("loads, volatile, at {space:?} {address:#x}"),
            Some(write) => format!("stores {} at {space:?} {address:#x}", write.value()),
            None => format!("stores nothing at {space:?} {address:#x}"),
        };
        let line = |write: Option<&Write>, trace: &Trace| {
            let next = trace.events.get(at).map_or(trace.line, |event| event.line);
            write.map_or(next, |write| write.line as usize)
        };
        let difference = Difference {
            event: at,
            stock: show(stock),
            ours: show(ours),
            stock_line: line(stock, old.2),
            our_line: line(ours, new.2),
        };
        worst = Some((order, difference));
    };
    for (key, stores) in old.0 {
        let others = new.0.get(key).unwrap_or(&none);
        for (index, store) in stores.iter().enumerate() {
            match others.get(index) {
                Some(other) if store.is_met_by(other) => {
                    agreement.bytes += 1;
                    agreement.undefined += u64::from(store.undef != 0);
                }
                None if !new.1 => {}
                other => {
                    differ(store.order, key, Some(store), other);
                    break;
                }
            }
        }
    }
    if old.1 {
        for (key, stores) in new.0 {
            let known = old.0.get(key).map_or(0, Vec::len);
            if let Some(store) = stores.get(known) {
                differ(store.order, key, None, Some(store));
            }
        }
    }
    worst.map_or(Ok(()), |(_, difference)| Err(difference))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(stock: &Trace, ours: &Trace) -> Result<Agreement, Difference> {
        super::compare(stock, ours, Senses::Same)
    }

    fn trace(stores: &[(u64, u8)], end: End) -> Trace {
        let mut segment = Segment::default();
        for (order, &(address, byte)) in stores.iter().enumerate() {
            let write = Write { byte, undef: 0, is_load: false, line: 1, order: order as u32 };
            segment.entry((Space::Global, address)).or_default().push(write);
        }
        let mut segments = vec![segment];
        let mut events = Vec::new();
        if end == End::Done {
            segments.push(Segment::default());
            events.push(Event { line: 9, what: "ret".to_owned(), operands: vec![], ends_segment: true });
        }
        Trace { segments, events, conditions: vec![], end, steps: 10, line: 9 }
    }

    fn is_equal(old: &[(u64, u8)], new: &[(u64, u8)]) -> bool {
        compare(&trace(old, End::Done), &trace(new, End::Done)).is_ok()
    }

    #[test]
    fn stores_to_other_bytes_may_be_exchanged() {
        assert!(is_equal(&[(1, 5), (2, 6)], &[(2, 6), (1, 5)]));
        assert!(!is_equal(&[(1, 5), (1, 6)], &[(1, 6), (1, 5)]));
        assert!(!is_equal(&[(1, 5)], &[]));
        assert!(!is_equal(&[], &[(1, 5)]));
        assert!(!is_equal(&[(1, 5)], &[(1, 5), (1, 5)]));
    }

    #[test]
    fn a_run_that_was_stopped_is_a_prefix() {
        let stopped = trace(&[(1, 5)], End::Budget);
        let whole = trace(&[(1, 5), (2, 7)], End::Done);
        let agreement = compare(&stopped, &whole).expect("a prefix");
        assert!(agreement.is_prefix);
        assert_eq!(agreement.bytes, 1);
        assert!(compare(&trace(&[(1, 6)], End::Budget), &whole).is_err());
        assert!(compare(&whole, &stopped).is_err(), "ours does not end");
        assert!(compare(&whole, &trace(&[(1, 5)], End::Undefined(3, "a branch"))).is_err());
        assert!(compare(&trace(&[(1, 5)], End::Undefined(3, "a branch")), &whole).is_ok());
    }

    #[test]
    fn what_is_undefined_in_stock_may_be_anything() {
        let mut stock = trace(&[(1, 0)], End::Done);
        let ours = trace(&[(1, 5)], End::Done);
        assert!(compare(&stock, &ours).is_err());
        let write = stock.segments[0].get_mut(&(Space::Global, 1)).expect("stored");
        write[0].undef = 0xff;
        assert_eq!(compare(&stock, &ours).expect("undefined").undefined, 1);
        assert!(compare(&ours, &stock).is_err());
    }
}
