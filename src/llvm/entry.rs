//! The entry from C++ into Rust: fills the table `ptx_entry_points` with functions that call a
//! [`Plugin`].
//!
//! Raw pointers, panics and error strings are handled here, so that the plugin itself is safe code.
//! Every function that can panic runs under `catch_unwind`. A panic becomes an error message, which
//! the shim turns into LLVM's fatal error (requirement P7). No panic crosses a C++ frame.

use super::emit::BlockEmission;
use super::ir_function::IrFunction;
use super::pass_info::{PassInfo, Place};
use super::run::{Outcome, Run};
use super::runs::{self, RunGuard, RunningPass};
use super::unroll::{UnrollLoop, UnrollResult};
use super::{ffi, to_ffi_str, MachineFunction, TargetOpcodes};
use crate::mir::{EarlyLoad, EqualPhi, LoopBranch, LoopTarget, Moves, Parameter, SharedDivisor, Unroll};
use std::cell::RefCell;
use std::convert::Infallible;
use std::ffi::{c_char, c_void, CStr};
use std::fmt::Display;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::Once;

/// The C table of entry points, as the shim declares it.
pub use ffi::PtxEntryPoints as EntryPoints;

/// A knob, as LLVM's command line shows it.
#[derive(Clone, Copy)]
pub(crate) struct KnobInfo {
    /// The name without the leading dash.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// The name of the value; empty for a flag.
    pub value_name: &'static str,
    /// Whether only `--help-hidden` shows it.
    pub hidden: bool,
}

/// A loop in IR.
pub(crate) struct IrLoop<'a> {
    /// The function that it is in.
    pub function: IrFunction<'a>,
    /// How many times it runs each time it is entered, if known.
    pub trip_count: Option<u32>,
    /// Its instructions, without debug instructions.
    pub num_instrs: u32,
    /// The instructions of all the function's innermost loops with a known trip count, if each is
    /// fully unrolled.
    pub num_unrolled: u64,
    /// Pointers that an iteration passes to the next one.
    pub num_pointers: u32,
    /// Whether the steps of all its induction variables are known.
    pub has_constant_steps: bool,
    /// Whether it uses its induction variables only for addresses and for its exit condition.
    pub reads_for_addresses: bool,
    /// Loads and stores whose address advances by the same distance in each iteration.
    pub num_accesses: u32,
    /// The base pointers of these addresses.
    pub num_bases: u32,
    /// Whether an induction variable has 32 bits and is extended in the loop.
    pub extends_index: bool,
    /// Whether it multiplies an induction variable by a number known only at run time.
    pub multiplies_index: bool,
    /// Integer extensions and products in it.
    pub num_widenings: u32,
}

/// A stage that works on IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IrStage {
    /// Marks parameters as `__restrict__`.
    Restrict,
    /// Replaces PHIs whose values are computed alike.
    EqualPhis,
    /// Unrolls loops.
    Unroll,
    /// Moves loads before stores that wait.
    EarlyLoads,
    /// Turns the branches at the ends of loops.
    LoopBranches,
    /// Shares the reciprocals of divisors.
    Divisions,
}

impl IrStage {
    fn of(stage: ffi::PtxIrStage::Type) -> IrStage {
        match stage {
            ffi::PtxIrStage::PTX_IR_RESTRICT => IrStage::Restrict,
            ffi::PtxIrStage::PTX_IR_EQUAL_PHIS => IrStage::EqualPhis,
            ffi::PtxIrStage::PTX_IR_UNROLL => IrStage::Unroll,
            ffi::PtxIrStage::PTX_IR_EARLY_LOADS => IrStage::EarlyLoads,
            ffi::PtxIrStage::PTX_IR_LOOP_BRANCHES => IrStage::LoopBranches,
            _ => IrStage::Divisions,
        }
    }
    /// Its name in messages.
    fn name(self) -> &'static str {
        match self {
            IrStage::Restrict => "restrict",
            IrStage::EqualPhis => "equal-phis",
            IrStage::Unroll => "unroll",
            IrStage::EarlyLoads => "early-loads",
            IrStage::LoopBranches => "loop-branches",
            IrStage::Divisions => "divisions",
        }
    }
}

