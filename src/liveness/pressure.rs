//! Measures register pressure (requirement L8): how many virtual registers are live at once.
//!
//! **Problem.** PTX has any number of registers. A thread of the machine has `-maxreg` (70 by
//! default) of 32 bits. The report says where a kernel needs the most registers, and of which
//! class.
//!
//! **Definition.** A register counts at every slot of its segments, which are half-open. So an
//! operand that dies at an instruction does not count together with the result, as they can share a
//! register. It does count together with an early-clobber result. A dead def counts at its def
//! slot, as it needs a register to be written to. A register with two values that touch counts
//! once. The total is in registers of 32 bits: the size of the class, rounded up. Predicates have a
//! register file of their own and are not in it.
//!
//! **Algorithm.** Sort the starts and ends of all segments by slot, by counting. Sweep over the
//! slots with a count for each class and one for the total. Compare the counts with the maxima
//! after the last event of a slot.
//!
//! **Source.** The reference description of the live-range calculation, "Pressure-driven analysis".
//! **Deviation.** The reference counts intervals of any size as one. Here the total counts
//! registers of 32 bits, which `-maxreg` limits.
//!
//! **Complexity.** Linear in segments, slots, and blocks times classes. It runs only if an option
//! asks for the result.

use super::ranges::LiveRanges;
use super::slot_index::{HostSlots, SlotIndex, SlotIndexes};
use crate::adt::Rows;
use crate::mir::{BlockId, BlockNumber, VRegId};
use crate::nvptx::occupancy::{Architecture, RegisterTarget};
use crate::nvptx::registers::is_predicate_class;
use index_vec::{IndexSlice, IndexVec};
use serde::Serialize;
use std::collections::BTreeMap;

/// A register class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// LLVM's name.
    pub name: String,
    /// Size of a register.
    pub bits: u32,
}

impl Class {
    /// Returns how many registers of 32 bits a register takes.
    pub fn registers32(&self) -> u32 {
        if is_predicate_class(&self.name) {
            0
        } else {
            self.bits.div_ceil(32)
        }
    }
}

/// The classes of a function's registers; kept from function to function.
#[derive(Default, Debug)]
pub struct Classes {
    /// The classes that occur, by name.
    pub list: Vec<Class>,
    /// By register: the position of its class in `list`. [`Classes::NONE`] for a register without
    /// class, which does not count.
    of: IndexVec<VRegId, u16>,
}

impl Classes {
    /// No class.
    pub const NONE: u16 = u16::MAX;

    /// Finds the classes of the registers in `ranges`. `class_id` returns LLVM's number of a
    /// register's class. `describe` is called once for each class.
    pub fn gather(
        &mut self,
        ranges: &LiveRanges,
        class_id: impl Fn(VRegId) -> Option<usize>,
        describe: impl Fn(VRegId) -> Class,
    ) {
        let Classes { list, of } = self;
        let mut known: Vec<(u16, Class)> = Vec::new();
        let mut by_id: Vec<u16> = Vec::new();
        of.clear();
        for range in &ranges.ranges {
            let reg = ranges.owner(range);
            let class = class_id(reg).map_or(Self::NONE, |id| {
                if by_id.len() <= id {
                    by_id.resize(id + 1, Self::NONE);
                }
                if by_id[id] == Self::NONE {
                    by_id[id] = known.len() as u16;
                    known.push((by_id[id], describe(reg)));
                }
                by_id[id]
            });
            if of.len_idx() <= reg {
                of.resize(reg.index() + 1, Self::NONE);
            }
            of[reg] = class;
        }
        known.sort_by(|a, b| a.1.name.cmp(&b.1.name));
        let mut sorted = vec![0; known.len()];
        for (position, (found, _)) in known.iter().enumerate() {
            sorted[usize::from(*found)] = position as u16;
        }
        for class in of.iter_mut().filter(|c| **c != Self::NONE) {
            *class = sorted[usize::from(*class)];
        }
        list.clear();
        list.extend(known.into_iter().map(|(_, class)| class));
    }
    /// Returns the position in `list` of a register's class.
    pub fn of(&self, reg: VRegId) -> Option<usize> {
        let class = self.of[reg];
        (class != Self::NONE).then_some(class.into())
    }
}

