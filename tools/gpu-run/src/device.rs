//! The driver: code, memory, launches and events of the first GPU.
//!
//! **Problem.** The driver's functions are C's: they take raw addresses, and the GPU may write wherever a kernel wants to.
//!
//! **Method.** Handles that end when they are dropped, on cudarc's calls, one layer above C's. All work is on the default stream, so that copies,
//! launches and events come in the order of their calls. What a kernel writes outside of the memory that it is given cannot be prevented: whoever wants to live on
//! runs kernels in a process of their own.
//!
//! **Source.** CUDA Driver API. **Deviation.** None. **Complexity.** A call of C for each function.
#![allow(unsafe_code)]

use std::ffi::{c_void, CString};
use std::path::PathBuf;

use cudarc::driver::result::{self, device, event, function, module, primary_ctx, stream};
use cudarc::driver::sys::{
    CUdevice_attribute, CUevent, CUevent_flags, CUfunction, CUfunction_attribute, CUmodule,
};
use cudarc::driver::{sys, DriverError};

use crate::job::Card;

/// Why the driver has not done something.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no libcuda.so.1 that can be loaded, which comes with NVIDIA's driver")]
    NoDriver,
    #[error("the file of libcuda.so.1 is not found, though it can be loaded")]
    NoFile,
    #[error("{doing}: {}", text(*.why))]
    Driver { doing: &'static str, why: DriverError },
    #[error("a name with a zero byte")]
    Name,
}

/// The file of the driver that a program of this environment gets.
///
/// # Errors
/// Says that there is no driver.
pub fn file() -> Result<PathBuf, Error> {
    // SAFETY: it loads the driver, whose initialisers need nothing.
    let library = unsafe { libloading::Library::new("libcuda.so.1") }.map_err(|_| Error::NoDriver)?;
    // SAFETY: the function is not called; only its address counts.
    let symbol = unsafe { library.get::<unsafe extern "C" fn(u32) -> i32>(b"cuInit\0") };
    let address = *symbol.map_err(|_| Error::NoDriver)? as usize as u64;
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| Error::NoFile)?;
    maps.lines().find_map(|line| mapped(line, address)).ok_or(Error::NoFile)
}

/// The file of a line of `/proc/self/maps`, if an address is in its range.
fn mapped(line: &str, address: u64) -> Option<PathBuf> {
    let (range, _) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).ok());
    let path = line.find('/')?;
    (start? <= address && address < end?).then(|| PathBuf::from(&line[path..]))
}

/// The driver's words for an error, such as CUDA_ERROR_OUT_OF_MEMORY.
fn text(why: DriverError) -> String {
    format!("{:?}", why.0)
}

/// Says what was being done.
trait Doing<T> {
    fn doing(self, doing: &'static str) -> Result<T, Error>;
}

impl<T> Doing<T> for Result<T, DriverError> {
    fn doing(self, doing: &'static str) -> Result<T, Error> {
        self.map_err(|why| Error::Driver { doing, why })
    }
}

/// The first GPU, and its context, which is this thread's.
pub struct Gpu {
    device: sys::CUdevice,
}

impl Gpu {
    /// Opens it.
    ///
    /// # Errors
    /// Says that there is no driver or no GPU.
    pub fn open() -> Result<Gpu, Error> {
        // SAFETY: it loads a library by its name; that of the driver has no initialisers that need anything.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::NoDriver);
        }
        result::init().doing("starting the driver")?;
        let device = device::get(0).doing("looking for a GPU")?;
        // SAFETY: the device is the driver's own; the context lives as long as the process.
        unsafe {
            let context = primary_ctx::retain(device).doing("making a context")?;
            result::ctx::set_current(context).doing("making a context")?;
        }
        Ok(Gpu { device })
    }

    /// Its name, driver and architecture.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn card(&self) -> Result<Card, Error> {
        let attribute = |which| {
            // SAFETY: the device is the driver's own.
            unsafe { device::get_attribute(self.device, which) }.doing("asking for the GPU's architecture")
        };
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let mut version = 0;
        // SAFETY: it writes one number.
        unsafe { sys::cuDriverGetVersion(&mut version) }.result().doing("asking for the driver's version")?;
        Ok(Card {
            name: device::get_name(self.device).doing("asking for the GPU's name")?,
            driver: format!("{}.{}", version / 1000, version % 1000 / 10),
            architecture: u32::try_from(10 * major + minor).unwrap_or(0),
        })
    }

    /// Loads a cubin, and finds a kernel in it that may be launched with this many bytes of dynamic shared memory.
    ///
    /// # Errors
    /// Those of the driver: the cubin is for another GPU, or has no such kernel.
    pub fn load(&self, cubin: &[u8], kernel: &str, shared: u32) -> Result<Kernel, Error> {
        let name = CString::new(kernel).map_err(|_| Error::Name)?;
        // SAFETY: the image is a whole file in memory, which the driver copies. It says itself how long it is, so a cut file could make the driver read beyond
        // its end; what is given here was read by `object` before.
        let module = unsafe { module::load_data(cubin.as_ptr().cast()) }.doing("loading a cubin")?;
        let module = Module(module);
        // SAFETY: the module is loaded, and lives as long as the kernel.
        let function = unsafe { module::get_function(module.0, name) }.doing("looking for the kernel")?;
        if shared > 0 {
            let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = i32::try_from(shared).unwrap_or(i32::MAX);
            // SAFETY: the function is of a loaded module.
            unsafe { function::set_function_attribute(function, most, bytes) }
                .doing("allowing dynamic shared memory")?;
        }
        Ok(Kernel { function, _module: module })
    }

    /// Waits for all that was begun.
    ///
    /// # Errors
    /// The fault of a kernel, after which nothing more can be done in this process.
    pub fn wait(&self) -> Result<(), Error> {
        result::ctx::synchronize().doing("running")
    }
}

