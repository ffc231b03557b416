//! The opcodes that a pass knows by name, looked up once for each pipeline.

use crate::llvm::{MachineFunction, MissingOpcode, TargetOpcodes};
use std::any::{type_name, Any, TypeId};

/// A set of opcodes that a pass knows by name; [`opcodes!`](crate::opcodes!) makes one.
pub trait OpcodeSet: Sized + 'static {
    /// Looks up the opcodes.
    ///
    /// # Errors
    /// Names the first opcode that is required and that the target lacks.
    fn resolve(opcodes: TargetOpcodes) -> Result<Self, MissingOpcode>;
}

/// Defines a struct of opcodes that a pass knows by name.
///
/// A field is an [`Opcode`](crate::mir::Opcode), or an `Option` of one that some LLVM versions
/// lack. The names are those of the host's LLVM, and differ between versions: a field gets the
/// first of its names that the host has.
///
/// ```no_run
/// use ptxpasses::llvm::{Outcome, Place};
/// use ptxpasses::machine_pass::{MachinePass, Pass, PassRun, Plugin};
/// use ptxpasses::mir::Opcode;
///
/// ptxpasses::opcodes! {
///     /// What the pass counts.
///     struct Opcodes {
///         /// Up to LLVM 20 it has the first name, up to 23 the second.
///         add: Opcode = "ADDi32rr" | "ADD32rr" | "ADD32",
///         /// From LLVM 22 on.
///         mad_wide: Option<Opcode> = "MAD_WIDE_S32rrr" | "MAD_WIDE_S32",
///     }
/// }
///
/// #[derive(Default)]
/// struct CountSums;
///
/// impl MachinePass for CountSums {
///     fn run(&mut self, run: &mut PassRun) -> Outcome {
///         let opcodes = run.opcodes::<Opcodes>();
///         for mi in run.mf.blocks().flat_map(|block| block.instrs()) {
///             let is_sum = mi.is(opcodes.add) || opcodes.mad_wide.is_some_and(|mad| mi.is(mad));
///             run.count("sums", is_sum.into());
///         }
///         Outcome::Unchanged
///     }
/// }
///
/// ptxpasses::machine_pass!(Plugin::new("count-sums").pass(
///     Pass::new::<CountSums>("count-sums", Place::After("peephole-opt"))
///         .targets(&["nvptx64"])
///         .opcodes::<Opcodes>()
/// ));
/// ```
///
/// [`Pass::opcodes`](crate::machine_pass::Pass::opcodes) looks them up when LLVM makes a machine of
/// the target, before any output is written. If an LLVM lacks one, the process ends there with one
/// line:
///
/// ```text
/// LLVM ERROR: count-sums: pass 'count-sums' needs one of the opcodes 'ADDi32rr', 'ADD32rr', 'ADD32', and LLVM 25 has none of that name
/// ```
#[macro_export]
macro_rules! opcodes {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty = $($opcode:literal)|+),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type),+
        }
        impl $crate::machine_pass::OpcodeSet for $name {
            fn resolve(
                opcodes: $crate::llvm::TargetOpcodes,
            ) -> ::std::result::Result<Self, $crate::llvm::MissingOpcode> {
                ::std::result::Result::Ok($name {
                    $($field: opcodes.field(&[$($opcode),+])?),+
                })
            }
        }
    };
}

/// The sets of opcodes that a pass asks for, by type.
#[derive(Clone, Copy)]
pub(super) struct WantedOpcodes {
    of: TypeId,
    resolve: fn(TargetOpcodes) -> Result<Box<dyn Any>, MissingOpcode>,
}

impl WantedOpcodes {
    pub(super) fn new<T: OpcodeSet>() -> WantedOpcodes {
        let resolve = |opcodes: TargetOpcodes| Ok(Box::new(T::resolve(opcodes)?) as Box<dyn Any>);
        WantedOpcodes { of: TypeId::of::<T>(), resolve }
    }
    pub(super) fn is<T: OpcodeSet>(&self) -> bool {
        self.of == TypeId::of::<T>()
    }
    /// Looks up the opcodes.
    ///
    /// # Errors
    /// Names the first opcode that the target lacks.
    pub(super) fn resolve(&self, opcodes: TargetOpcodes) -> Result<Box<dyn Any>, MissingOpcode> {
        (self.resolve)(opcodes)
    }
}

/// The opcodes of a pass object. Its pipeline is for one target.
#[derive(Default)]
pub(super) struct KnownOpcodes(Option<Vec<Box<dyn Any>>>);

impl KnownOpcodes {
    /// Looks up the wanted sets on first use.
    ///
    /// # Errors
    /// Names the first opcode that the target lacks.
    pub(super) fn of(
        &mut self,
        wanted: &[WantedOpcodes],
        mf: MachineFunction,
    ) -> Result<&[Box<dyn Any>], MissingOpcode> {
        if self.0.is_none() {
            let sets: Result<_, _> = wanted.iter().map(|wanted| wanted.resolve(mf.opcodes())).collect();
            self.0 = Some(sets?);
        }
        Ok(self.0.as_deref().expect("they have just been looked up"))
    }
}

/// Returns the set of a type.
///
/// # Panics
/// If the pass has not asked for it.
pub(super) fn set_of<T: OpcodeSet>(sets: &[Box<dyn Any>]) -> &T {
    let found = sets.iter().find_map(|set| set.downcast_ref());
    found.unwrap_or_else(|| {
        panic!("the pass asks for no {}: say `.opcodes::<..>()` where it is described", type_name::<T>())
    })
}