/// A maximum and the first slot that has it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Peak {
    /// The maximum.
    pub max: u32,
    /// The first slot that has it.
    pub at: SlotIndex,
}

impl Peak {
    fn see(&mut self, count: u32, at: SlotIndex) {
        if count > self.max {
            *self = Peak { max: count, at };
        }
    }
}

/// The pressure of a function. Columns are the classes, then the total.
#[derive(Default, Debug)]
pub struct Pressure {
    /// By column.
    function: Vec<Peak>,
    /// By block in layout order, a row of columns.
    blocks: Vec<Peak>,
    /// The slots at which the total changes, and the total from there on.
    pub curve: Vec<(SlotIndex, u32)>,
    /// By slot: its events. An event is twice the class, plus one at a start.
    events: Rows,
    live: Vec<u32>,
}

impl Pressure {
    /// Measures all registers that have a range.
    pub fn measure(&mut self, all: &LiveRanges, classes: &Classes, slots: &SlotIndexes) {
        self.distribute(all, classes, slots);
        let total = classes.list.len();
        self.live.clear();
        self.live.resize(total + 1, 0);
        self.function.clear();
        self.function.resize(total + 1, Peak::default());
        self.blocks.clear();
        self.curve.clear();
        for block in slots.blocks() {
            let row = self.blocks.len();
            for slot in slots.start(block).0..slots.end(block).0 {
                let at = SlotIndex(slot);
                let here = self.events.row(slot as usize);
                let before = self.live[total];
                for event in here {
                    let class = (event >> 1) as usize;
                    let (one, words) = (1, classes.list[class].registers32());
                    // The end of one value and the start of the next may come in either order:
                    // counts may wrap in between.
                    if event & 1 == 1 {
                        self.live[class] = self.live[class].wrapping_add(one);
                        self.live[total] = self.live[total].wrapping_add(words);
                    } else {
                        self.live[class] = self.live[class].wrapping_sub(one);
                        self.live[total] = self.live[total].wrapping_sub(words);
                    }
                }
                if at == slots.start(block) {
                    self.blocks.extend(self.live.iter().map(|&max| Peak { max, at }));
                } else {
                    for class in here.iter().map(|event| (event >> 1) as usize) {
                        self.blocks[row + class].see(self.live[class], at);
                    }
                    self.blocks[row + total].see(self.live[total], at);
                }
                if self.live[total] != before {
                    self.curve.push((at, self.live[total]));
                }
            }
            for (function, block) in self.function.iter_mut().zip(&self.blocks[row..]) {
                function.see(block.max, block.at);
            }
        }
    }

    /// Sorts starts and ends by slot.
    fn distribute(&mut self, all: &LiveRanges, classes: &Classes, slots: &SlotIndexes) {
        let ranges =
            all.ranges.iter().filter_map(|r| Some((classes.of(all.owner(r))? as u32, all.segments(r))));
        let events = ranges.flat_map(|(class, segments)| {
            segments
                .iter()
                .flat_map(move |s| [(class << 1 | 1, s.start.0 as usize), (class << 1, s.end.0 as usize)])
        });
        self.events.collect(4 * slots.num_entries(), events);
    }

    /// Returns the peaks by class, in the order of [`Classes::list`].
    pub fn by_class(&self) -> &[Peak] {
        &self.function[..self.function.len() - 1]
    }
    /// Returns the peak of the total, in registers of 32 bits.
    pub fn total(&self) -> Peak {
        self.function[self.function.len() - 1]
    }
    /// Lists, for each block in layout order, the peaks by class and that of the total.
    pub fn blocks(&self) -> impl Iterator<Item = (&[Peak], Peak)> {
        let total = self.function.len() - 1;
        self.blocks.chunks_exact(total + 1).map(move |row| (&row[..total], row[total]))
    }
}

