//! Are the values that are read what they were?
//!
//! **Problem.** The stage that folds addresses ([`crate::stages::fold_addresses`]) takes other registers and constants for the address of a load or
//! store, and computes sums and products in another way: to the proof of moves these are other instructions. It reasons about bits and
//! wrapping, which this must not share. Another stage ([`crate::stages::hoist`]) computes in other blocks.
//!
//! **Algorithm.** Random interpretation. Every register that this does not know how to compute gets a random value in each of
//! [`WORLDS`] worlds, the same one before and behind the stage, as SSA registers keep their defs. The others are computed of
//! these by what the instruction *prints as* (`mul.wide.u32`), not by opcode. An address that is another sum differs in a world
//! but for a chance of 2^-64 in each; one that is the same only as long as bits are clear that need not be differs in half of the worlds for
//! each such bit; and sums that wrap around do so in some of the worlds whose values are extreme.
//!
//! What else depends on nothing but its operands is computed as a hash of what it is and of these: that is the same where the operands are.
//! Whatever is not computed at all has to be the same instructions, in their order, that read the same values: loads and stores
//! addresses, PHIs, inline assembly, branches. An induction variable is what it was at first and its step as often as there were turns,
//! which is any number, but the same for all of one loop. Another stage ([`crate::stages::induction`]) makes others, and nobody need read the PHIs
//! themselves then. That what is read was defined is shown apart ([`super::defined`]).
//!
//! **Source.** Gulwani and Necula, "Discovering affine equalities using random interpretation" (2003).
//!
//! **Complexity.** Linear in the instructions, times [`WORLDS`].

/// How often addresses are computed.
pub const WORLDS: usize = 16;
/// Of them those where values are any; in the others they are next to where numbers wrap around or change their sign.
const EVEN: usize = 4;

/// A value in each world.
pub type Values = [u64; WORLDS];

/// What is read of a function.
pub trait Source {
    /// Whether an instruction of this number is computed: what it prints as, its name, and what it reads; `None` stands for a register that is
    /// not defined like this, and for operands that are neither registers nor constants.
    fn def(&mut self, reg: u32) -> Option<Def>;
    /// Of a PHI of a loop that adds the same in every turn: what.
    fn counter(&mut self, reg: u32) -> Option<Counter>;
    /// Whether what defines it loads 32 bits or fewer, and the sign or zeros come in front: how many, and whether the sign.
    fn extends(&mut self, reg: u32) -> Option<(u32, bool)>;
    /// How many threads a block has at most in each direction.
    fn threads(&self) -> [u32; 3];
}

/// How a register is computed.
#[derive(Clone, Debug)]
pub struct Def {
    /// What the instruction begins with, as printed.
    pub mnemonic: String,
    /// The name of its opcode.
    pub name: String,
    /// What it reads.
    pub operands: Vec<Operand>,
    /// If it depends on nothing but the registers among these: a hash of the rest of it.
    pub content: Option<u64>,
}

impl Def {
    fn is_computed(&self) -> bool {
        self.content.is_some() || self.computed(&vec![0; self.operands.len()]).is_some()
    }
    /// What it computes, if that is known.
    fn computed(&self, operands: &[u64]) -> Option<u64> {
        let are_numbers = !self.operands.contains(&Operand::Other);
        are_numbers.then(|| compute(&self.mnemonic, &self.name, operands)).flatten()
    }
    /// The same, or something that content and operands tell in this world.
    fn value(&self, operands: &[u64], world: usize) -> Option<u64> {
        self.computed(operands).or_else(|| {
            let regs = self.operands.iter().zip(operands).filter(|(o, _)| matches!(o, Operand::Reg(_)));
            self.content
                .map(|content| random(regs.fold(content, |hash, (_, &value)| mix(hash ^ value)), world))
        })
    }
}

/// An induction variable.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The register that it is at first.
    pub first: u32,
    /// What a turn adds, which no turn changes.
    pub step: Operand,
    /// Tells loops apart.
    pub turns: u64,
    /// How many bits it has.
    pub bits: u32,
}

