//! The exit statuses of all commands.
//!
//! 0 for success ([`std::process::ExitCode::SUCCESS`]), 1 if something differs or is worse
//! ([`std::process::ExitCode::FAILURE`]); for `bisect`, which searches, 0 means found. The others
//! are here.

/// The work could not be tried.
pub const FAILED: u8 = 2;
/// The user has interrupted it: as a shell reports a program that SIGINT has ended.
pub const INTERRUPTED: i32 = 130;
/// The reader of its output has gone: as a shell reports a program that SIGPIPE has ended.
pub const READER_IS_GONE: i32 = 141;