/// A measured function, with LLVM's names of slots and blocks.
#[derive(Clone, Copy)]
pub struct Measured<'a> {
    /// Name of the function.
    pub function: &'a str,
    /// `-maxreg`, or the number that stands for it.
    pub maxreg: u32,
    /// The number of registers that the function must fit in, if one is given.
    pub target: Option<RegisterTarget>,
    /// The architecture that the function is compiled for.
    pub architecture: Architecture,
    /// The classes of its registers.
    pub classes: &'a Classes,
    /// Its pressure.
    pub pressure: &'a Pressure,
    /// Its slots.
    pub slots: &'a SlotIndexes,
    /// LLVM's numbers of the slots.
    pub host: &'a HostSlots,
    /// By block in layout order: LLVM's number.
    pub numbers: &'a IndexSlice<BlockId, [BlockNumber]>,
}

/// A peak of a function, in JSON.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct PeakReport {
    max: u32,
    block: u32,
    slot: String,
}

/// A peak of a block, in JSON.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct BlockPeakReport {
    max: u32,
    slot: String,
}

/// A block, in JSON.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct BlockReport {
    block: u32,
    registers32: BlockPeakReport,
    classes: BTreeMap<String, BlockPeakReport>,
}

/// The `pressure` of the JSON statistics. Classes without live registers are left out.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct Report {
    maxreg: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<RegisterTarget>,
    /// The warps that are resident on a multiprocessor if a thread has as many registers as are
    /// live.
    warps: u32,
    registers32: PeakReport,
    classes: BTreeMap<String, PeakReport>,
    blocks: Vec<BlockReport>,
}

