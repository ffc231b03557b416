//! Liveness and the coalescer on functions that libFuzzer makes.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptxpasses::fuzzing::coalescer(bytes));
