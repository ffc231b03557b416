//! A function in IR: the limits on threads and registers that it states.

use super::read::read_list;
use super::{borrow_str, ffi, to_ffi_str};
use crate::nvptx::occupancy::LaunchBounds;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A `llvm::Function`.
#[derive(Clone, Copy)]
pub struct IrFunction<'f> {
    ptr: NonNull<ffi::PtxIrFunction>,
    _life: PhantomData<&'f ()>,
}

/// The threads of a block in each dimension, as a kernel states them; all zero if it states none.
#[derive(Default)]
struct StatedThreads {
    /// `.reqntid`
    required: [u32; 3],
    /// `.maxntid`
    most: [u32; 3],
}

/// Multiplies the threads of all dimensions. A dimension that is not given has one thread.
fn product(sizes: [u32; 3]) -> u32 {
    sizes.iter().fold(1, |n: u32, &m| n.saturating_mul(m.max(1)))
}

// Each call in these blocks passes pointers that the handle keeps valid (see the module
// documentation).
impl<'f> IrFunction<'f> {
    /// # Safety
    /// `ptr` must be a function that lives, and is not changed by others, for `'f`.
    pub(super) unsafe fn new(ptr: *const ffi::PtxIrFunction) -> Self {
        IrFunction {
            ptr: NonNull::new(ptr.cast_mut()).expect("the shim passes a function"),
            _life: PhantomData,
        }
    }
    /// Its name.
    pub fn name(self) -> Cow<'f, str> {
        // SAFETY: handle; the name belongs to the function.
        unsafe { borrow_str(ffi::ptx_ir_name(self.ptr.as_ptr())) }
    }
    /// Identifier of its module.
    pub fn module_name(self) -> Cow<'f, str> {
        // SAFETY: handle; the identifier belongs to the module.
        unsafe { borrow_str(ffi::ptx_ir_module_name(self.ptr.as_ptr())) }
    }
    /// Whether it is a kernel: by its calling convention, or by an annotation, as older producers of
    /// IR say it.
    pub fn is_kernel(self) -> bool {
        // SAFETY: handle.
        let by_convention = unsafe { ffi::ptx_ir_has_kernel_convention(self.ptr.as_ptr()) };
        by_convention || self.annotations().iter().any(|(name, value)| name == "kernel" && *value == 1)
    }
    /// The most threads of a kernel's block in each dimension (`.reqntid`, `.maxntid`); 1,024 if
    /// nothing is stated.
    pub fn max_threads(self) -> [u32; 3] {
        const MAX: u32 = 1024;
        let StatedThreads { required, most } = self.stated_threads();
        // A dimension that is not given has one thread.
        let sizes = if required != [0; 3] {
            required
        } else if most != [0; 3] {
            // Only the product is a bound.
            [product(most); 3]
        } else {
            [MAX; 3]
        };
        sizes.map(|n| n.clamp(1, MAX))
    }
    /// Reads the launch bounds and the register limit of a kernel (`.reqntid`, `.maxntid`,
    /// `.minnctapersm`, `.maxnreg`).
    pub fn launch_bounds(self) -> LaunchBounds {
        let StatedThreads { required, most } = self.stated_threads();
        let threads = [required, most].into_iter().find(|sizes| *sizes != [0; 3]).map(product);
        let annotations = self.annotations();
        let stated = |name: &str| {
            let annotation = annotations.iter().find(|(n, _)| n == name).map(|(_, value)| *value as u32);
            let attribute = self.attribute(&format!("nvvm.{name}"));
            annotation.or_else(|| attribute.trim().parse().ok()).filter(|&n| n > 0)
        };
        LaunchBounds { threads, min_blocks: stated("minctasm"), max_registers: stated("maxnreg") }
    }
    /// The processor that it is compiled for, as named by `-mcpu`; empty if there is none.
    pub fn processor(self) -> Cow<'f, str> {
        self.attribute("target-cpu")
    }
    /// The threads of a block, as stated by a kernel: in LLVM 17 to 20 as metadata, later as
    /// attributes.
    fn stated_threads(self) -> StatedThreads {
        const MAX: u32 = 1024;
        let mut stated = StatedThreads::default();
        let StatedThreads { required, most } = &mut stated;
        for (name, value) in self.annotations() {
            for (prefix, sizes) in [("reqntid", &mut *required), ("maxntid", &mut *most)] {
                let direction =
                    name.strip_prefix(prefix).and_then(|end| ["x", "y", "z"].iter().position(|d| *d == end));
                if let Some(direction) = direction {
                    sizes[direction] = value as u32;
                }
            }
        }
        for (name, sizes) in [("nvvm.reqntid", required), ("nvvm.maxntid", most)] {
            let text = self.attribute(name);
            if !text.is_empty() {
                let mut numbers = text.split(',').map(|number| number.trim().parse().unwrap_or(MAX));
                *sizes = [0; 3].map(|_: u32| numbers.next().unwrap_or(0));
            }
        }
        stated
    }
    /// The value of a string attribute; empty if the function lacks it.
    fn attribute(self, name: &str) -> Cow<'f, str> {
        // SAFETY: handle; the name lives through the call, the text as long as the function.
        unsafe { borrow_str(ffi::ptx_ir_attribute(self.ptr.as_ptr(), to_ffi_str(name))) }
    }
    /// The numbers that `!nvvm.annotations` gives the function, in order.
    fn annotations(self) -> Vec<(Cow<'f, str>, u64)> {
        let mut all = Vec::new();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut all, |out, n| unsafe { ffi::ptx_ir_annotations(self.ptr.as_ptr(), out, n) });
        // SAFETY: the names belong to the module.
        all.iter().map(|a: &ffi::PtxAnnotation| (unsafe { borrow_str(a.name) }, a.value)).collect()
    }
}