/// A file or report that is written when the process ends: its name in messages, and the function
/// that writes it.
pub(crate) type FinalOutput = (&'static str, fn() -> std::io::Result<()>);

/// The plugin, as LLVM drives it. Knobs and passes are identified by index. Errors are complete
/// messages.
pub(crate) trait Plugin: 'static {
    /// The buffers of one pass object, kept from function to function.
    type PassState;
    /// An error in an option or its value.
    type OptionError: Display;
    /// Why a pass fails on a function.
    type Failure: Display;
    /// Everything that is written when the process ends. If writing one fails, the others are still
    /// written.
    const FINAL_OUTPUTS: &'static [FinalOutput];

    /// The plugin's name, for messages and for the variable with its options.
    fn name() -> &'static CStr;
    /// A fault in the plugin's own description, because of which it refuses to load.
    fn problem() -> Option<&'static str> {
        None
    }

    /// How many knobs there are.
    fn num_knobs() -> usize;
    /// Describes a knob.
    fn knob(index: usize) -> KnobInfo;
    /// Sets a knob.
    ///
    /// # Errors
    /// Gives the message to show after the knob's name.
    fn set_knob(index: usize, value: &str) -> Result<(), Self::OptionError>;
    /// Sets the knobs named in words, as on a command line.
    ///
    /// # Errors
    /// Names the option, and says what is wrong.
    fn set_knobs(arguments: &str) -> Result<(), Self::OptionError>;

    /// How many passes are replaced or added. An added pass comes later in the list than the pass
    /// that it follows.
    fn num_passes() -> usize;
    /// Describes a pass.
    fn pass(index: usize) -> PassInfo;
    /// Whether the plugin takes this pass for the functions of a target. The stock pass, if there
    /// is one, gets the others. `arch` is the first part of the target's triple.
    fn takes(pass: usize, arch: &str) -> bool;
    /// Says what a pass needs of a target but the host's LLVM lacks, as the end of a sentence that
    /// starts with the pass. Asked when LLVM makes a machine of the target.
    fn lacks(_pass: usize, _opcodes: TargetOpcodes) -> Option<String> {
        None
    }
    /// Whether [`Plugin::leaves_loop`] is to be asked about the loops of a target.
    fn chooses_loops(_arch: &str) -> bool {
        false
    }
    /// Whether LLVM's LoopStrengthReduce is to leave a loop alone.
    fn leaves_loop(_l: &IrLoop) -> bool {
        false
    }
    /// Whether a stage on IR runs for the functions of a target.
    fn runs_on_ir(_stage: IrStage, _arch: &str) -> bool {
        false
    }
    /// Called when such a stage is done with a function. `number` is the function's position among
    /// those of its module that have a body. `num_instrs` counts its instructions before the stage.
    fn ran_on_ir(_stage: IrStage, _f: IrFunction, _number: u32, _num_instrs: u32, _nanoseconds: u64) {}
    /// Whether a parameter of `f` is to be marked as `__restrict__`.
    fn promises_restrict(_f: IrFunction, _parameter: &Parameter) -> bool {
        false
    }
    /// Whether divisions of `f` are to share the reciprocal of their divisor.
    fn shares_divisor(_f: IrFunction, _divisor: &SharedDivisor) -> bool {
        false
    }
    /// Whether a PHI of `f` is to be replaced by one computation of what its values compute.
    fn replaces_phi(_f: IrFunction, _phi: &EqualPhi) -> bool {
        false
    }
    /// Chooses how a loop is unrolled.
    fn unroll(_l: &UnrollLoop) -> Unroll {
        Unroll::default()
    }
    /// Reports whether the loop of this thread's last call of [`Plugin::unroll`] was unrolled.
    fn unrolled(_result: UnrollResult) {}
    /// Says what moves out of the loops of a function that was unrolled. `processor` is the one that
    /// it is compiled for.
    fn moves(_f: IrFunction, _processor: &str) -> Moves {
        Moves::default()
    }
    /// Whether a load of `f` is to move before the stores that it may pass.
    fn moves_load(_f: IrFunction, _load: &EarlyLoad) -> bool {
        false
    }
    /// Whether a branch at the end of a loop of `f` is to be turned: its comparison becomes its
    /// inverse, and its targets change places.
    fn turns_branch(_f: IrFunction, _branch: &LoopBranch) -> bool {
        false
    }
    /// Makes the buffers of a pass object. Not called for the emitter.
    fn new_state(pass: usize) -> Self::PassState;
    /// Runs a pass on a function. `two_address` is the state of the preceding two-address pass, if
    /// this function was its last one.
    ///
    /// # Errors
    /// Describes the miscompile that was found.
    fn run(
        pass: usize,
        state: &mut Self::PassState,
        two_address: Option<&Self::PassState>,
        run: Run,
    ) -> Result<Outcome, Self::Failure>;

    /// Called when a pipeline begins with a module for such a target.
    fn begin_module(_arch: &str) {}
    /// The comment line at the head of the assembly for such a target, if this plugin writes one.
    fn head(_arch: &str) -> Option<String> {
        None
    }
    /// Called when a pipeline is made: facts about targets may be out of date.
    fn new_pipeline() {}
    /// Emits the instructions of a block, or leaves them to the stock emitter
    /// ([`Outcome::Delegate`]).
    fn emit_block(_mf: MachineFunction, _block: BlockEmission) -> Outcome {
        Outcome::Delegate
    }
    /// Finishes a function after all its blocks are emitted.
    ///
    /// # Errors
    /// Describes the miscompile that was found.
    fn finish_selection(_mf: MachineFunction) -> Result<Outcome, Self::Failure> {
        Ok(Outcome::Unchanged)
    }

    /// Whether each analysis is compared with the stock pass's.
    fn checks_analyses() -> bool {
        false
    }
    /// Whether each analysis is printed.
    fn prints_analyses() -> bool {
        false
    }
    /// The end of the message that no pass can run in LLVM's new pass manager. It says how to
    /// continue without them.
    fn way_out() -> &'static str {
        ""
    }
    /// Whether LLVM's own code is wanted, so that LLVM's own passes suffice where none of the
    /// plugin's can run.
    fn wants_stock() -> bool {
        false
    }
    /// Whether the passes should run in LLVM's new pass manager, if LLVM has such a pipeline for
    /// the target.
    fn wants_new_pass_manager() -> bool;
    /// Notes in the statistics which pipeline ran, if it is not LLVM's choice or if our passes
    /// cannot run in it.
    fn note_pipeline(which: &str);
}