/// A virtual register, by index, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// By index.
    Reg(u32),
    /// Sign-extended.
    Imm(i64),
    /// Anything else.
    Other,
}

/// What an instruction reads: where it is and the values of an address, or of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Tells instructions apart.
    pub key: usize,
    /// Of its address or operand.
    pub values: Values,
}

/// The values of a function's registers.
#[derive(Default)]
pub struct Worlds {
    known: Vec<Option<Values>>,
}

impl Worlds {
    /// Begins with a function of so many virtual registers.
    pub fn clear(&mut self, num_virt_regs: usize) {
        self.known.clear();
        self.known.resize(num_virt_regs, None);
    }

    /// The values of `reg` and a constant.
    pub fn address(&mut self, source: &mut impl Source, reg: u32, offset: i64) -> Values {
        self.values(source, reg).map(|v| v.wrapping_add(offset as u64))
    }

    /// Whether what defines `reg` is computed.
    pub fn computes(&self, source: &mut impl Source, reg: u32) -> bool {
        source.def(reg).is_some_and(|def| def.is_computed())
    }
    /// Whether it is an induction variable.
    pub fn counts(&self, source: &mut impl Source, reg: u32) -> bool {
        source.counter(reg).is_some()
    }

    fn values(&mut self, source: &mut impl Source, reg: u32) -> Values {
        // Registers that are to be computed, the next one last, and whether their operands are behind them.
        let mut stack = vec![(reg, false)];
        while let Some(&(top, _)) = stack.last() {
            if self.known[top as usize].is_some() {
                stack.pop();
                continue;
            }
            let def = source.def(top);
            let number = def.as_ref().and_then(|d| most_of(&d.name, source.threads()));
            let def = def.filter(|d| d.is_computed() && number.is_none());
            let Some(def) = def else {
                if let Some(counter) = source.counter(top) {
                    let step = match counter.step {
                        Operand::Reg(step) => Some(step),
                        _ => None,
                    };
                    let mut read = [Some(counter.first), step].into_iter().flatten();
                    let Some(unknown) = read.find(|&r| self.known[r as usize].is_none()) else {
                        self.known[top as usize] = Some(self.after_turns(counter));
                        continue;
                    };
                    // A value that comes from itself is any.
                    let at = stack.len() - 1;
                    stack[at].1 = true;
                    if !stack.contains(&(unknown, true)) {
                        stack.push((unknown, false));
                        continue;
                    }
                }
                let extends = source.extends(top);
                self.known[top as usize] = Some(std::array::from_fn(|world| {
                    let any = random(u64::from(top), world);
                    extended(number.map_or(any, |most| any % u64::from(most)), extends)
                }));
                continue;
            };
            let before = stack.len();
            stack[before - 1].1 = true;
            for operand in &def.operands {
                if let &Operand::Reg(r) = operand {
                    if self.known[r as usize].is_none() {
                        stack.push((r, false));
                    }
                }
            }
            if stack.len() == before {
                let extends = source.extends(top);
                self.known[top as usize] = Some(std::array::from_fn(|world| {
                    let operands: Vec<u64> = def
                        .operands
                        .iter()
                        .map(|o| match *o {
                            Operand::Reg(r) => self.known[r as usize].expect("computed above")[world],
                            Operand::Imm(imm) => imm as u64,
                            Operand::Other => 0,
                        })
                        .collect();
                    extended(
                        def.value(&operands, world).unwrap_or_else(|| random(u64::from(top), world)),
                        extends,
                    )
                }));
            }
        }
        self.known[reg as usize].expect("computed above")
    }

    /// What an induction variable is after some turns.
    fn after_turns(&self, counter: Counter) -> Values {
        let known = |reg: u32, world: usize| self.known[reg as usize].expect("computed above")[world];
        std::array::from_fn(|world| {
            let step = match counter.step {
                Operand::Imm(step) => step as u64,
                Operand::Reg(reg) => known(reg, world),
                Operand::Other => unreachable!("a step is a number"),
            };
            let more = random(counter.turns, world).wrapping_mul(step);
            known(counter.first, world).wrapping_add(more) & u64::MAX >> (64 - counter.bits)
        })
    }
}

