//! Times several machine codes of a kernel against each other on an NVIDIA GPU.
//!
//! **Problem.** Which code of a kernel is the fastest on this card, for a launch that is given? A time alone does not say: clocks move, other
//! work disturbs, and a difference of 1 % matters. Besides, code under test may fault, hang, or compute something else.
//!
//! **Method.** A process of its own talks to the driver ([`worker`]); the one that asks ([`client`]) starts it anew when a kernel has taken it down, and
//! goes on without that code. Each code first runs on the same memory, and must leave what the first code leaves. Then samples are taken in blocks: a
//! block goes over all codes forth and back, beginning at another one each time. What counts is the ratio to the first code within a
//! block. The first code is loaded twice, and how far these two differ is the noise ([`interval`]).
//!
//! | module | content |
//! |---|---|
//! | [`job`] | what is asked, what is answered |
//! | [`client`] | asks, with a time limit |
//! | [`worker`] | takes the samples |
//! | [`device`] | the driver; the crate's only unsafe code |
//! | [`interval`] | ratios and their intervals |
//!
//! **Source.** CUDA Driver API, "Event Management". **Deviation.** None. **Complexity.** That of the kernels, times codes and samples.

#![deny(unsafe_code)]

pub mod client;
pub mod device;
pub mod interval;
pub mod job;
pub mod worker;
