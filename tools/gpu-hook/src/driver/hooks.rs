//! The functions that stand in the place of the driver's.
//!
//! **Problem.** Applications call these by their C types. **Method.** A macro defines each, with
//! the real driver's as `real`. What must not fail is guarded. **Source.** `cuda.h`. **Deviation.**
//! None. **Complexity.** None.
#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use gpu_record::launch::Shape;

use super::raw::{self, text, value, Parameters};
use super::real::{find, Driver};
use super::{Status, NOT_SUPPORTED, SUCCESS};
use crate::address::Range;
use crate::hook::{guarded, hook, Hook, Load};
use crate::names::{Handle, Kind};
use crate::recorder::Asked;

/// CUmodule and CUlibrary, CUfunction and CUkernel, CUstream.
type Made = *mut Handle;
type Bytes = *const c_void;
type Options = *mut c_void;
type Values = *const *const c_void;

/// CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.
const PER_THREAD: u64 = 2;
/// From these versions of CUDA on, functions of which both forms are here have the form `_v2`.
const SECOND_FORMS: [(&str, c_int); 2] = [("cuGetProcAddress", 12_000), ("cuStreamBeginCapture", 10_010)];
/// CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD.
const WRONG_THREAD: Status = 908;
/// CU_LAUNCH_ATTRIBUTE_COOPERATIVE and CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
const COOPERATIVE: u32 = 2;
const CLUSTER: u32 = 4;

const NEEDS_COOPERATIVE: &str = "a cooperative launch";
const NEEDS_CLUSTER: &str = "clusters, whose size only the launch gives";

/// CUlaunchConfig.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: Handle,
    attributes: *const Attribute,
    num_attributes: c_uint,
}

/// CUlaunchAttribute.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Attribute {
    which: u32,
    pad: u32,
    value: [u64; 8],
}

/// Defines exported functions. `real` is the real driver's, with the same arguments.
macro_rules! hooks {
    ($($name:ident($($argument:ident: $type:ty),* $(,)?) => |$real:ident| $body:block)*) => {
        $(
            #[no_mangle]
            unsafe extern "C" fn $name($($argument: $type),*) -> Status {
                static ADDRESS: OnceLock<usize> = OnceLock::new();
                let address = *ADDRESS.get_or_init(|| find(stringify!($name)));
                if address == 0 {
                    return NOT_SUPPORTED;
                }
                let $real = |$($argument: $type),*| -> Status {
                    // SAFETY: it is the driver's function of this name, which has these arguments.
                    // They are the application's, or such that the driver takes them as well.
                    unsafe {
                        let function: unsafe extern "C" fn($($type),*) -> Status = std::mem::transmute(address);
                        function($($argument),*)
                    }
                };
                $body
            }
        )*

        /// The exported functions, by name.
        fn exported() -> &'static [(&'static str, usize)] {
            static ALL: OnceLock<Vec<(&str, usize)>> = OnceLock::new();
            ALL.get_or_init(|| vec![$((stringify!($name), $name as *const () as usize)),*])
        }
    };
}