/// The table of entry points of a plugin. The compiler checks the types of both sides here.
pub(crate) const fn entry_points<P: Plugin>() -> EntryPoints {
    EntryPoints {
        name: Some(name::<P>),
        problem: Some(problem::<P>),
        current_pass: Some(current_pass),
        num_knobs: Some(num_knobs::<P>),
        knob: Some(knob::<P>),
        set_knob: Some(set_knob::<P>),
        set_knobs: Some(set_knobs::<P>),
        num_passes: Some(num_passes::<P>),
        pass: Some(pass::<P>),
        takes: Some(takes::<P>),
        lacks: Some(lacks::<P>),
        chooses_loops: Some(chooses_loops::<P>),
        leaves_loop: Some(leaves_loop::<P>),
        runs_on_ir: Some(runs_on_ir::<P>),
        ran_on_ir: Some(ran_on_ir::<P>),
        unroll: Some(unroll::<P>),
        unrolled: Some(unrolled::<P>),
        moves: Some(moves::<P>),
        moves_load: Some(moves_load::<P>),
        turns_branch: Some(turns_branch::<P>),
        shares_divisor: Some(shares_divisor::<P>),
        promises_restrict: Some(promises_restrict::<P>),
        replaces_phi: Some(replaces_phi::<P>),
        new_state: Some(new_state::<P>),
        free_state: Some(free_state::<P>),
        run: Some(run::<P>),
        begin_module: Some(begin_module::<P>),
        head: Some(head::<P>),
        new_pipeline: Some(new_pipeline::<P>),
        finish_selection: Some(finish_selection::<P>),
        emit_block: Some(emit_block::<P>),
        check_analyses: Some(check_analyses::<P>),
        print_analyses: Some(print_analyses::<P>),
        way_out: Some(way_out::<P>),
        wants_stock: Some(wants_stock::<P>),
        wants_new_pass_manager: Some(wants_new_pass_manager::<P>),
        note_pipeline: Some(note_pipeline::<P>),
        finish: Some(finish::<P>),
    }
}

