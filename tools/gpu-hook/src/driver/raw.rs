//! What lies at an application's addresses: images and parameters.
//!
//! **Problem.** C's addresses have no sizes. **Method.** Each read is one that the driver makes as
//! well. **Source.** `cuda.h`. **Deviation.** None. **Complexity.** None.

use std::ffi::{c_char, c_void, CStr};
use std::path::Path;

use gpu_record::contents::Parameter;
use gpu_record::image::{extent, Kind, Memory, WRAPPED, WRAPPER};

use crate::recorder::Values;

/// CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_BUFFER_SIZE. The list ends with 0.
const BUFFER: usize = 1;
const BUFFER_SIZE: usize = 2;

/// The value at an address of an argument; `None` if that is null.
pub fn value<T: Copy>(address: *const T) -> Option<T> {
    // SAFETY: the address is an argument of one of the driver's functions, which has read or
    // written there as `cuda.h` says.
    (!address.is_null()).then(|| unsafe { address.read_unaligned() })
}

/// A text of the application's.
pub fn text(address: *const c_char) -> Option<String> {
    // SAFETY: as the driver, which takes a text that ends with a zero byte.
    (!address.is_null()).then(|| unsafe { CStr::from_ptr(address) }.to_string_lossy().into_owned())
}

/// Memory at an address.
struct At(*const u8);

impl Memory for At {
    fn read<const N: usize>(&self, at: u64) -> [u8; N] {
        // SAFETY: `extent` reads the headers of an image, and what these name: the driver reads
        // them as well.
        unsafe { self.0.add(at as usize).cast::<[u8; N]>().read_unaligned() }
    }

    fn text(&self) -> u64 {
        // SAFETY: the text of PTX ends with a zero byte.
        unsafe { CStr::from_ptr(self.0.cast()) }.count_bytes() as u64
    }
}

/// The kind and the bytes of an image; those of a wrapper are of the fat binary that it points to.
pub fn image<'a>(address: *const c_void) -> Result<(Kind, &'a [u8]), String> {
    let mut at = At(address.cast());
    if at.0.is_null() {
        return Err("its address is 0".to_owned());
    }
    if at.read(0) == WRAPPER {
        at = At(u64::from_le_bytes(at.read(WRAPPED)) as *const u8);
        if at.0.is_null() {
            return Err("a fat binary's wrapper points to 0".to_owned());
        }
    }
    let (kind, size) = extent(&at).map_err(|why| why.to_string())?;
    // SAFETY: the image has this size, and is the application's while the driver loads it; no
    // longer is it used.
    Ok((kind, unsafe { std::slice::from_raw_parts(at.0, size as usize) }))
}

/// The same of a file.
pub fn file(name: *const c_char) -> Result<(Kind, Vec<u8>), String> {
    let name = text(name).ok_or("its file has no name")?;
    let mut bytes = std::fs::read(Path::new(&name)).map_err(|why| format!("cannot read {name}: {why}"))?;
    let (kind, size) = extent(&bytes[..]).map_err(|why| why.to_string())?;
    bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    Ok((kind, bytes))
}

/// The parameters of a launch: an address for each, or a buffer with all.
pub struct Parameters {
    pub each: *const *const c_void,
    pub extra: *const *const c_void,
}

impl Parameters {
    /// The buffer with all of them, and its size.
    fn buffer(&self) -> Option<(*const u8, usize)> {
        let (mut start, mut size, mut at) = (None, None, self.extra);
        while let Some(key) = value(at).map(|key| key as usize).filter(|&key| key != 0) {
            // SAFETY: a value comes after each key but the last.
            let own = value(unsafe { at.add(1) })?;
            match key {
                BUFFER => start = Some(own.cast::<u8>()),
                BUFFER_SIZE => size = value(own.cast::<usize>()),
                _ => return None,
            }
            // SAFETY: the next key comes after it.
            at = unsafe { at.add(2) };
        }
        Some((start.filter(|start| !start.is_null())?, size?))
    }
}

impl Values for Parameters {
    fn get(&self, number: usize, (offset, size): Parameter) -> Option<Vec<u8>> {
        let (offset, size) = (offset as usize, size as usize);
        let start = if self.each.is_null() {
            let (start, all) = self.buffer()?;
            // SAFETY: the buffer has all these bytes.
            (offset.checked_add(size)? <= all).then(|| unsafe { start.add(offset) })?
        } else {
            // SAFETY: there is an address for each parameter of the kernel.
            value(unsafe { self.each.add(number) })?.cast::<u8>()
        };
        // SAFETY: the parameter has this size, as the kernel says, and the driver reads as many
        // bytes.
        (!start.is_null()).then(|| unsafe { std::slice::from_raw_parts(start, size) }.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_either_form() {
        let (a, b) = (7_u64, 9_u32);
        let each = [(&raw const a).cast::<c_void>(), (&raw const b).cast()];
        let one = Parameters { each: each.as_ptr(), extra: std::ptr::null() };
        assert_eq!(one.get(0, (0, 8)), Some(7_u64.to_le_bytes().to_vec()));
        assert_eq!(one.get(1, (8, 4)), Some(9_u32.to_le_bytes().to_vec()));
        let (bytes, size) = ([7_u8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0], 12_usize);
        let list: [*const c_void; 5] = [
            BUFFER as *const c_void,
            bytes.as_ptr().cast(),
            BUFFER_SIZE as *const c_void,
            (&raw const size).cast(),
            std::ptr::null(),
        ];
        let all = Parameters { each: std::ptr::null(), extra: list.as_ptr() };
        assert_eq!(all.get(1, (8, 4)), Some(vec![9, 0, 0, 0]));
        assert_eq!(all.get(2, (12, 4)), None);
        let none = Parameters { each: std::ptr::null(), extra: std::ptr::null() };
        assert_eq!(none.get(0, (0, 8)), None);
    }

    #[test]
    fn a_wrapper_points_to_its_image() {
        let mut fat = [0_u8; 24];
        fat[..4].copy_from_slice(&gpu_record::image::FAT);
        (fat[6], fat[8]) = (16, 8);
        let mut wrapper = [0_u8; 24];
        wrapper[..4].copy_from_slice(&WRAPPER);
        wrapper[8..16].copy_from_slice(&(fat.as_ptr() as u64).to_le_bytes());
        assert_eq!(image(wrapper.as_ptr().cast()), Ok((Kind::FatBinary, &fat[..])));
        assert!(image(std::ptr::null()).is_err());
        assert_eq!(image(c"//ptx".as_ptr().cast()), Ok((Kind::Ptx, &b"//ptx"[..])));
    }
}
