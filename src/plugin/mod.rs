//! The top of the plugin: the list of passes and stages, the options, the statistics, and the entry
//! from LLVM.

#[cfg(all(ptx_host, not(test)))]
mod bisect;
pub mod drawings;
#[cfg(all(ptx_host, not(test)))]
mod driver;
#[cfg(all(ptx_host, not(test)))]
mod emission;
#[cfg(all(ptx_host, not(test)))]
pub mod entry;
pub mod head;
#[cfg(all(ptx_host, not(test)))]
mod ir_choices;
#[cfg(all(ptx_host, not(test)))]
mod ir_statistics;
pub mod knob;
pub mod knobs;
#[cfg(all(ptx_host, not(test)))]
mod left_loops;
#[cfg(all(ptx_host, not(test)))]
mod loop_branches;
#[cfg(all(ptx_host, not(test)))]
mod options;
pub mod pipeline;
#[cfg(all(ptx_host, not(test)))]
mod pressure;
pub mod rows;
#[cfg(all(ptx_host, not(test)))]
mod stage_code;
#[cfg(all(ptx_host, not(test)))]
mod stats;
pub mod step;
#[cfg(all(ptx_host, not(test)))]
mod steps;
#[cfg(all(ptx_host, not(test)))]
mod unrolling;
