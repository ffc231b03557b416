//! Measures how many instructions of warps a replay takes in a second: `cargo run --release --package gpu-time --example speed`.
//!
//! The code is a loop of arithmetic, loads from global and from shared memory, on all warps of a multiprocessor.

use std::time::Instant;

use gpu_time::code::{Action, Op, Reads};
use gpu_time::machine::{Error, Machine};
use gpu_time::memory::{costs, Layout};
use gpu_time::pipe::Pipe;
use gpu_time::replay::{replay, Shape};
use gpu_time::trace::{Block, Kind, Order, Traced, WarpTrace, HAS_ACCESS};

fn main() -> Result<(), Error> {
    let machine = Machine::of(90)?;
    let op = |pipe, stall, write, wait| Op {
        pipe,
        action: Action::None,
        stall,
        busy: machine.busy(pipe),
        latency: machine.latency(pipe),
        loads_uniform: false,
        uses_uniform: false,
        write,
        read: 7,
        wait,
        // Three operands of two banks, as most instructions of arithmetic have.
        reads: Reads { registers: [Some(2), Some(3), Some(4)], ..Reads::default() },
    };
    let mut ops = vec![op(Pipe::Memory, 1, 0, 0), op(Pipe::Memory, 1, 1, 0)];
    ops.extend((0..14).map(|at| op([Pipe::Fma, Pipe::Alu][at % 2], 4, 7, if at == 0 { 3 } else { 0 })));
    let places = |at: u32| if at < 2 { at | HAS_ACCESS } else { at };
    let mut block = Block::default();
    for warp in 0..8_u64 {
        let mut trace = WarpTrace::default();
        for turn in 0..1_000_u64 {
            trace.places.extend((0..ops.len() as u32).map(places));
            for kind in [Kind::Load, Kind::Shared] {
                let first = block.sectors.len() as u32;
                let sectors = if kind == Kind::Load { 4 } else { 0 };
                block.sectors.extend((0..sectors).map(|sector| (8 * turn + warp) * 4 + sector));
                let sectors = sectors as u16;
                trace.accesses.push(Traced { kind, wavefronts: 1, first, sectors, order: Order::First });
            }
        }
        block.warps.push(trace);
    }
    let blocks = [block];
    let layout = Layout { size: &|_| Some(1 << 30), resident: 8, shared: 0 };
    let before = Instant::now();
    let run = replay(
        &machine,
        &ops,
        &blocks,
        &costs(&machine, &blocks, &layout),
        Shape { resident: 8, blocks: 64 },
    );
    let seconds = before.elapsed().as_secs_f64();
    println!(
        "{} instructions of warps in {seconds:.2} s: {:.1} million a second; {} cycles",
        run.issued,
        run.issued as f64 / seconds / 1e6,
        run.cycles
    );
    Ok(())
}