hooks! {
    cuGetProcAddress(symbol: *const c_char, made: Made, version: c_int, flags: u64) => |real| {
        gives_ours(real(symbol, made, version, flags), symbol, made, version, flags)
    }
    cuGetProcAddress_v2(symbol: *const c_char, made: Made, version: c_int, flags: u64, found: *mut c_uint) => |real| {
        gives_ours(real(symbol, made, version, flags, found), symbol, made, version, flags)
    }

    cuModuleLoad(module: Made, file: *const c_char) => |real| {
        load_file(file, module, || real(module, file), |image| load_data(module, image))
    }
    cuModuleLoadData(module: Made, image: Bytes) => |real| {
        load_image(image, module, |image| real(module, image))
    }
    cuModuleLoadDataEx(module: Made, image: Bytes, number: c_uint, options: Options, values: Options) => |real| {
        load_image(image, module, |image| real(module, image, number, options, values))
    }
    cuModuleLoadFatBinary(module: Made, image: Bytes) => |real| {
        // Its image is a fat binary; new code is a cubin.
        load(image_of(image), module, || real(module, image), |image| load_data(module, image))
    }
    cuLibraryLoadData(
        library: Made, image: Bytes, jit: Options, jit_values: Options, num_jit: c_uint, options: Options,
        values: Options, number: c_uint,
    ) => |real| {
        let load = |image| real(library, image, jit, jit_values, num_jit, options, values, number);
        load_image(image, library, load)
    }
    cuLibraryLoadFromFile(
        library: Made, file: *const c_char, jit: Options, jit_values: Options, num_jit: c_uint, options: Options,
        values: Options, number: c_uint,
    ) => |real| {
        let own = || real(library, file, jit, jit_values, num_jit, options, values, number);
        load_file(file, library, own, |image| load_library(library, image))
    }
    cuModuleUnload(module: Handle) => |real| {
        guarded(|hook| { hook.names.unloaded(module); Some(()) });
        real(module)
    }
    cuLibraryUnload(library: Handle) => |real| {
        guarded(|hook| { hook.names.unloaded(library); Some(()) });
        real(library)
    }

    cuModuleGetFunction(function: Made, module: Handle, name: *const c_char) => |real| {
        let status = real(function, module, name);
        found(status, (function, Kind::Function), module, name)
    }
    cuLibraryGetKernel(kernel: Made, library: Handle, name: *const c_char) => |real| {
        let status = real(kernel, library, name);
        found(status, (kernel, Kind::Kernel), library, name)
    }
    cuKernelGetFunction(function: Made, kernel: Handle) => |real| {
        comes_from(real(function, kernel), function, kernel)
    }
    cuLibraryGetModule(module: Made, library: Handle) => |real| {
        comes_from(real(module, library), module, library)
    }
    cuModuleGetGlobal_v2(address: *mut u64, size: *mut usize, module: Handle, name: *const c_char) => |real| {
        variable(address, size, |address, size| real(address, size, module, name))
    }
    cuLibraryGetGlobal(address: *mut u64, size: *mut usize, library: Handle, name: *const c_char) => |real| {
        variable(address, size, |address, size| real(address, size, library, name))
    }
    cuLibraryGetManaged(address: *mut u64, size: *mut usize, library: Handle, name: *const c_char) => |real| {
        variable(address, size, |address, size| real(address, size, library, name))
    }

    cuLaunchKernel(
        function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
        stream: Handle, each: Values, extra: Values,
    ) => |real| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared };
        launch(function, Asked { shape, stream, is_per_thread: false, needs: "" }, each, extra);
        real(function, gx, gy, gz, bx, by, bz, shared, stream, each, extra)
    }
    cuLaunchKernel_ptsz(
        function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
        stream: Handle, each: Values, extra: Values,
    ) => |real| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared };
        launch(function, Asked { shape, stream, is_per_thread: true, needs: "" }, each, extra);
        real(function, gx, gy, gz, bx, by, bz, shared, stream, each, extra)
    }
    cuLaunchKernelEx(config: *const Config, function: Handle, each: Values, extra: Values) => |real| {
        launch_by(config, false, function, each, extra);
        real(config, function, each, extra)
    }
    cuLaunchKernelEx_ptsz(config: *const Config, function: Handle, each: Values, extra: Values) => |real| {
        launch_by(config, true, function, each, extra);
        real(config, function, each, extra)
    }
    cuLaunchCooperativeKernel(
        function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
        stream: Handle, each: Values,
    ) => |real| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared };
        let asked = Asked { shape, stream, is_per_thread: false, needs: NEEDS_COOPERATIVE };
        launch(function, asked, each, std::ptr::null());
        real(function, gx, gy, gz, bx, by, bz, shared, stream, each)
    }
    cuLaunchCooperativeKernel_ptsz(
        function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
        stream: Handle, each: Values,
    ) => |real| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared };
        let asked = Asked { shape, stream, is_per_thread: true, needs: NEEDS_COOPERATIVE };
        launch(function, asked, each, std::ptr::null());
        real(function, gx, gy, gz, bx, by, bz, shared, stream, each)
    }
    cuStreamBeginCapture(stream: Handle) => |real| {
        capture(stream, || real(stream))
    }
    cuStreamBeginCapture_ptsz(stream: Handle) => |real| {
        capture(stream, || real(stream))
    }
    cuStreamBeginCapture_v2(stream: Handle, mode: c_uint) => |real| {
        capture(stream, || real(stream, mode))
    }
    cuStreamBeginCapture_v2_ptsz(stream: Handle, mode: c_uint) => |real| {
        capture(stream, || real(stream, mode))
    }
    cuStreamBeginCaptureToGraph(
        stream: Handle, graph: Handle, after: Bytes, data: Bytes, number: usize, mode: c_uint,
    ) => |real| {
        capture(stream, || real(stream, graph, after, data, number, mode))
    }
    cuStreamBeginCaptureToGraph_ptsz(
        stream: Handle, graph: Handle, after: Bytes, data: Bytes, number: usize, mode: c_uint,
    ) => |real| {
        capture(stream, || real(stream, graph, after, data, number, mode))
    }
    cuStreamEndCapture(stream: Handle, graph: Made) => |real| {
        capture_ended(real(stream, graph), stream)
    }
    cuStreamEndCapture_ptsz(stream: Handle, graph: Made) => |real| {
        capture_ended(real(stream, graph), stream)
    }
    cuGraphLaunch(graph: Handle, stream: Handle) => |real| {
        says("graphs were launched, whose kernels are not recorded");
        real(graph, stream)
    }
    cuGraphLaunch_ptsz(graph: Handle, stream: Handle) => |real| {
        says("graphs were launched, whose kernels are not recorded");
        real(graph, stream)
    }

    cuMemAlloc_v2(address: *mut u64, size: usize) => |real| {
        given(real(address, size), address, size)
    }
    cuMemAllocPitch_v2(address: *mut u64, pitch: *mut usize, width: usize, height: usize, element: c_uint) => |real| {
        let status = real(address, pitch, width, height, element);
        given(status, address, value(pitch).unwrap_or(0).saturating_mul(height))
    }
    cuMemAllocManaged(address: *mut u64, size: usize, flags: c_uint) => |real| {
        given(real(address, size, flags), address, size)
    }
    cuMemAllocAsync(address: *mut u64, size: usize, stream: Handle) => |real| {
        given(real(address, size, stream), address, size)
    }
    cuMemAllocAsync_ptsz(address: *mut u64, size: usize, stream: Handle) => |real| {
        given(real(address, size, stream), address, size)
    }
    cuMemAllocFromPoolAsync(address: *mut u64, size: usize, pool: Handle, stream: Handle) => |real| {
        given(real(address, size, pool, stream), address, size)
    }
    cuMemAllocFromPoolAsync_ptsz(address: *mut u64, size: usize, pool: Handle, stream: Handle) => |real| {
        given(real(address, size, pool, stream), address, size)
    }
    cuMemMap(address: u64, size: usize, offset: usize, handle: u64, flags: u64) => |real| {
        given(real(address, size, offset, handle, flags), &address, size)
    }
    cuMemHostAlloc(address: *mut u64, size: usize, flags: c_uint) => |real| {
        given(real(address, size, flags), address, size)
    }
    cuMemAllocHost_v2(address: *mut u64, size: usize) => |real| {
        given(real(address, size), address, size)
    }
    cuMemHostRegister_v2(address: u64, size: usize, flags: c_uint) => |real| {
        given(real(address, size, flags), &address, size)
    }

    cuTexObjectCreate(made: *mut u64, resource: Bytes, texture: Bytes, view: Bytes) => |real| {
        texture_made(real(made, resource, texture, view), made)
    }
    cuSurfObjectCreate(made: *mut u64, resource: Bytes) => |real| {
        texture_made(real(made, resource), made)
    }
    cuTensorMapEncodeTiled(
        map: Options, of: c_uint, rank: u32, address: Bytes, size: Bytes, strides: Bytes, box_size: Bytes,
        element: Bytes, interleave: c_uint, swizzle: c_uint, promotion: c_uint, fill: c_uint,
    ) => |real| {
        tensor_map();
        real(map, of, rank, address, size, strides, box_size, element, interleave, swizzle, promotion, fill)
    }
    cuTensorMapEncodeIm2col(
        map: Options, of: c_uint, rank: u32, address: Bytes, size: Bytes, strides: Bytes, low: Bytes, high: Bytes,
        channels: u32, pixels: u32, element: Bytes, interleave: c_uint, swizzle: c_uint, promotion: c_uint,
        fill: c_uint,
    ) => |real| {
        tensor_map();
        real(
            map, of, rank, address, size, strides, low, high, channels, pixels, element, interleave, swizzle,
            promotion, fill,
        )
    }
}