/// Fills in LLVM's struct of a pass plugin.
///
/// # Safety
/// `result` must be a place for the struct of the host's LLVM, which is that of the shim's headers.
#[doc(hidden)]
pub unsafe fn fill_pass_plugin_info(result: *mut c_void, version: &'static CStr) -> *mut c_void {
    // SAFETY: by the caller's promise; the version lives as long as the library.
    unsafe { ffi::ptx_pass_plugin_info(result, version.as_ptr()) }
}

/// The reason why the plugin refused to load, or null.
#[doc(hidden)]
pub fn refusal() -> *const c_char {
    // SAFETY: it has no argument and reads what was written when the library was loaded.
    unsafe { ffi::ptx_refusal() }
}

/// The name of the plugin that this process loaded.
pub fn plugin_name() -> &'static str {
    // SAFETY: the shim returns what [`Plugin::name`] does.
    unsafe { CStr::from_ptr(ffi::ptx_plugin_name()) }.to_str().unwrap_or_default()
}

/// Defines the symbols of a plugin: `ptx_entry_points`, which the shim names, and two for the
/// loader and for programs.
#[doc(hidden)]
#[macro_export]
macro_rules! export_entry_points {
    ($entry_points:expr) => {
        /// The functions that the shim calls.
        // The lint warns about the linker's names. These names are the plugin's, and these are
        // their only definitions.
        #[allow(unsafe_code, non_upper_case_globals)]
        #[no_mangle]
        pub static ptx_entry_points: $crate::llvm::EntryPoints = $entry_points;

        /// The entry of LLVM's pass plugins. It serves a host that loads the build for its own LLVM
        /// by name, and the loader, which explains this type.
        ///
        /// # Safety
        /// `result` must be a place for LLVM's struct.
        #[allow(unsafe_code, non_snake_case)]
        #[no_mangle]
        pub unsafe extern "C" fn llvmGetPassPluginInfo(
            result: *mut ::std::ffi::c_void,
        ) -> *mut ::std::ffi::c_void {
            const VERSION: &::std::ffi::CStr = match ::std::ffi::CStr::from_bytes_with_nul(
                concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
            ) {
                Ok(version) => version,
                Err(_) => panic!("cargo's version has no null"),
            };
            // SAFETY: by the caller's promise.
            unsafe { $crate::llvm::fill_pass_plugin_info(result, VERSION) }
        }

        /// The reason why the plugin refused to load, or null, for the loader and for programs.
        #[allow(unsafe_code)]
        #[no_mangle]
        pub extern "C" fn ptxpasses_refusal() -> *const ::std::ffi::c_char {
            $crate::llvm::refusal()
        }
    };
}

thread_local! {
    /// The text of the last `PtxStr` that this thread returned: an error message, or the head of a
    /// module.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
    /// The location of this thread's last panic.
    static PANIC_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps an error message or another text until this thread's next one.
fn keep_message(text: String) -> ffi::PtxStr {
    MESSAGE.with(|m| {
        *m.borrow_mut() = text;
        to_ffi_str(&m.borrow())
    })
}

const NO_STR: ffi::PtxStr = ffi::PtxStr { data: std::ptr::null(), len: 0 };

/// Runs `f`; a panic in it becomes an error like those of `f`. `what` describes the work.
fn guard<T, E: Display>(
    what: impl FnOnce() -> String,
    f: impl FnOnce() -> Result<T, E>,
) -> Result<T, String> {
    match catch_panic(f) {
        Ok(result) => result.map_err(|why| why.to_string()),
        Err(panic) => Err(format!("{}: {}: internal error: {panic}", plugin_name(), what())),
    }
}

/// A panic: its text and location.
pub(crate) struct Panic(String, String);

impl Display for Panic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at {})", self.0, self.1)
    }
}

