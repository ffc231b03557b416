//! Sums up the kernels of a block.

use super::{Row, WRITTEN};
use crate::measure::judgement::{mean_ratio, MANY_REGISTERS};
use crate::measure::Numbers;
use crate::text::{self, thousands};

type Get = fn(&Numbers) -> u64;

const REGISTERS: Get = |numbers| numbers.registers;
const SASS: Get = |numbers| numbers.sass;

/// Geometric means of the ratios, sums of both sides, and the kernels with the largest ratios.
pub fn table(rows: &[&Row], width: Option<u16>) -> comfy_table::Table {
    let mut table = text::table_in(&["all kernels", "stock", "ptxpasses", "ratio"], 1, width);
    let has_tensor_cores = |row: &&Row| row.ptx.stock.tensor_cores;
    let pairs = |get: Get| move |row: &&Row| (get(&row.stock), get(&row.ours));
    let many = rows.iter().filter(|row| row.stock.registers >= MANY_REGISTERS).copied();
    let tensor: Vec<&Row> = rows.iter().copied().filter(has_tensor_cores).collect();
    let means = [
        ("registers".to_owned(), mean_ratio(rows.iter().map(pairs(REGISTERS)))),
        (
            format!("registers, kernels of {MANY_REGISTERS} or more"),
            mean_ratio(many.map(|row| pairs(REGISTERS)(&row))),
        ),
        ("registers, tensor-core kernels".to_owned(), mean_ratio(tensor.iter().map(pairs(REGISTERS)))),
        ("SASS".to_owned(), mean_ratio(rows.iter().map(pairs(SASS)))),
        ("SASS, tensor-core kernels".to_owned(), mean_ratio(tensor.iter().map(pairs(SASS)))),
    ];
    for (label, (ratio, count)) in means.into_iter().filter(|(_, (_, count))| *count > 0) {
        let label = format!("{label}, geometric mean over {count}");
        table.add_row(vec![label, String::new(), String::new(), format!("{ratio:.4}")]);
    }
    let mut sum = |label: &str, (stock, ours): (u64, u64)| {
        let ratio = if stock > 0 { format!("{:.4}", ours as f64 / stock as f64) } else { "-".to_owned() };
        table.add_row(vec![format!("{label}, sum"), thousands(stock), thousands(ours), ratio]);
    };
    let both = |of: &dyn Fn(&Row) -> (u64, u64)| {
        rows.iter().map(|row| of(row)).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    };
    let numbers: [(&str, Get); 3] =
        [("spilled bytes", Numbers::spills), ("stack", |numbers| numbers.stack), ("SASS", SASS)];
    for (label, get) in numbers {
        sum(label, both(&|row| (get(&row.stock), get(&row.ours))));
    }
    for (label, get) in WRITTEN {
        sum(label, both(&|row| (get(&row.ptx.stock), get(&row.ptx.ours))));
    }
    for (label, get) in [("registers", REGISTERS), ("SASS", SASS)] {
        if let Some((row, ratio)) = worst(rows, get) {
            let cell = |numbers: &Numbers| thousands(get(numbers));
            let label = format!("worst in {label}: {}", row.label());
            table.add_row(vec![label, cell(&row.stock), cell(&row.ours), format!("{ratio:.4}")]);
        }
    }
    table
}

/// The kernel with the largest ratio.
fn worst<'a>(rows: &[&'a Row], get: Get) -> Option<(&'a Row, f64)> {
    let ratio = |row: &Row| get(&row.ours) as f64 / get(&row.stock).max(1) as f64;
    rows.iter().map(|&row| (row, ratio(row))).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The numbers of kernels that are better and worse, by each count.
pub fn counts(rows: &[&Row]) -> comfy_table::Table {
    let mut table = text::table(&["kernels, by", "better", "worse", "same"], 1);
    // Smaller is better.
    let things: [(&str, Get); 4] = [
        ("registers", REGISTERS),
        ("occupancy", |numbers| u64::from(numbers.max_warps.saturating_sub(numbers.warps))),
        ("spilled bytes", Numbers::spills),
        ("SASS", SASS),
    ];
    for (label, get) in things {
        let count = |is: fn(&u64, &u64) -> bool| {
            rows.iter().filter(|row| is(&get(&row.ours), &get(&row.stock))).count().to_string()
        };
        table.add_row(vec![label.to_owned(), count(u64::lt), count(u64::gt), count(u64::eq)]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    fn numbers(registers: u64, sass: u64, warps: u32) -> Numbers {
        Numbers { registers, sass, warps, max_warps: 64, ..Numbers::default() }
    }

    fn rows() -> [Row; 3] {
        let mut tensor = row("tensor", numbers(100, 1000, 32), numbers(50, 1100, 64));
        tensor.ptx.stock.tensor_cores = true;
        tensor.ptx.stock.moves = 4000;
        tensor.ptx.ours.moves = 1000;
        let spilling = Numbers { spill_stores: 8, ..numbers(20, 100, 64) };
        [
            tensor,
            row("spilling", numbers(10, 100, 64), spilling),
            row("same", numbers(0, 9, 64), numbers(0, 9, 64)),
        ]
    }

    #[test]
    fn means_sums_and_the_worst() {
        let rows = rows();
        let table = table(&rows.each_ref(), None).to_string();
        let cells = |label: &str| -> Vec<&str> {
            let line =
                table.lines().find(|line| line.contains(label)).unwrap_or_else(|| panic!("{label}\n{table}"));
            line.split('|').skip(2).map(str::trim).filter(|cell| !cell.is_empty()).collect()
        };
        assert_eq!(cells("registers, geometric mean over 2"), ["1.0000"], "a zero says nothing");
        assert_eq!(cells("registers, kernels of 40 or more, geometric mean over 1"), ["0.5000"]);
        assert_eq!(cells("SASS, tensor-core kernels, geometric mean over 1"), ["1.1000"]);
        assert_eq!(cells("spilled bytes, sum"), ["0", "8", "-"]);
        assert_eq!(cells("reg-reg, sum"), ["4,000", "1,000", "0.2500"]);
        assert_eq!(cells("worst in registers: f.ll: spilling"), ["10", "20", "2.0000"]);
        assert_eq!(cells("worst in SASS: f.ll: tensor"), ["1,000", "1,100", "1.1000"]);
        let without = super::table(&[&rows[1]], None).to_string();
        assert!(!without.contains("tensor-core") && !without.contains("40 or more"), "{without}");
    }

    #[test]
    fn better_and_worse_kernels_are_counted() {
        let table = counts(&rows().each_ref()).to_string();
        let counts: Vec<String> = table
            .lines()
            .skip(2)
            .map(|line| line.split(['|', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(counts, ["registers 1 1 1", "occupancy 1 0 2", "spilled bytes 0 1 2", "SASS 0 1 2"]);
    }

    #[test]
    fn long_names_fit_in_the_width() {
        let mut wide = row(&"_Z".repeat(90), numbers(255, 1_000_000, 8), numbers(254, 1_000_001, 8));
        wide.file = "triton_matmul_fp16_128x256x64_sm90.ll".to_owned();
        let table = table(&[&wide], Some(text::WIDTH)).to_string();
        assert!(table.lines().all(|line| line.len() <= usize::from(text::WIDTH)), "{table}");
    }
}