/// What runs when the library is loaded, and when the process ends.
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = {
    extern "C" fn begin() {
        guarded(|hook| {
            hook.begin();
            Some(())
        });
    }
    begin
};
#[used]
#[link_section = ".fini_array"]
static END: extern "C" fn() = {
    extern "C" fn end() {
        guarded(|hook| {
            hook.end();
            Some(())
        });
    }
    end
};

/// Gives out our function in the place of the real driver's.
fn gives_ours(status: Status, symbol: *const c_char, made: Made, version: c_int, flags: u64) -> Status {
    let found = (status == SUCCESS).then(|| value(made)).flatten().filter(|&found| found != 0);
    let ours = guarded(|_| {
        let (found, symbol) = (found?, text(symbol)?);
        let by_address = || exported().iter().find(|(name, _)| find(name) == found);
        let by_name = || {
            let names = names(&symbol, version, flags);
            let ours = |wanted: &String| exported().iter().find(|(name, _)| name == wanted);
            names.iter().filter(|name| find(name) != 0).find_map(ours)
        };
        by_address().or_else(by_name).map(|&(_, ours)| ours)
    });
    if let Some(ours) = ours {
        // SAFETY: the driver has just written an address there.
        unsafe { made.write(ours) };
    }
    status
}

/// The names that a function may be exported by, the best first. The driver chooses among its forms
/// by the version that is asked for, and by flags.
fn names(symbol: &str, version: c_int, flags: u64) -> Vec<String> {
    let second_since = SECOND_FORMS.iter().find(|(name, _)| *name == symbol);
    let is_first_form = second_since.is_some_and(|(_, since)| version < *since);
    let second = (!is_first_form).then(|| format!("{symbol}_v2"));
    let forms = second.into_iter().chain([symbol.to_owned()]);
    let suffixes: &[&str] = if flags & PER_THREAD != 0 { &["_ptsz", ""] } else { &[""] };
    forms.flat_map(|form| suffixes.iter().map(move |suffix| format!("{form}{suffix}"))).collect()
}

