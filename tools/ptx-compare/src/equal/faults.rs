//! Wrong code that the plugin once made: where an address is the name of a variable, it used the
//! value beside it as the address.
//!
//! Each check must find it alone: runs of one thread, runs of whole grids by made-up launches, and
//! the widths of registers where the value has another width than an address.

use super::*;

/// The files of a kernel: stock's text, and the wrong one.
macro_rules! pair {
    ($name:literal) => {
        [
            include_str!(concat!("faults/", $name, ".stock.ptx")),
            include_str!(concat!("faults/", $name, ".faulty.ptx")),
        ]
    };
}

const SWAP: [&str; 2] = pair!("swap");
const COPY: [&str; 2] = pair!("copy");
const SUM: [&str; 2] = pair!("sum");
const ALL: [[&str; 2]; 3] = [SWAP, COPY, SUM];

#[test]
fn runs_of_one_thread_find_a_value_that_was_taken_for_an_address() {
    for [stock, faulty] in ALL {
        let report = compare_texts(stock, stock, 8, |_| None);
        assert_eq!((report.failures.len(), report.functions), (0, 1), "{stock}");
        assert_eq!(compare_texts(stock, faulty, 8, |_| None).failures.len(), 1, "{faulty}");
    }
}

#[test]
fn made_up_grids_find_a_value_that_was_taken_for_an_address() {
    for [stock, faulty] in ALL {
        let report = compare_grids(stock, stock, &[], |_| true, |_| None);
        assert_eq!((report.failures.len(), report.functions), (0, 1), "{stock}");
        assert_eq!(compare_grids(stock, faulty, &[], |_| true, |_| None).failures.len(), 1, "{faulty}");
    }
}

#[test]
fn widths_tell_a_value_that_was_taken_for_an_address() {
    let wrong = |[stock, faulty]: [&str; 2]| WidthReport::of(stock, faulty).wrong;
    let copy = "line 19, function copy: %r3 has 32 bits; operand 2 of cp.async.ca.shared.global needs 64 bits, as an address in global \
                memory has: cp.async.ca.shared.global [tile], [%r3], 16;";
    assert_eq!(wrong(COPY), [copy]);
    let sum = "line 25, function sum: %r1 has 32 bits; operand 3 of atom.shared.add.f64 needs 64 bits: atom.shared.add.f64 %rd4, [total], %r1;";
    assert_eq!(wrong(SUM), [sum]);
    // Both values have 32 bits there.
    assert_eq!(wrong(SWAP), [""; 0]);
    for [stock, faulty] in ALL {
        assert_eq!(wrong([stock, stock]), [""; 0]);
        // An error that stock's text has as well is reported, but is not a failure.
        let of_both = WidthReport::of(faulty, faulty);
        assert_eq!((of_both.wrong.len(), of_both.of_both.len()), (0, wrong([stock, faulty]).len()));
    }
}

#[test]
fn a_wrong_width_is_a_failure_though_nothing_can_be_run() {
    let [stock, faulty] = COPY.map(|text| text.replace("cp.async.wait_all;", "nosuch.b32 %r1;"));
    let report = Report {
        widths: WidthReport::of(&stock, &faulty),
        ..compare_grids(&stock, &faulty, &[], |_| true, |_| None)
    };
    assert_eq!((report.functions, report.failures.len()), (0, 0));
    assert!(!report.is_fine());
    assert!(differences(COPY[0], COPY[1], 1, |_| None).contains_key("copy"));
}