/// Runs `f`.
///
/// # Errors
/// A panic in it.
pub(crate) fn catch_panic<T>(f: impl FnOnce() -> T) -> Result<T, Panic> {
    // Our copy of std has its own hook: the host's is not touched. The panic is reported once, as
    // LLVM's fatal error.
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let at = info.location().map(ToString::to_string).unwrap_or_default();
            PANIC_AT.with(|p| *p.borrow_mut() = at);
        }));
    });
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        Panic(text.replace('\n', " "), PANIC_AT.with_borrow(Clone::clone))
    })
}

/// Runs `f`, the work of a pass on a function, for the shim.
///
/// # Safety
/// `error` must be a place for the message of a failure.
unsafe fn guard_pass<P: Plugin>(
    pass: usize,
    mf: MachineFunction,
    error: *mut ffi::PtxStr,
    f: impl FnOnce() -> Result<Outcome, P::Failure>,
) -> ffi::PtxOutcome::Type {
    let pass = RunningPass { name_of: |index| P::pass(index).name, index: pass };
    let _run = RunGuard::begin(pass);
    match guard(|| format!("pass '{}', function '{}'", pass.name(), mf.name()), f) {
        Ok(Outcome::Changed) => ffi::PtxOutcome::PTX_CHANGED,
        Ok(Outcome::Unchanged) => ffi::PtxOutcome::PTX_UNCHANGED,
        Ok(Outcome::Delegate) => ffi::PtxOutcome::PTX_DELEGATE,
        Err(message) => {
            // SAFETY: by the caller's promise.
            unsafe { *error = keep_message(message) };
            ffi::PtxOutcome::PTX_FAILED
        }
    }
}

extern "C" fn name<P: Plugin>() -> *const c_char {
    P::name().as_ptr()
}

extern "C" fn problem<P: Plugin>() -> ffi::PtxStr {
    P::problem().map_or(NO_STR, to_ffi_str)
}

extern "C" fn current_pass() -> ffi::PtxStr {
    to_ffi_str(runs::current_pass())
}

extern "C" fn num_knobs<P: Plugin>() -> u32 {
    P::num_knobs() as u32
}

extern "C" fn knob<P: Plugin>(index: u32) -> ffi::PtxKnob {
    let k = P::knob(index as usize);
    ffi::PtxKnob {
        name: to_ffi_str(k.name),
        help: to_ffi_str(k.help),
        value_name: to_ffi_str(k.value_name),
        hidden: k.hidden,
    }
}

extern "C" fn set_knob<P: Plugin>(index: u32, value: ffi::PtxStr) -> ffi::PtxStr {
    let index = index as usize;
    // SAFETY: the shim passes a string that lives through the call.
    let value = unsafe { super::borrow_str(value) };
    match guard(|| format!("-{}", P::knob(index).name), || P::set_knob(index, &value)) {
        Ok(()) => NO_STR,
        Err(message) => keep_message(message),
    }
}

extern "C" fn set_knobs<P: Plugin>(arguments: ffi::PtxStr) -> ffi::PtxStr {
    // SAFETY: the shim passes a string that lives through the call.
    let arguments = unsafe { super::borrow_str(arguments) };
    match guard(|| "the environment".to_owned(), || P::set_knobs(&arguments)) {
        Ok(()) => NO_STR,
        Err(message) => keep_message(message),
    }
}

extern "C" fn num_passes<P: Plugin>() -> u32 {
    P::num_passes() as u32
}

extern "C" fn pass<P: Plugin>(index: u32) -> ffi::PtxPass {
    let p = P::pass(index as usize);
    let (place, anchor) = match p.place {
        None => (ffi::PtxPlace::PTX_PLACE_EMITTER, p.argument),
        Some(Place::InsteadOf(anchor)) => (ffi::PtxPlace::PTX_PLACE_INSTEAD, anchor),
        Some(Place::Before(anchor)) => (ffi::PtxPlace::PTX_PLACE_BEFORE, anchor),
        Some(Place::After(anchor)) => (ffi::PtxPlace::PTX_PLACE_AFTER, anchor),
    };
    ffi::PtxPass {
        place,
        argument: to_ffi_str(p.argument),
        title: to_ffi_str(p.title),
        anchor: to_ffi_str(anchor),
        is_analysis: p.is_analysis,
        asks_to_skip: p.asks_to_skip,
        needs: p.needs.bits(),
        keeps: p.keeps.bits(),
    }
}