/// `cuModuleLoadData` of the real driver.
fn load_data(module: Made, image: Bytes) -> Status {
    let address = find("cuModuleLoadData");
    if address == 0 {
        return NOT_SUPPORTED;
    }
    // SAFETY: `cuda.h` declares the function of this name with these types; the module is the
    // application's, the image a cubin of ours.
    unsafe {
        let function: unsafe extern "C" fn(Made, Bytes) -> Status = std::mem::transmute(address);
        function(module, image)
    }
}

/// `cuLibraryLoadData` of the real driver, without options.
fn load_library(library: Made, image: Bytes) -> Status {
    type Load =
        unsafe extern "C" fn(Made, Bytes, Options, Options, c_uint, Options, Options, c_uint) -> Status;
    let (address, none) = (find("cuLibraryLoadData"), std::ptr::null_mut());
    if address == 0 {
        return NOT_SUPPORTED;
    }
    // SAFETY: as above.
    unsafe {
        let function: Load = std::mem::transmute(address);
        function(library, image, none, none, 0, none, none, 0)
    }
}

/// What is to be loaded from an address.
fn image_of(image: Bytes) -> Option<Load<'static>> {
    guarded(|hook| match raw::image(image) {
        Ok((kind, bytes)) => Some(hook.loads(kind, bytes)),
        Err(why) => {
            hook.not_understood(&why);
            None
        }
    })
}