impl Measured<'_> {
    /// Returns LLVM's number of the block that `at` is in.
    pub fn block(&self, at: SlotIndex) -> u32 {
        self.numbers[self.slots.block_of(at)].raw()
    }
    /// Returns the classes that have live registers, with their peaks.
    pub fn peaks(&self) -> impl Iterator<Item = (&Class, Peak)> {
        self.classes.list.iter().zip(self.pressure.by_class().iter().copied()).filter(|(_, p)| p.max > 0)
    }
    fn peak(&self, peak: Peak) -> PeakReport {
        PeakReport { max: peak.max, block: self.block(peak.at), slot: self.host.name(peak.at) }
    }
    fn block_peak(&self, peak: Peak) -> BlockPeakReport {
        BlockPeakReport { max: peak.max, slot: self.host.name(peak.at) }
    }
    /// Makes the report for the statistics.
    pub fn report(&self) -> Report {
        let name = |class: &Class| class.name.clone();
        Report {
            maxreg: self.maxreg,
            target: self.target,
            warps: self.warps(),
            registers32: self.peak(self.pressure.total()),
            classes: self.peaks().map(|(class, p)| (name(class), self.peak(p))).collect(),
            blocks: (self.numbers.iter().zip(self.pressure.blocks()))
                .map(|(&block, (classes, total))| BlockReport {
                    block: block.raw(),
                    registers32: self.block_peak(total),
                    classes: (self.classes.list.iter().zip(classes))
                        .filter(|(_, p)| p.max > 0)
                        .map(|(class, p)| (name(class), self.block_peak(*p)))
                        .collect(),
                })
                .collect(),
        }
    }
    /// Returns how many registers of 32 bits are live at once beyond `-maxreg`.
    pub fn excess(&self) -> u32 {
        self.pressure.total().max.saturating_sub(self.maxreg)
    }
    /// Returns how many warps are resident on a multiprocessor if a thread has as many registers as
    /// are live.
    pub fn warps(&self) -> u32 {
        self.architecture.warps(self.pressure.total().max)
    }
    /// Returns whether more registers of 32 bits are live at once than the function must fit in.
    pub fn is_above_target(&self) -> bool {
        self.target.is_some_and(|target| self.pressure.total().max > target.registers)
    }
    /// Makes the text of the remark, in pieces. A piece with a key is an argument of the remark.
    pub fn remark(&self) -> Vec<(&str, String)> {
        let total = self.pressure.total();
        let mut parts = vec![
            ("", "Function: ".to_owned()),
            ("Function", self.function.to_owned()),
            ("", ": at most ".to_owned()),
            ("MaxLive", total.max.to_string()),
            ("", " 32-bit registers live, ".to_owned()),
        ];
        match self.excess() {
            0 => parts.push(("", "within -maxreg=".to_owned())),
            n => parts.extend([("Excess", n.to_string()), ("", " above -maxreg=".to_owned())]),
        }
        parts.extend([
            ("MaxReg", self.maxreg.to_string()),
            ("", " (in ".to_owned()),
            ("Block", format!("%bb.{}", self.block(total.at))),
            ("", " at ".to_owned()),
            ("Slot", self.host.name(total.at)),
            ("", ")".to_owned()),
        ]);
        for (i, (class, peak)) in self.peaks().enumerate() {
            parts.push(("", format!("{}{} ", if i == 0 { "; by class: " } else { ", " }, class.name)));
            parts.push((&class.name, peak.max.to_string()));
        }
        parts
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::ranges::Segment;
    use super::super::slot_index::Slot;
    use super::*;
    use crate::fuzzing::cases;
    use crate::liveness::tests::random::Rng;
    use crate::mir::ValueNo;
    use crate::nvptx::occupancy::LaunchBounds;

    /// Makes blocks with these numbers of instructions.
    pub fn slots(blocks: &[u32]) -> SlotIndexes {
        let mut slots = SlotIndexes::default();
        for n in blocks {
            let start = slots.begin_block().entry();
            slots.end_instrs(start + n);
        }
        slots.begin_block();
        slots
    }

    /// Returns LLVM's numbers where nothing was inserted.
    pub fn host(slots: &SlotIndexes) -> HostSlots {
        HostSlots { numbers: (0..slots.num_entries() as u32).map(|e| 16 * e).collect() }
    }

    /// Makes one register for each item, with segments (start, end, value).
    pub fn ranges(registers: &[&[(u32, u32, u32)]]) -> LiveRanges {
        let mut all = LiveRanges::default();
        for (reg, segments) in registers.iter().enumerate() {
            all.begin(VRegId::from_usize(reg));
            for &(start, end, value) in *segments {
                if value == all.values.len() as u32 - all.ranges[reg].first_value {
                    all.values.push(SlotIndex(start));
                }
                all.segments.push(Segment {
                    start: SlotIndex(start),
                    end: SlotIndex(end),
                    value: ValueNo::from_raw(value),
                });
            }
            all.end();
        }
        all
    }

    /// Gives register `i` the class `of[i]` of `list`.
    pub fn classes(all: &LiveRanges, list: &[(&str, u32)], of: &[usize]) -> Classes {
        let mut classes = Classes::default();
        classes.gather(
            all,
            |reg| Some(of[reg.index()]).filter(|&c| c < list.len()),
            |reg| {
                let (name, bits) = list[of[reg.index()]];
                Class { name: name.into(), bits }
            },
        );
        classes
    }

    const LIST: &[(&str, u32)] = &[("Int64Regs", 64), ("Int1Regs", 1), ("Int16Regs", 16)];

    fn at(entry: u32, slot: Slot) -> SlotIndex {
        SlotIndex::new(entry, slot)
    }

    #[test]
    fn l8_an_operand_that_dies_and_the_result_do_not_count_together() {
        // Entry 1 defines %0 and %1; entry 2 reads %0 and defines %2; %3 is dead at entry 3.
        let slots = slots(&[3]);
        let all = ranges(&[&[(6, 10, 0)], &[(6, 14, 0)], &[(10, 14, 0)], &[(14, 15, 0)]]);
        let classes = classes(&all, LIST, &[0, 0, 0, 2]);
        let mut p = Pressure::default();
        p.measure(&all, &classes, &slots);
        let names: Vec<_> = classes.list.iter().map(|c| &*c.name).collect();
        assert_eq!(names, ["Int16Regs", "Int64Regs"]);
        let first = at(1, Slot::Register);
        assert_eq!(p.by_class(), [Peak { max: 1, at: at(3, Slot::Register) }, Peak { max: 2, at: first }]);
        assert_eq!(p.total(), Peak { max: 4, at: first });
        assert_eq!(p.curve, [(first, 4), (at(3, Slot::Register), 1), (at(3, Slot::Dead), 0)]);
    }

    #[test]
    fn l8_an_early_clobber_counts_with_the_operand_and_values_that_touch_count_once() {
        let slots = slots(&[3]);
        // %0 is read at entry 2, where %1 is an early-clobber result; %2 has two values.
        let all = ranges(&[&[(6, 10, 0)], &[(9, 14, 0)], &[(6, 10, 0), (10, 14, 1)]]);
        let classes = classes(&all, LIST, &[0, 0, 2]);
        let mut p = Pressure::default();
        p.measure(&all, &classes, &slots);
        assert_eq!(p.by_class()[0], Peak { max: 1, at: at(1, Slot::Register) });
        assert_eq!(p.by_class()[1], Peak { max: 2, at: at(2, Slot::EarlyClobber) });
        assert_eq!(p.total(), Peak { max: 5, at: at(2, Slot::EarlyClobber) });
    }

    #[test]
    fn l8_predicates_are_listed_and_not_in_the_total_and_blocks_have_their_own() {
        let slots = slots(&[1, 1]); // entries 0: start, 1; 2: start, 3; 4: end
        let all = ranges(&[&[(6, 14, 0)], &[(8, 14, 0)], &[(6, 8, 0)]]);
        let classes = classes(&all, LIST, &[1, 0, 9]);
        let mut p = Pressure::default();
        p.measure(&all, &classes, &slots);
        let blocks: Vec<_> = p.blocks().map(|(c, t)| (c[0].max, c[1].max, t)).collect();
        // The register without class does not count; %1 is live into the second block, as a PHI-def
        // is.
        assert_eq!(blocks[0], (1, 0, Peak { max: 0, at: at(0, Slot::Block) }));
        assert_eq!(blocks[1], (1, 1, Peak { max: 2, at: at(2, Slot::Block) }));
        assert_eq!(p.total(), Peak { max: 2, at: at(2, Slot::Block) });
    }

    #[test]
    fn l8_nothing_at_all() {
        let (slots, all) = (slots(&[]), LiveRanges::default());
        let mut p = Pressure::default();
        p.measure(&all, &Classes::default(), &slots);
        assert_eq!((p.total(), p.blocks().count()), (Peak::default(), 0));
    }

    #[test]
    fn l8_remark_and_report_name_points_as_llvm_does() {
        let slots = slots(&[1, 2]);
        let all = ranges(&[&[(6, 18, 0)], &[(14, 18, 0)], &[(6, 18, 0)]]);
        let classes = classes(&all, LIST, &[0, 0, 1]);
        let mut pressure = Pressure::default();
        pressure.measure(&all, &classes, &slots);
        let host = host(&slots);
        let numbers = index_vec::index_vec![BlockNumber::new(0), BlockNumber::new(7)];
        let measured = |maxreg| Measured {
            function: "f",
            maxreg,
            target: RegisterTarget::of(Some(maxreg).filter(|&n| n < 70), LaunchBounds::default()),
            architecture: Architecture::of("sm_80"),
            classes: &classes,
            pressure: &pressure,
            slots: &slots,
            host: &host,
            numbers: &numbers,
        };
        let text = |maxreg| measured(maxreg).remark().into_iter().map(|(_, v)| v).collect::<String>();
        let point = "(in %bb.7 at 48r); by class: Int1Regs 1, Int64Regs 2";
        assert_eq!(
            text(70),
            format!("Function: f: at most 4 32-bit registers live, within -maxreg=70 {point}")
        );
        assert_eq!(
            text(3),
            format!("Function: f: at most 4 32-bit registers live, 1 above -maxreg=3 {point}")
        );
        let json = serde_json::to_value(measured(70).report()).unwrap();
        assert_eq!((json.get("target"), &json["warps"]), (None, &64.into()));
        assert!(!measured(70).is_above_target() && measured(3).is_above_target());
        let limited = serde_json::to_value(measured(3).report()).unwrap();
        assert_eq!(limited["target"], serde_json::json!({"registers": 3, "source": "option"}));
        assert_eq!(json["registers32"], serde_json::json!({"max": 4, "block": 7, "slot": "48r"}));
        assert_eq!(json["classes"]["Int1Regs"], serde_json::json!({"max": 1, "block": 0, "slot": "16r"}));
        assert_eq!(
            json["blocks"][0],
            serde_json::json!({"block": 0, "registers32": {"max": 2, "slot": "16r"},
                "classes": {"Int1Regs": {"max": 1, "slot": "16r"}, "Int64Regs": {"max": 1, "slot": "16r"}}})
        );
    }

    #[test]
    fn l8_the_sweep_agrees_with_counting_slot_by_slot() {
        let mut rng = Rng::new(8);
        let mut below = |n: u32| rng.below(n as usize) as u32;
        let mut p = Pressure::default(); // one for all: buffers are reused
        for _ in 0..cases(300) {
            let blocks: Vec<u32> = (0..1 + below(6)).map(|_| below(8)).collect();
            let slots = slots(&blocks);
            let end = slots.end((blocks.len() - 1).into()).0;
            let registers: Vec<Vec<(u32, u32, u32)>> = (0..below(20))
                .map(|_| {
                    let (mut list, mut from) = (Vec::new(), 0);
                    while list.len() < 4 && from < end {
                        let start = from + below(end - from);
                        from = start + 1 + below(end - start);
                        list.push((start, from, list.len() as u32));
                    }
                    list
                })
                .collect();
            let all = ranges(&registers.iter().map(|r| &**r).collect::<Vec<_>>());
            let of: Vec<usize> = registers.iter().map(|_| below(4) as usize).collect();
            let classes = classes(&all, LIST, &of);
            p.measure(&all, &classes, &slots);

            let columns = classes.list.len() + 1;
            let count = |slot: u32, column: usize| -> u32 {
                let live = all
                    .ranges
                    .iter()
                    .filter(|r| all.segments(r).iter().any(|s| s.start.0 <= slot && slot < s.end.0));
                let one = |class: usize| match column + 1 == columns {
                    true => classes.list[class].registers32(),
                    false => u32::from(class == column),
                };
                live.filter_map(|r| classes.of(all.owner(r))).map(one).sum()
            };
            let naive = |from: u32, to: u32, column| {
                let mut peak = Peak { max: 0, at: SlotIndex(from) };
                (from..to).for_each(|slot| peak.see(count(slot, column), SlotIndex(slot)));
                peak
            };
            for column in 0..columns {
                assert_eq!(p.function[column], naive(0, end, column));
            }
            for (block, (by_class, total)) in slots.blocks().zip(p.blocks()) {
                let (from, to) = (slots.start(block).0, slots.end(block).0);
                for (column, peak) in by_class.iter().chain([&total]).enumerate() {
                    assert_eq!(*peak, naive(from, to, column));
                }
            }
            let mut curve = p.curve.iter().peekable();
            let mut total = 0;
            for slot in 0..end {
                total = curve.next_if(|c| c.0 .0 == slot).map_or(total, |c| c.1);
                assert_eq!(total, count(slot, columns - 1));
            }
        }
    }
}
