//! Knows the process that a plugin is in: names and words of its command line, files and statistics that are written when it ends.

pub mod arguments;
pub mod compiler;
pub mod names;
pub mod output_file;
pub mod statistics;
