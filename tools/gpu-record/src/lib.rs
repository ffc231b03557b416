//! The layout of a recording: the code images and kernel launches of an application.
//!
//! `ptx-compare record` starts an application with a library in the place of NVIDIA's driver (crate
//! gpu-hook). What the two have in common is here, and has no unsafe code.
//!
//! | module       | what it has                                                     |
//! |--------------|-----------------------------------------------------------------|
//! | [`digest`]   | the hash by which an image of code is known                      |
//! | [`image`]    | the kind and the size of an image that an application loads      |
//! | [`contents`] | kernels, parameters and variables of a cubin                     |
//! | [`events`]   | what the library writes, line by line                            |
//! | [`launch`]   | a launch as text                                                 |
//! | [`setup`]    | what the library is to do                                        |
//! | [`manifest`] | a whole recording                                                |

pub mod contents;
pub mod digest;
pub mod events;
pub mod image;
pub mod launch;
pub mod manifest;
pub mod setup;