extern "C" fn takes<P: Plugin>(pass: u32, arch: ffi::PtxStr) -> bool {
    // SAFETY: the shim passes a string that lives through the call.
    P::takes(pass as usize, &unsafe { super::borrow_str(arch) })
}

extern "C" fn lacks<P: Plugin>(pass: u32, opcodes: *const ffi::PtxOpcodes) -> ffi::PtxStr {
    let pass = pass as usize;
    // SAFETY: the shim passes the table of a target, which lives through the call.
    let opcodes = unsafe { TargetOpcodes::from_ptr(opcodes) };
    match guard(|| format!("pass '{}'", P::pass(pass).name), || Ok::<_, Infallible>(P::lacks(pass, opcodes)))
    {
        Ok(None) => NO_STR,
        Ok(Some(message)) => keep_message(message),
        Err(panic) => keep_message(format!("cannot say what it needs: {panic}")),
    }
}

extern "C" fn chooses_loops<P: Plugin>(arch: ffi::PtxStr) -> bool {
    // SAFETY: the shim passes a string that lives through the call.
    P::chooses_loops(&unsafe { super::borrow_str(arch) })
}

extern "C" fn leaves_loop<P: Plugin>(l: *const ffi::PtxIrLoop) -> bool {
    // SAFETY: the shim passes a loop that is valid through the call. LLVM gives its function to
    // this pass only.
    let (l, function) = unsafe { (&*l, IrFunction::new((*l).function)) };
    P::leaves_loop(&IrLoop {
        function,
        trip_count: Some(l.trip_count).filter(|&count| count > 0),
        num_instrs: l.num_instrs,
        num_unrolled: l.num_unrolled,
        num_pointers: l.num_pointers,
        has_constant_steps: l.has_constant_steps,
        reads_for_addresses: l.reads_for_addresses,
        num_accesses: l.num_accesses,
        num_bases: l.num_bases,
        extends_index: l.extends_index,
        multiplies_index: l.multiplies_index,
        num_widenings: l.num_widenings,
    })
}

extern "C" fn runs_on_ir<P: Plugin>(stage: ffi::PtxIrStage::Type, arch: ffi::PtxStr) -> bool {
    // SAFETY: the shim passes a string that lives through the call.
    P::runs_on_ir(IrStage::of(stage), &unsafe { super::borrow_str(arch) })
}

extern "C" fn ran_on_ir<P: Plugin>(
    stage: ffi::PtxIrStage::Type,
    function: *const ffi::PtxIrFunction,
    number: u32,
    num_instrs: u32,
    nanoseconds: u64,
) {
    // SAFETY: the shim passes a function that is valid through the call. LLVM gives it to this pass
    // only.
    let function = unsafe { IrFunction::new(function) };
    P::ran_on_ir(IrStage::of(stage), function, number, num_instrs, nanoseconds);
}

/// Writes the answer of a stage about `function` to `place`, or the message of a panic to `error`.
/// Returns whether there is an answer.
///
/// # Safety
/// Both must be places that can be written.
unsafe fn answer<T>(
    stage: IrStage,
    function: IrFunction,
    place: *mut T,
    error: *mut ffi::PtxStr,
    ask: impl FnOnce() -> T,
) -> bool {
    let what = || format!("stage '{}', function '{}'", stage.name(), function.name());
    let result = guard(what, || Ok::<_, Infallible>(ask()));
    let is_answered = result.is_ok();
    // SAFETY: by the caller's promise.
    unsafe {
        match result {
            Ok(answer) => *place = answer,
            Err(message) => *error = keep_message(message),
        }
    }
    is_answered
}

