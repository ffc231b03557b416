//! Counts the opcodes of cubins that the emulator does not know, without running anything.
//!
//!     cargo run --release --package sass-emu --example unknown -- NVDISASM CUBIN...

use std::collections::BTreeMap;
use std::path::Path;

use sass_emu::cubin::Cubin;
use sass_emu::decode::decode_assuming;
use sass_emu::instruction::disassemble;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let nvdisasm = arguments.next().ok_or("usage: unknown NVDISASM CUBIN...")?;
    // By opcode: how often, in how many kernels, why and an example.
    let mut found: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    let (mut num_kernels, mut num_stopped) = (0, 0);
    for file in arguments {
        let cubin = Cubin::read(&std::fs::read(&file)?)?;
        let listing = disassemble(Path::new(&nvdisasm), Path::new(&file), &cubin)?;
        for (name, code) in &listing {
            num_kernels += 1;
            let functions = &cubin.kernels[name].functions;
            let mut own = BTreeMap::new();
            for unknown in decode_assuming(code, functions).0.into_iter().filter_map(Result::err) {
                own.entry(unknown.opcode).or_insert((0, format!("{} ({})", unknown.text, unknown.why))).0 +=
                    1;
            }
            num_stopped += usize::from(!own.is_empty());
            for (opcode, (count, example)) in own {
                let all = found.entry(opcode).or_insert((0, 0, example));
                (all.0, all.1) = (all.0 + count, all.1 + 1);
            }
        }
    }
    println!("{num_kernels} kernels, {num_stopped} with unknown opcodes");
    for (opcode, (count, kernels, example)) in found {
        println!("{opcode}: {count} in {kernels} kernels, as {example}");
    }
    Ok(())
}