/// Loads from an address.
fn load_image(image: Bytes, made: Made, real: impl Fn(Bytes) -> Status) -> Status {
    load(image_of(image), made, || real(image), &real)
}

/// Loads from a file.
fn load_file(
    file: *const c_char,
    made: Made,
    own: impl FnOnce() -> Status,
    other: impl FnOnce(Bytes) -> Status,
) -> Status {
    let image = guarded(|hook| match raw::file(file) {
        Ok((kind, bytes)) => Some(hook.loads(kind, &bytes)),
        Err(why) => {
            hook.not_understood(&why);
            None
        }
    });
    load(image, made, own, other)
}

/// Loads new code if there is some and the driver takes it, else the application's own.
fn load(
    image: Option<Load>,
    made: Made,
    own: impl FnOnce() -> Status,
    other: impl FnOnce(Bytes) -> Status,
) -> Status {
    let mut is_other = false;
    if let Some(Load { digest, code: Some(code) }) = &image {
        let status = other(code.as_ptr().cast());
        is_other = status == SUCCESS;
        guarded(|hook| {
            match is_other {
                true => hook.replaced(digest),
                false => {
                    hook.not_replaced(digest, &format!("the driver refuses the new code: error {status}"))
                }
            }
            Some(())
        });
    }
    let status = if is_other { SUCCESS } else { own() };
    guarded(|hook| {
        let handle = (status == SUCCESS).then(|| value(made)).flatten()?;
        hook.loaded(handle, &image?.digest);
        Some(())
    });
    status
}

/// A kernel was looked up.
fn found(status: Status, (made, kind): (Made, Kind), owner: Handle, name: *const c_char) -> Status {
    guarded(|hook| {
        let handle = (status == SUCCESS).then(|| value(made)).flatten()?;
        hook.found((handle, kind), owner, &text(name)?);
        Some(())
    });
    status
}

/// A function was made of a kernel, or a module of a library.
fn comes_from(status: Status, made: Made, old: Handle) -> Status {
    guarded(|hook| {
        let handle = (status == SUCCESS).then(|| value(made)).flatten()?;
        hook.names.comes_from(handle, old);
        Some(())
    });
    status
}

/// A variable is looked up. The application may want only one of the two answers; we want both.
fn variable(address: *mut u64, size: *mut usize, real: impl Fn(*mut u64, *mut usize) -> Status) -> Status {
    let (mut own_address, mut own_size) = (0, 0);
    let address = if address.is_null() { &raw mut own_address } else { address };
    let size = if size.is_null() { &raw mut own_size } else { size };
    let status = real(address, size);
    guarded(|hook| {
        let recorder = hook.recorder().filter(|_| status == SUCCESS)?;
        recorder.variable(Range { start: value(address)?, size: value(size)? as u64 });
        Some(())
    });
    status
}

/// The driver has given out memory.
fn given(status: Status, address: *const u64, size: usize) -> Status {
    guarded(|hook| {
        let recorder = hook.recorder().filter(|_| status == SUCCESS)?;
        recorder.span.add(Range { start: value(address)?, size: size as u64 });
        Some(())
    });
    status
}

/// The capture of a stream is to begin.
fn capture(stream: Handle, real: impl FnOnce() -> Status) -> Status {
    guarded(|hook| {
        hook.recorder()?.capture_begins(stream);
        Some(())
    });
    let status = real();
    if status != SUCCESS {
        guarded(|hook| {
            hook.recorder()?.capture_ends(stream);
            Some(())
        });
    }
    status
}

/// The application has ended a capture, which is over even if it has failed, unless another thread
/// has to end it.
fn capture_ended(status: Status, stream: Handle) -> Status {
    guarded(|hook| {
        hook.recorder().filter(|_| status != WRONG_THREAD)?.capture_ends(stream);
        Some(())
    });
    status
}

