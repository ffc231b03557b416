//! The limits of a launch.
//!
//! **Problem.** All blocks of a grid live at once. A launch that needs more memory than there is
//! would end the process.
//!
//! **Method.** The numbers are checked before anything is allocated. Each error says what is
//! allowed.

use crate::error::Error;

use super::decode::Code;
use super::image::Head;
use super::launch::Launch;
use super::matrix::Row;
use super::memory::BUFFER;
use super::warp::{Warp, LANES};

/// Threads of a grid.
const THREADS: u128 = 1 << 22;
/// Bytes of the registers of all threads and of the parameters of their calls.
const HELD: u128 = 4 << 30;
/// Bytes of a kernel's parameters (PTX ISA, section 5.1.6.1 "Kernel Function Parameters").
const PARAMETERS: u64 = 32_764;

/// Checks that a launch is not too large; the error says what is.
pub fn check(launch: &Launch, head: &Head, code: &Code) -> Result<(), Error> {
    let kernel = &launch.kernel;
    let blocks: u128 = launch.grid.iter().map(|&size| u128::from(size)).product();
    let threads = u128::from(launch.threads());
    if blocks * threads > THREADS {
        let [x, y, z] = launch.grid;
        let all = blocks * threads;
        return Err(Error::Limit(format!(
            "the launch of {kernel} has {all} threads (grid {x} {y} {z}, blocks of {threads}); {THREADS} are allowed"
        )));
    }
    if head.size > PARAMETERS {
        return Err(Error::Limit(format!(
            "the kernel {kernel} has {} bytes of parameters; {PARAMETERS} are allowed",
            head.size
        )));
    }
    if let Some((number, buffer)) = launch.buffers().enumerate().find(|(_, buffer)| buffer.size > BUFFER) {
        return Err(Error::Limit(format!(
            "the launch of {kernel}: buffer {number} has {} bytes; {BUFFER} are allowed",
            buffer.size
        )));
    }
    let warps = blocks * threads.div_ceil(LANES as u128);
    let register = (size_of::<Row>() + size_of::<u32>()) as u128;
    let parameter = (LANES * (size_of::<u8>() + size_of::<bool>())) as u128;
    let registers = code.masks.len() as u128;
    let one = size_of::<Warp>() as u128 + registers * register + code.parameter_size as u128 * parameter;
    if warps * one > HELD {
        return Err(Error::Limit(format!(
            "the launch of {kernel} has {warps} warps of {registers} registers a thread, {one} bytes each; {} warps are allowed",
            HELD / one
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::block::{self, Program, Undefined};
    use super::super::launch::Argument;
    use super::super::launch::Buffer;
    use super::*;

    fn refusal(code: &str, change: impl FnOnce(&mut Launch)) -> String {
        let program = Program::new(&format!(".visible .entry k({code}")).expect("a module");
        let mut launch = Launch::new("k".to_owned());
        change(&mut launch);
        let refused = block::run(&program, &launch, Undefined::Arbitrary, 1000).err();
        refused.map_or_else(String::new, |why| why.to_string())
    }

    const EMPTY: &str = ")\n{\nret;\n}\n";

    #[test]
    fn a_launch_that_is_too_large_is_refused_with_what_is_allowed() {
        assert_eq!(refusal(EMPTY, |_| {}), "");
        assert_eq!(refusal(EMPTY, |launch| launch.grid = [7_000, 1, 1]), "", "many blocks are fine");
        let all = refusal(EMPTY, |launch| (launch.grid, launch.block) = ([u32::MAX; 3], [1024, 1, 1]));
        assert!(
            all.ends_with("(grid 4294967295 4294967295 4294967295, blocks of 1024); 4194304 are allowed"),
            "{all}"
        );
        let wide = refusal(EMPTY, |launch| launch.grid[0] = u32::MAX);
        assert!(wide.starts_with("the launch of k has 4294967295 threads"), "{wide}");
        let buffer = |size| {
            move |launch: &mut Launch| {
                launch.arguments.push(Argument::Buffer(Buffer {
                    address: 1 << 34,
                    size,
                    ..Buffer::default()
                }));
            }
        };
        let pointer = ".param .b64 p)\n{\nret;\n}\n";
        assert_eq!(refusal(pointer, buffer(BUFFER)), "");
        let large = refusal(pointer, buffer(u64::MAX));
        assert_eq!(large, "the launch of k: buffer 0 has 18446744073709551615 bytes; 1073741824 are allowed");
        let parameters = refusal(".param .b8 p[99999999999])\n{\nret;\n}\n", |_| {});
        assert_eq!(parameters, "the kernel k has 99999999999 bytes of parameters; 32764 are allowed");
    }

    #[test]
    fn registers_count() {
        let code: String = (0..500).map(|number| format!("mov.b64 %rd{number}, {number};\n")).collect();
        let code = format!(")\n{{\n.reg .b64 %rd<500>;\n{code}ret;\n}}\n");
        let all = refusal(&code, |launch| (launch.grid, launch.block) = ([4096, 1, 1], [1024, 1, 1]));
        assert!(all.starts_with("the launch of k has 131072 warps of 500 registers a thread"), "{all}");
        assert!(all.contains(" warps are allowed"), "{all}");
    }
}
