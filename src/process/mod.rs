//! The process of a plugin: its command line, and the files and statistics that it writes at its
//! end.

pub mod arguments;
pub mod compiler;
pub mod names;
pub mod output_file;
pub mod statistics;
pub mod trace;
