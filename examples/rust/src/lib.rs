//! Kernels in Rust, for docs/guides/rust.md.

#![no_std]
#![feature(
    abi_ptx,
    stdarch_nvptx,
    core_float_math,
    core_intrinsics,
    gpu_intrinsics,
    gpu_launch_sized_workgroup_mem
)]
// The pointer to shared memory comes from an intrinsic.
#![allow(internal_features)]

use core::arch::nvptx::{
    _block_dim_x, _block_idx_x, _block_idx_y, _grid_dim_x, _syncthreads, _thread_idx_x, _thread_idx_y,
};
use core::f32::math::mul_add;
use core::intrinsics::gpu::gpu_launch_sized_workgroup_mem;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { core::arch::nvptx::trap() }
}

/// Computes `y = a * x + y`, several elements a thread.
///
/// # Safety
/// `x` and `y` have `n` elements, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn saxpy(n: usize, a: f32, x: *const f32, y: *mut f32) {
    unsafe {
        let step = (_grid_dim_x() * _block_dim_x()) as usize;
        let mut i = (_block_idx_x() * _block_dim_x() + _thread_idx_x()) as usize;
        while i < n {
            *y.add(i) = mul_add(a, *x.add(i), *y.add(i));
            i += step;
        }
    }
}

/// Sums `x`: each block writes the sum of its share to `sums[block]`. Blocks have a power of two of threads, and a float of shared memory for each.
///
/// # Safety
/// `x` has `n` elements, `sums` one for each block.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn sum(n: usize, x: *const f32, sums: *mut f32) {
    unsafe {
        let shared = gpu_launch_sized_workgroup_mem::<f32>();
        let thread = _thread_idx_x() as usize;
        let step = (_grid_dim_x() * _block_dim_x()) as usize;
        let mut i = (_block_idx_x() * _block_dim_x()) as usize + thread;
        let mut own = 0.0;
        while i < n {
            own += *x.add(i);
            i += step;
        }
        *shared.add(thread) = own;
        _syncthreads();
        let mut half = _block_dim_x() as usize / 2;
        while half > 0 {
            if thread < half {
                *shared.add(thread) += *shared.add(thread + half);
            }
            _syncthreads();
            half /= 2;
        }
        if thread == 0 {
            *sums.add(_block_idx_x() as usize) = *shared;
        }
    }
}

/// The edge of a block's tile of the product, and how far along the other dimension it goes in one step.
const TILE: usize = 64;
const STEP: usize = 16;
/// The edge of a thread's part of that tile.
const OWN: usize = 4;
const THREADS: usize = (TILE / OWN) * (TILE / OWN);

/// Multiplies square matrices of `n` rows, a multiple of `TILE`: `c = a * b`. Blocks have 16 * 16 threads, and `2 * TILE * STEP` floats of shared memory.
///
/// # Safety
/// Each has `n * n` elements, and `c` overlaps neither.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn matmul(n: usize, a: *const f32, b: *const f32, c: *mut f32) {
    unsafe {
        let tile_a = gpu_launch_sized_workgroup_mem::<f32>();
        let tile_b = tile_a.add(TILE * STEP);
        let (x, y) = (_thread_idx_x() as usize, _thread_idx_y() as usize);
        let thread = y * (TILE / OWN) + x;
        let (row, column) = (_block_idx_y() as usize * TILE, _block_idx_x() as usize * TILE);
        let mut sums = [[0.0; OWN]; OWN];
        let mut from = 0;
        while from < n {
            for part in 0..TILE * STEP / THREADS {
                let i = part * THREADS + thread;
                *tile_a.add(i) = *a.add((row + i / STEP) * n + from + i % STEP);
                *tile_b.add(i) = *b.add((from + i / TILE) * n + column + i % TILE);
            }
            _syncthreads();
            for k in 0..STEP {
                for (i, of_row) in sums.iter_mut().enumerate() {
                    let left = *tile_a.add((y * OWN + i) * STEP + k);
                    for (j, sum) in of_row.iter_mut().enumerate() {
                        *sum = mul_add(left, *tile_b.add(k * TILE + x * OWN + j), *sum);
                    }
                }
            }
            _syncthreads();
            from += STEP;
        }
        for (i, of_row) in sums.iter().enumerate() {
            for (j, sum) in of_row.iter().enumerate() {
                *c.add((row + y * OWN + i) * n + column + x * OWN + j) = *sum;
            }
        }
    }
}
