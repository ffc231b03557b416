//! The symbolic checker on programs that libFuzzer makes, against an interpreter.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptxpasses::fuzzing::checker(bytes));
