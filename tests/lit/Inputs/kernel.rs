// A kernel without the core library, which rustc does not bring for NVPTX.
#![no_std]
#![no_core]
#![feature(no_core, lang_items, abi_ptx)]
#![allow(internal_features)]

#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for i32 {}
impl<T> Copy for *mut T {}

#[no_mangle]
pub unsafe extern "ptx-kernel" fn write(at: *mut i32, value: i32) {
    *at = value;
}