/// The first access that is another one or has another address, by its position; none if all are as they were.
pub fn differ(before: &[Access], after: &[Access]) -> Option<usize> {
    let first = before.iter().zip(after).position(|(b, a)| b != a);
    first.or_else(|| (before.len() != after.len()).then(|| before.len().min(after.len())))
}

/// What is loaded, extended if it is.
fn extended(value: u64, from: Option<(u32, bool)>) -> u64 {
    let Some((bits, sign)) = from else { return value };
    let high = value << (64 - bits);
    if sign {
        (high as i64 >> (64 - bits)) as u64
    } else {
        high >> (64 - bits)
    }
}

/// A value in a world, the same whenever it is asked for.
fn random(key: u64, world: usize) -> u64 {
    let any = mix(key << 8 ^ mix(key) ^ world as u64);
    if world < EVEN {
        return any;
    }
    let edge = [0, u64::MAX, 1 << 31, u64::from(u32::MAX), 1 << 63][(any >> 8) as usize % 5];
    // Most often the edge itself, or close to it on either side.
    edge.wrapping_add((any & 7).saturating_sub(4)).wrapping_sub((any >> 3 & 7).saturating_sub(4))
}

/// splitmix64
fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// How many different numbers of a thread or lane there are: PTX, "Special Registers".
fn most_of(name: &str, threads: [u32; 3]) -> Option<u32> {
    match name.strip_prefix("INT_PTX_SREG_")? {
        "TID_x" => Some(threads[0]),
        "TID_y" => Some(threads[1]),
        "TID_z" => Some(threads[2]),
        "LANEID" => Some(32),
        _ => None,
    }
}

/// What an instruction computes of these operands; none if that is not known here.
fn compute(mnemonic: &str, name: &str, operands: &[u64]) -> Option<u64> {
    // Conversions print modifiers, which end what can be told from an opcode.
    if let Some((to, from)) = name.strip_prefix("CVT_").and_then(|n| n.split_once('_')) {
        let (&value, &mode) = (operands.first()?, operands.get(1)?);
        return (mode == 0).then(|| convert(to, from, value)).flatten();
    }
    if name == "COPY" {
        return operands.first().copied();
    }
    let mut words = mnemonic.trim().split('.');
    let operation = words.next()?;
    let rest: Vec<&str> = words.collect();
    let bits = match rest.last()?.trim_start_matches(['b', 's', 'u']) {
        "32" => 32,
        "64" => 64,
        _ => return None,
    };
    let mask = u64::MAX >> (64 - bits);
    let (a, b, c) = (*operands.first()?, operands.get(1).copied(), operands.get(2).copied());
    let result = match (operation, &rest[..rest.len() - 1]) {
        // One that puts halves together reads several.
        ("mov", []) if operands.len() == 1 => a,
        ("add", []) => a.wrapping_add(b?),
        ("sub", []) => a.wrapping_sub(b?),
        ("or", []) => a | b?,
        ("xor", []) => a ^ b?,
        ("and", []) => a & b?,
        ("shl", []) => (a & mask).checked_shl(b? as u32).filter(|_| b < Some(bits)).unwrap_or(0),
        ("shr", []) if rest[0].starts_with(['u', 'b']) => {
            (a & mask).checked_shr(b? as u32).filter(|_| b < Some(bits)).unwrap_or(0)
        }
        ("mul", ["lo"]) => a.wrapping_mul(b?),
        ("mad", ["lo"]) => a.wrapping_mul(b?).wrapping_add(c?),
        ("mul" | "mad", ["wide"]) if bits == 32 => {
            let product = if *rest.last()? == "u32" {
                u64::from(a as u32) * u64::from(b? as u32)
            } else {
                (i64::from(a as i32) * i64::from(b? as i32)) as u64
            };
            return Some(product.wrapping_add(if operation == "mad" { c? } else { 0 }));
        }
        ("bfe", []) if *rest.last()? == "u32" && b? + c? <= 32 => a >> b? & !(u64::MAX << c?),
        _ => return None,
    };
    Some(result & mask)
}