/// Declares the entry points by which a stage asks for yes or no about something in a function. Each
/// reads the shim's record of it: `|record, function|`.
macro_rules! yes_or_no {
    ($($name:ident($record:ident, $stage:ident): |$r:ident, $f:ident| $facts:expr;)*) => {$(
        extern "C" fn $name<P: Plugin>(
            record: *const ffi::$record,
            place: *mut bool,
            error: *mut ffi::PtxStr,
        ) -> bool {
            // SAFETY: the shim passes a record that is valid through the call. LLVM gives its function
            // to this pass only.
            let ($r, $f) = unsafe { (&*record, IrFunction::new((*record).function)) };
            let facts = $facts;
            let ask = || P::$name($f, &facts);
            // SAFETY: the shim passes places for the choice and for the message.
            unsafe { answer(IrStage::$stage, $f, place, error, ask) }
        }
    )*};
}

yes_or_no! {
    promises_restrict(PtxParameter, Restrict): |r, f| Parameter {
        is_of_kernel: f.is_kernel(),
        is_by_value: r.is_by_value,
        is_restrict: r.is_restrict,
    };
    replaces_phi(PtxEqualPhi, EqualPhis): |r, f| EqualPhi { num_instrs: r.num_instrs };
    moves_load(PtxEarlyLoad, EarlyLoads): |r, f| EarlyLoad { num_moved: r.num_moved, is_in_loop: r.is_in_loop };
    turns_branch(PtxLoopBranch, LoopBranches): |r, f| LoopBranch {
        if_true: loop_target(r.if_true),
        if_false: loop_target(r.if_false),
        compares_integers: r.compares_integers,
        is_read_elsewhere: r.is_read_elsewhere,
        num_blocks: r.num_blocks,
        is_unrolling_disabled: r.is_unrolling_disabled,
    };
    shares_divisor(PtxSharedDivisor, Divisions): |r, f| SharedDivisor {
        num_divisions: r.num_divisions,
        num_reciprocals: r.num_reciprocals,
        num_shared: r.num_shared,
        is_double: r.is_double,
        is_invariant: r.is_invariant,
    };
}

extern "C" fn unroll<P: Plugin>(
    l: *const ffi::PtxUnrollLoop,
    choice: *mut ffi::PtxUnroll,
    error: *mut ffi::PtxStr,
) -> bool {
    // SAFETY: the shim passes a loop that is valid through the call. LLVM gives its function to
    // this pass only.
    let l = unsafe { UnrollLoop::new(&*l) };
    let ask = || {
        let Unroll { count, remainder, last } = P::unroll(&l);
        ffi::PtxUnroll { count, remainder, last }
    };
    // SAFETY: the shim passes places for the choice and for the message.
    unsafe { answer(IrStage::Unroll, l.function, choice, error, ask) }
}

extern "C" fn unrolled<P: Plugin>(result: ffi::PtxUnrolled::Type) {
    P::unrolled(UnrollResult::of(result));
}

extern "C" fn moves<P: Plugin>(
    function: *const ffi::PtxIrFunction,
    processor: ffi::PtxStr,
    moves: *mut ffi::PtxMoves,
    error: *mut ffi::PtxStr,
) -> bool {
    // SAFETY: the shim passes a function and a string that are valid through the call. LLVM gives the
    // function to this pass only.
    let (function, processor) = unsafe { (IrFunction::new(function), super::borrow_str(processor)) };
    let ask = || {
        let Moves { most, loads } = P::moves(function, &processor);
        ffi::PtxMoves { most, loads }
    };
    // SAFETY: the shim passes places for the answer and for the message.
    unsafe { answer(IrStage::Unroll, function, moves, error, ask) }
}

/// The place where a branch goes.
fn loop_target(target: ffi::PtxLoopTarget::Type) -> LoopTarget {
    match target {
        ffi::PtxLoopTarget::PTX_LOOP_HEADER => LoopTarget::Header,
        ffi::PtxLoopTarget::PTX_LOOP_INSIDE => LoopTarget::Inside,
        _ => LoopTarget::Exit,
    }
}

extern "C" fn new_state<P: Plugin>(pass: u32) -> *mut ffi::PtxPassState {
    Box::into_raw(Box::new(P::new_state(pass as usize))).cast()
}