struct Module(CUmodule);

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: it was loaded, and is unloaded once. After a fault the driver refuses, which changes nothing.
        let _ = unsafe { module::unload(self.0) };
    }
}

/// A kernel of a loaded cubin.
pub struct Kernel {
    function: CUfunction,
    _module: Module,
}

impl Kernel {
    /// Begins a launch.
    ///
    /// # Errors
    /// Those of the driver: too many threads, too much shared memory.
    pub fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        arguments: &mut Arguments,
    ) -> Result<(), Error> {
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        let mut addresses = arguments.addresses();
        // SAFETY: the function is of a loaded module. The driver reads as many arguments as the kernel's cubin says, which whoever makes the job has compared, and
        // as many bytes of each, for which `Arguments` has room.
        unsafe {
            result::launch_kernel(
                self.function,
                (gx, gy, gz),
                (bx, by, bz),
                shared,
                stream::null(),
                &mut addresses,
            )
        }
        .doing("launching")
    }
}

/// The bytes of the arguments of a launch, each where the driver reads it.
pub struct Arguments {
    /// Words of 16 bytes, as C's types are aligned to that at most. Each has room for the largest parameter.
    values: Vec<Vec<u128>>,
}

/// The most bytes that the parameters of a kernel may have.
const MOST: usize = 32_764;

impl Arguments {
    /// Of these bytes.
    pub fn new(values: &[Vec<u8>]) -> Arguments {
        let aligned = |bytes: &Vec<u8>| {
            let mut words = vec![0_u128; MOST.max(bytes.len()).div_ceil(16)];
            for (word, part) in words.iter_mut().zip(bytes.chunks(16)) {
                let mut whole = [0; 16];
                whole[..part.len()].copy_from_slice(part);
                *word = u128::from_ne_bytes(whole);
            }
            words
        };
        Arguments { values: values.iter().map(aligned).collect() }
    }

    fn addresses(&mut self) -> Vec<*mut c_void> {
        self.values.iter_mut().map(|words| words.as_mut_ptr().cast()).collect()
    }
}

/// Memory of the GPU.
pub struct Memory {
    address: sys::CUdeviceptr,
    size: usize,
}

impl Memory {
    /// Allocates memory that begins with these bytes, with `room` bytes of 0 after them.
    ///
    /// # Errors
    /// There is not enough.
    pub fn with(bytes: &[u8], room: usize) -> Result<Memory, Error> {
        let size = bytes.len();
        // SAFETY: the address is used only by `Memory`, within `size + room`.
        let address = unsafe { result::malloc_sync((size + room).max(1)) }.doing("allocating memory")?;
        let memory = Memory { address, size };
        if room > 0 {
            // SAFETY: the range is within what was allocated.
            unsafe { result::memset_d8_sync(address + size as u64, 0, room) }.doing("filling memory")?;
        }
        if size > 0 {
            // SAFETY: so is this one.
            unsafe { result::memcpy_htod_sync(address, bytes) }.doing("filling memory")?;
        }
        Ok(memory)
    }

    pub fn address(&self) -> u64 {
        self.address
    }

    /// Begins to copy another memory of the same size into it.
    ///
    /// # Errors
    /// Those of the driver.
    ///
    /// # Panics
    /// Panics if the sizes differ.
    pub fn restore(&self, from: &Memory) -> Result<(), Error> {
        assert_eq!(self.size, from.size, "copies are of one size");
        if self.size == 0 {
            return Ok(());
        }
        // SAFETY: both are allocated, and of this size.
        unsafe { result::memcpy_dtod_async(self.address, from.address, self.size, stream::null()) }
            .doing("restoring memory")
    }

    /// Waits for all that was begun, and reads it.
    ///
    /// # Errors
    /// The fault of a kernel that ran before.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.size];
        if self.size == 0 {
            return Ok(bytes);
        }
        // SAFETY: it has this size.
        unsafe { result::memcpy_dtoh_sync(&mut bytes, self.address) }.doing("reading memory")?;
        Ok(bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated, and is freed once. After a fault the driver refuses, which changes nothing.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// A point in the order of the GPU's work whose time is taken.
pub struct Event(CUevent);

impl Event {
    /// Makes one.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new() -> Result<Event, Error> {
        Ok(Event(event::create(CUevent_flags::CU_EVENT_DEFAULT).doing("making an event")?))
    }

    /// Puts it after all that was begun.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn record(&self) -> Result<(), Error> {
        // SAFETY: the event exists.
        unsafe { event::record(self.0, stream::null()) }.doing("recording an event")
    }

    /// Milliseconds between it and a later one; both must have happened.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn until(&self, later: &Event) -> Result<f64, Error> {
        // SAFETY: both events exist, and are of one stream.
        unsafe { event::elapsed(self.0, later.0) }.map(f64::from).doing("reading an event")
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: it was made, and is destroyed once.
        let _ = unsafe { event::destroy(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_maps_has_range_and_file() {
        let line = "7f1000-7f2000 r-xp 00001000 08:01 1234    /usr/lib/a b/libcuda.so.1";
        assert_eq!(mapped(line, 0x7f1000), Some("/usr/lib/a b/libcuda.so.1".into()));
        assert_eq!(mapped(line, 0x7f2000), None);
        assert_eq!(mapped("7f1000-7f2000 rw-p 00000000 00:00 0", 0x7f1000), None);
    }
}