fn texture_made(status: Status, made: *const u64) -> Status {
    guarded(|hook| {
        let recorder = hook.recorder().filter(|_| status == SUCCESS)?;
        recorder.texture(value(made)?);
        Some(())
    });
    status
}

fn tensor_map() {
    guarded(|hook| {
        hook.recorder()?.tensor_map();
        Some(())
    });
}

fn says(what: &str) {
    guarded(|hook| {
        hook.recorder()?;
        hook.log.once(&gpu_record::events::Event::Said { what: what.to_owned() });
        Some(())
    });
}

/// A launch by a configuration comes.
fn launch_by(config: *const Config, is_per_thread: bool, function: Handle, each: Values, extra: Values) {
    let Some(config) = value(config) else { return };
    let mut needs = "";
    for number in 0..config.num_attributes as usize {
        // SAFETY: the list has as many attributes as the configuration says.
        let attribute = value(unsafe { config.attributes.add(number) });
        let Some(Attribute { which, value: [first, second, ..], .. }) = attribute else { break };
        let cluster = [first as u32, (first >> 32) as u32, second as u32];
        match which {
            COOPERATIVE if first as u32 != 0 => needs = NEEDS_COOPERATIVE,
            CLUSTER if cluster.iter().any(|&size| size > 1) => needs = NEEDS_CLUSTER,
            _ => {}
        }
    }
    let shape = Shape { grid: config.grid, block: config.block, shared: config.shared };
    launch(function, Asked { shape, stream: config.stream, is_per_thread, needs }, each, extra);
}

/// A launch comes.
fn launch(function: Handle, asked: Asked, each: Values, extra: Values) {
    let is_recording = hook().is_some_and(|hook| hook.recorder().is_some());
    if !is_recording {
        return;
    }
    guarded(|hook| {
        let recorder = hook.recorder()?;
        let Some((kernel, kind)) = hook.names.kernel(function).or_else(|| unknown(hook, function)) else {
            let what = "a kernel was launched whose name or image is not known, and is not recorded";
            hook.log.once(&gpu_record::events::Event::Said { what: what.to_owned() });
            return None;
        };
        let handle = (function, kind);
        recorder.launch(&Driver, &hook.log, (handle, &kernel), &asked, &Parameters { each, extra });
        Some(())
    });
}

type Known = (std::sync::Arc<crate::names::Named<crate::recorder::Facts>>, Kind);

/// The kernel of a function that was not looked up by its name, such as one of a list of all.
fn unknown(hook: &Hook, function: Handle) -> Option<Known> {
    let (name, module) = Driver::name_of(function)?;
    let kernel = hook.names.found((function, Kind::Function), module, &name)?;
    Some((kernel, Kind::Function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_asked_for_by_its_plain_name() {
        assert_eq!(names("cuGetProcAddress", 11_030, 0), ["cuGetProcAddress"]);
        assert_eq!(names("cuGetProcAddress", 12_000, 0)[0], "cuGetProcAddress_v2");
        let capture = |version| names("cuStreamBeginCapture", version, PER_THREAD)[0].clone();
        assert_eq!(capture(10_000), "cuStreamBeginCapture_ptsz");
        assert_eq!(capture(10_010), "cuStreamBeginCapture_v2_ptsz");
        let per_thread = names("cuLaunchKernel", 12_000, PER_THREAD);
        let known = |name: &&String| exported().iter().any(|(own, _)| own == name);
        assert_eq!(per_thread.iter().find(known).unwrap(), "cuLaunchKernel_ptsz");
        assert_eq!(names("cuLaunchKernel", 12_000, 1).iter().find(known).unwrap(), "cuLaunchKernel");
        assert_eq!(
            names("cuModuleLoadData", 12_000, PER_THREAD).iter().find(known).unwrap(),
            "cuModuleLoadData"
        );
    }

    #[test]
    fn structures_have_the_size_of_c() {
        assert_eq!((size_of::<Config>(), size_of::<Attribute>()), (56, 72));
    }
}