extern "C" fn free_state<P: Plugin>(state: *mut ffi::PtxPassState) {
    // SAFETY: it came from `new_state`, and the shim frees it once.
    drop(unsafe { Box::from_raw(state.cast::<P::PassState>()) });
}

extern "C" fn run<P: Plugin>(run: *const ffi::PtxRun, error: *mut ffi::PtxStr) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a run that is valid through the call. LLVM's pass manager gives the
    // function and its analyses to this pass only until it returns. The state is this pass object's
    // own, made by `new_state`. The two-address pass's state belongs to another object, which is
    // done with the function and runs again only after this one has returned.
    let (pass, r, state, two_address) = unsafe {
        let run = &*run;
        let mf = MachineFunction::new(NonNull::new(run.mf).expect("the shim passes a function"));
        let state = &mut *run.state.cast::<P::PassState>();
        (run.pass as usize, Run::new(mf, run), state, run.two_address.cast::<P::PassState>().as_ref())
    };
    // SAFETY: the shim passes a place for the message.
    unsafe { guard_pass::<P>(pass, r.mf, error, || P::run(pass, state, two_address, r)) }
}

extern "C" fn begin_module<P: Plugin>(arch: ffi::PtxStr) {
    // SAFETY: the shim passes a string that lives through the call.
    P::begin_module(&unsafe { super::borrow_str(arch) });
}

extern "C" fn head<P: Plugin>(arch: ffi::PtxStr) -> ffi::PtxStr {
    // SAFETY: the shim passes a string that lives through the call.
    P::head(&unsafe { super::borrow_str(arch) }).map_or(NO_STR, keep_message)
}

extern "C" fn new_pipeline<P: Plugin>() {
    P::new_pipeline();
}

extern "C" fn emit_block<P: Plugin>(
    run: *const ffi::PtxEmitRun,
    error: *mut ffi::PtxStr,
) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a run that is valid through the call. LLVM's selection gives the
    // function and the block to its scheduler only until it returns.
    let (pass, mf, block) = unsafe {
        let run = &*run;
        let mf = MachineFunction::new(NonNull::new(run.mf).expect("the shim passes a function"));
        let emission = NonNull::new(run.emission).expect("the shim passes an emission");
        (run.pass as usize, mf, BlockEmission::new(emission, mf))
    };
    // SAFETY: the shim passes a place for the message.
    unsafe { guard_pass::<P>(pass, mf, error, || Ok(P::emit_block(mf, block))) }
}

extern "C" fn finish_selection<P: Plugin>(
    mf: *mut ffi::PtxFunction,
    error: *mut ffi::PtxStr,
) -> ffi::PtxOutcome::Type {
    // SAFETY: the shim passes a function that is valid through the call.
    let mf = unsafe { MachineFunction::new(NonNull::new(mf).expect("the shim passes a function")) };
    let emitter = (0..P::num_passes()).find(|&p| P::pass(p).place.is_none());
    let emitter = emitter.expect("the shim asks for this only where the emitter is replaced");
    // SAFETY: the shim passes a place for the message.
    unsafe { guard_pass::<P>(emitter, mf, error, || P::finish_selection(mf)) }
}

extern "C" fn check_analyses<P: Plugin>() -> bool {
    P::checks_analyses()
}

extern "C" fn print_analyses<P: Plugin>() -> bool {
    P::prints_analyses()
}

extern "C" fn way_out<P: Plugin>() -> ffi::PtxStr {
    to_ffi_str(P::way_out())
}

extern "C" fn wants_stock<P: Plugin>() -> bool {
    P::wants_stock()
}

extern "C" fn wants_new_pass_manager<P: Plugin>() -> bool {
    P::wants_new_pass_manager()
}

extern "C" fn note_pipeline<P: Plugin>(which: ffi::PtxStr) {
    // SAFETY: the shim passes a string that lives through the call.
    P::note_pipeline(&unsafe { super::borrow_str(which) });
}

extern "C" fn finish<P: Plugin>() -> bool {
    let mut is_written = true;
    for &(what, write) in P::FINAL_OUTPUTS {
        if let Err(message) = guard(|| what.to_owned(), write) {
            eprintln!("{}: error: {message}", plugin_name());
            is_written = false;
        }
    }
    is_written
}