fn convert(to: &str, from: &str, value: u64) -> Option<u64> {
    Some(match (to, from) {
        ("u64" | "s64", "u32") => u64::from(value as u32),
        ("u64" | "s64", "s32") => i64::from(value as i32) as u64,
        ("u32" | "s32", "u64" | "s64") => u64::from(value as u32),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Listed(Vec<Option<Def>>, Vec<(u32, Counter)>);
    impl Source for Listed {
        fn def(&mut self, reg: u32) -> Option<Def> {
            self.0[reg as usize].clone()
        }
        fn counter(&mut self, reg: u32) -> Option<Counter> {
            self.1.iter().find(|(of, _)| *of == reg).map(|&(_, counter)| counter)
        }
        fn extends(&mut self, _: u32) -> Option<(u32, bool)> {
            None
        }
        fn threads(&self) -> [u32; 3] {
            [1024; 3]
        }
    }
    fn def(mnemonic: &str, operands: &[Operand]) -> Option<Def> {
        Some(Def {
            mnemonic: mnemonic.into(),
            name: String::new(),
            operands: operands.to_vec(),
            content: None,
        })
    }
    fn values(defs: Vec<Option<Def>>, reg: u32, offset: i64) -> Values {
        let mut worlds = Worlds::default();
        worlds.clear(defs.len());
        worlds.address(&mut Listed(defs, Vec::new()), reg, offset)
    }

    #[test]
    fn k1_addresses_or_is_a_sum_where_bits_are_clear() {
        use Operand::{Imm, Reg};
        let address = |shift, imm| {
            vec![
                None,
                None,
                def("shl.b32 \t", &[Reg(0), Imm(shift)]),
                def("or.b32", &[Reg(2), Imm(imm)]),
                def("mul.wide.u32 ", &[Reg(3), Imm(8)]),
                def("add.s64", &[Reg(1), Reg(4)]),
                def("mul.wide.u32", &[Reg(2), Imm(8)]),
                def("add.s64", &[Reg(1), Reg(6)]),
            ]
        };
        assert_eq!(values(address(2, 3), 5, 0), values(address(2, 3), 7, 24));
        assert_ne!(values(address(2, 4), 5, 0), values(address(2, 4), 7, 32));
        assert_ne!(values(address(2, 3), 5, 0), values(address(2, 3), 7, 23));
        // A sum may wrap around in 32 bits.
        for imm in [1, 1 << 31] {
            let mut defs = address(0, 0);
            defs[3] = def("add.s32", &[Reg(2), Imm(imm)]);
            assert_ne!(values(defs.clone(), 5, 0), values(defs, 7, 8 * imm), "{imm}");
        }
    }

    #[test]
    fn k1_addresses_signs() {
        for (name, value, result) in [
            ("CVT_s64_s32", 0xffff_ffff, Some(u64::MAX)),
            ("CVT_u64_u32", 0xffff_ffff, Some(0xffff_ffff)),
            ("CVT_u32_u64", 0x1_0000_0002, Some(2)),
            ("CVT_f32_u32", 1, None),
        ] {
            assert_eq!(compute("cvt", name, &[value, 0]), result, "{name}");
        }
        assert_eq!(compute("mul.wide.s32", "", &[0xffff_ffff, 4]), Some(-4i64 as u64));
        assert_eq!(compute("mul.wide.u32", "", &[0xffff_ffff, 4]), Some(0x3_ffff_fffc));
        assert_eq!(compute("mad.wide.s32", "", &[0xffff_ffff, 4, 5]), Some(1));
        assert_eq!(compute("mad.wide.u32", "", &[0xffff_ffff, 4, 5]), Some(0x4_0000_0001));
        assert_eq!(compute("shr.s32", "", &[0x8000_0000, 4]), None);
        assert_eq!(compute("bfe.u32", "", &[0xabcd, 4, 8]), Some(0xbc));
        assert_eq!(compute("mov.b64", "", &[1, 2]), None);
        assert_eq!(compute("mov.u32", "INT_PTX_SREG_TID_x", &[]), None);
    }

    #[test]
    fn k1_addresses_what_is_loaded_is_extended() {
        assert_eq!(extended(0x1_8000_0001, Some((32, true))), 0xffff_ffff_8000_0001);
        assert_eq!(extended(0x1_8000_0001, Some((32, false))), 0x8000_0001);
        assert_eq!(extended(0x1_8001, Some((16, true))), 0xffff_ffff_ffff_8001);
        assert_eq!(extended(u64::MAX, None), u64::MAX);
    }

    #[test]
    fn k1_addresses_what_depends_on_its_operands_alone_is_a_hash_of_them() {
        use Operand::{Other, Reg};
        let fma = |content, operands: &[Operand]| {
            let fma = def("fma.rn.f32", operands).map(|d| Def { content: Some(content), ..d });
            values(vec![None, None, None, fma], 3, 0)
        };
        let one = fma(7, &[Reg(0), Other, Reg(1)]);
        assert_eq!(one, fma(7, &[Reg(0), Other, Reg(1)]));
        assert_ne!(one, fma(8, &[Reg(0), Other, Reg(1)]));
        assert_ne!(one, fma(7, &[Reg(1), Other, Reg(0)]));
        assert_ne!(one, fma(7, &[Reg(0), Other, Reg(2)]));
    }

    #[test]
    fn k1_addresses_induction_variables_of_one_loop_have_as_many_turns() {
        use Operand::{Imm, Reg};
        // %3 and %4 are variables; %5 = %3 + %2.
        let values = |steps: [Operand; 2], turns: [u64; 2], bits| {
            let mut defs = vec![None; 6];
            defs[1] = def("add.s64", &[Reg(0), Reg(2)]);
            defs[5] = def("add.s64", &[Reg(3), Reg(2)]);
            let counter = |which: usize| {
                let first = which as u32;
                (3 + first, Counter { first, step: steps[which], turns: turns[which], bits })
            };
            let mut source = Listed(defs, vec![counter(0), counter(1)]);
            let mut worlds = Worlds::default();
            worlds.clear(6);
            assert!(worlds.counts(&mut source, 3) && !worlds.counts(&mut source, 5));
            [5, 4].map(|reg| worlds.address(&mut source, reg, 0))
        };
        for step in [Imm(-8), Reg(2)] {
            let [sum, own] = values([step; 2], [7; 2], 64);
            assert_eq!(sum, own);
            let [sum, own] = values([step; 2], [7, 8], 64);
            assert_ne!(sum, own);
            let [sum, own] = values([step; 2], [7; 2], 32);
            assert_ne!(sum, own);
        }
        let [sum, own] = values([Imm(8), Imm(4)], [7; 2], 64);
        assert_ne!(sum, own);
    }

    /// Found by tests/fuzz/run.py: what only waits to be computed was taken for a value that comes from itself.
    #[test]
    fn k1_addresses_a_step_that_waits_is_no_cycle() {
        use Operand::Reg;
        // %3 begins with %0 and steps by %2 to %4, %5 begins with %0 + %2.
        let mut defs = vec![None; 6];
        defs[1] = def("add.s64", &[Reg(0), Reg(2)]);
        defs[4] = def("add.s64", &[Reg(2), Reg(3)]);
        let counter = |first| Counter { first, step: Reg(2), turns: 7, bits: 64 };
        let mut source = Listed(defs, vec![(3, counter(0)), (5, counter(1))]);
        let mut worlds = Worlds::default();
        worlds.clear(6);
        let [next, own] = [4, 5].map(|reg| worlds.address(&mut source, reg, 0));
        assert_eq!(next, own);
    }

    #[test]
    fn k1_addresses_differ() {
        let access = |key, value| Access { key, values: [value; WORLDS] };
        let before = [access(1, 5), access(2, 6)];
        assert_eq!(differ(&before, &before), None);
        assert_eq!(differ(&before, &[access(1, 5), access(2, 7)]), Some(1));
        assert_eq!(differ(&before, &[access(2, 6), access(1, 5)]), Some(0));
        assert_eq!(differ(&before, &before[..1]), Some(1));
    }
}
