//! Calls of the real driver.
//!
//! **Problem.** The real driver may be older than this library. **Method.** Each function is looked
//! up when it is first called; a missing one is `None`. **Source.** `cuda.h`. **Deviation.** None.
//! **Complexity.** None.

use std::ffi::{c_char, c_void, CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use gpu_record::contents::Parameter;
use gpu_record::setup;

use super::{Status, SUCCESS};
use crate::address::{Knows, Range};
use crate::names::{Handle, Kind};
use crate::recorder::{Asked, Gpu};

/// CUDA_ERROR_INVALID_VALUE: there is no parameter with this number.
const INVALID_VALUE: Status = 1;
/// CU_POINTER_ATTRIBUTE_MEMORY_TYPE and CU_POINTER_ATTRIBUTE_IS_MANAGED.
const MEMORY_TYPE: u32 = 2;
const IS_MANAGED: u32 = 8;
/// CU_MEMORYTYPE_HOST.
const HOST: u32 = 1;
/// CU_STREAM_CAPTURE_MODE_RELAXED.
const RELAXED: u32 = 2;
/// The most parameters of a kernel.
const MOST_PARAMETERS: usize = 4096;

/// The address of one of the real driver's functions, or 0.
pub fn find(name: &str) -> usize {
    static DRIVER: OnceLock<usize> = OnceLock::new();
    let driver = *DRIVER.get_or_init(|| {
        let folder = std::env::var_os(setup::VARIABLE).unwrap_or_default();
        let file = Path::new(&folder).join(setup::REAL);
        let Ok(file) = CString::new(file.as_os_str().as_bytes()) else { return 0 };
        // SAFETY: the name ends with a zero byte. The library was loaded together with this one, so
        // that no code runs now.
        unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW) as usize }
    });
    // A process whose environment was taken away: the driver comes after this library.
    let driver = if driver == 0 { libc::RTLD_NEXT } else { driver as *mut c_void };
    let name = format!("{name}\0");
    // SAFETY: the handle is of a library that stays loaded, and the name ends with a zero byte.
    unsafe { libc::dlsym(driver, name.as_ptr().cast()) as usize }
}

/// Calls one of the real driver's functions; `None` if it lacks the function.
macro_rules! call {
    ($name:literal: $($value:expr => $type:ty),*) => {{
        static ADDRESS: OnceLock<usize> = OnceLock::new();
        let address = *ADDRESS.get_or_init(|| find($name));
        (address != 0).then(|| {
            // SAFETY: `cuda.h` declares the function of this name with these types.
            let function: unsafe extern "C" fn($($type),*) -> Status = unsafe { std::mem::transmute(address) };
            // SAFETY: addresses are of local variables, or of slices with the size that is given.
            unsafe { function($($value),*) }
        })
    }};
}

/// The real driver.
pub struct Driver;

/// Runs calls that are not allowed while another thread captures a graph, unless the thread says
/// that it knows.
fn relaxed<T>(run: impl FnOnce() -> T) -> T {
    let mut mode = RELAXED;
    let exchange = |mode: &mut u32| call!("cuThreadExchangeStreamCaptureMode": mode => *mut u32);
    let has_changed = exchange(&mut mode) == Some(SUCCESS);
    let made = run();
    if has_changed {
        exchange(&mut mode);
    }
    made
}

fn outcome(status: Option<Status>) -> Result<(), String> {
    match status {
        Some(SUCCESS) => Ok(()),
        Some(error) => Err(format!("error {error}")),
        None => Err("it lacks the function".to_owned()),
    }
}

impl Driver {
    /// The name and the module of a function.
    pub fn name_of(function: Handle) -> Option<(String, Handle)> {
        let (mut name, mut module): (*const c_char, Handle) = (std::ptr::null(), 0);
        let status = call!("cuFuncGetName": &mut name => *mut *const c_char, function => Handle)?;
        if status != SUCCESS || name.is_null() {
            return None;
        }
        // SAFETY: the driver gives a text that ends with a zero byte and lives as long as the
        // function.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let status = call!("cuFuncGetModule": &mut module => *mut Handle, function => Handle)?;
        (status == SUCCESS).then_some((name, module))
    }
}

fn attribute(address: u64, which: u32) -> Option<u32> {
    let mut value = 0_u32;
    let status = call!("cuPointerGetAttribute": &mut value => *mut u32, which => u32, address => u64)?;
    (status == SUCCESS).then_some(value)
}

impl Knows for Driver {
    fn range(&self, address: u64) -> Option<Range> {
        let (mut start, mut size) = (0_u64, 0_usize);
        let status = call!("cuMemGetAddressRange_v2": &mut start => *mut u64, &mut size => *mut usize, address => u64)?;
        let is_in = start <= address && address - start < size as u64;
        (status == SUCCESS && is_in).then_some(Range { start, size: size as u64 })
    }

    fn is_of_host(&self, address: u64) -> bool {
        attribute(address, MEMORY_TYPE) == Some(HOST) && attribute(address, IS_MANAGED).unwrap_or(0) == 0
    }
}

impl Gpu for Driver {
    fn parameters(&self, (handle, kind): (Handle, Kind)) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        for number in 0..MOST_PARAMETERS {
            let (mut offset, mut size) = (0_usize, 0_usize);
            let (to_offset, to_size): (*mut usize, *mut usize) = (&mut offset, &mut size);
            let status = match kind {
                Kind::Function => {
                    call!("cuFuncGetParamInfo": handle => Handle, number => usize, to_offset => *mut usize, to_size => *mut usize)
                }
                Kind::Kernel => {
                    call!("cuKernelGetParamInfo": handle => Handle, number => usize, to_offset => *mut usize, to_size => *mut usize)
                }
            };
            match status? {
                SUCCESS => parameters.push((offset as u64, size as u64)),
                INVALID_VALUE => return Some(parameters),
                _ => return None,
            }
        }
        None
    }

    fn is_capturing(&self, asked: &Asked) -> bool {
        let (mut state, stream) = (0_u32, asked.stream);
        let status = match asked.is_per_thread {
            true => call!("cuStreamIsCapturing_ptsz": stream => Handle, &mut state => *mut u32),
            false => call!("cuStreamIsCapturing": stream => Handle, &mut state => *mut u32),
        };
        status.is_some_and(|status| status != SUCCESS || state != 0)
    }

    fn wait(&self) -> Result<(), String> {
        outcome(relaxed(|| call!("cuCtxSynchronize":)))
    }

    fn copy(&self, from: u64, to: &mut [u8]) -> Result<(), String> {
        let (start, size) = (to.as_mut_ptr(), to.len());
        outcome(relaxed(|| call!("cuMemcpyDtoH_v2": start => *mut u8, from => u64, size => usize)))
    }
}
