// Lets nvcc compile the sources of tests/grid, tests/kernels and examples, which are written for clang without CUDA's headers.
//
// Problem. lab.py times nvcc's code beside ours, and the sources name LLVM's intrinsics.
//
// Method. Each name that they use is CUDA's function of the same meaning. A source with something that nvcc does not have does not compile, and is
// named as left out.
//
// Source. CUDA C++ Programming Guide, "C++ Language Extensions"; CUDA Math API. Deviation: none. Complexity: none.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// A function of CUDA's headers has that name.
#define ballot ballot_of_everyone
#define __fp16 __half

#define __nvvm_read_ptx_sreg_tid_x() threadIdx.x
#define __nvvm_read_ptx_sreg_tid_y() threadIdx.y
#define __nvvm_read_ptx_sreg_ctaid_x() blockIdx.x
#define __nvvm_read_ptx_sreg_ctaid_y() blockIdx.y
#define __nvvm_read_ptx_sreg_ntid_x() blockDim.x
#define __nvvm_read_ptx_sreg_ntid_y() blockDim.y
#define __nvvm_read_ptx_sreg_nctaid_x() gridDim.x
#define __nvvm_membar_gl() __threadfence()

#define __nvvm_shfl_sync_idx_i32(mask, value, lane, clamp) __shfl_sync(mask, value, lane)
#define __nvvm_shfl_sync_bfly_i32(mask, value, lanes, clamp) __shfl_xor_sync(mask, value, lanes)
#define __nvvm_shfl_sync_down_i32(mask, value, by, clamp) __shfl_down_sync(mask, value, by)
#define __nvvm_shfl_sync_up_i32(mask, value, by, clamp) __shfl_up_sync(mask, value, by)
#define __nvvm_vote_ballot_sync(mask, vote) __ballot_sync(mask, vote)
#define __nvvm_vote_any_sync(mask, vote) __any_sync(mask, vote)
#define __nvvm_vote_all_sync(mask, vote) __all_sync(mask, vote)
#define __nvvm_match_any_sync_i32(mask, value) __match_any_sync(mask, value)
#define __nvvm_redux_sync_add(value, mask) __reduce_add_sync(mask, value)
#define __nvvm_redux_sync_min(value, mask) __reduce_min_sync(mask, (int)(value))
#define __nvvm_redux_sync_max(value, mask) __reduce_max_sync(mask, (int)(value))
#define __nvvm_redux_sync_umin(value, mask) __reduce_min_sync(mask, (unsigned)(value))
#define __nvvm_redux_sync_umax(value, mask) __reduce_max_sync(mask, (unsigned)(value))
#define __nvvm_redux_sync_and(value, mask) __reduce_and_sync(mask, (unsigned)(value))
#define __nvvm_redux_sync_or(value, mask) __reduce_or_sync(mask, (unsigned)(value))
#define __nvvm_redux_sync_xor(value, mask) __reduce_xor_sync(mask, (unsigned)(value))

#define __nvvm_atom_add_gen_i(p, value) atomicAdd((int *)(p), (int)(value))
#define __nvvm_atom_add_gen_ll(p, value) atomicAdd((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_add_gen_f(p, value) atomicAdd(p, value)
#define __nvvm_atom_add_gen_d(p, value) atomicAdd(p, value)
#define __nvvm_atom_xchg_gen_i(p, value) atomicExch((int *)(p), (int)(value))
#define __nvvm_atom_xchg_gen_ll(p, value) atomicExch((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_max_gen_i(p, value) atomicMax((int *)(p), (int)(value))
#define __nvvm_atom_max_gen_ui(p, value) atomicMax((unsigned *)(p), (unsigned)(value))
#define __nvvm_atom_max_gen_ll(p, value) atomicMax((long long *)(p), (long long)(value))
#define __nvvm_atom_max_gen_ull(p, value) atomicMax((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_min_gen_i(p, value) atomicMin((int *)(p), (int)(value))
#define __nvvm_atom_min_gen_ui(p, value) atomicMin((unsigned *)(p), (unsigned)(value))
#define __nvvm_atom_min_gen_ll(p, value) atomicMin((long long *)(p), (long long)(value))
#define __nvvm_atom_min_gen_ull(p, value) atomicMin((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_and_gen_i(p, value) atomicAnd((int *)(p), (int)(value))
#define __nvvm_atom_and_gen_ll(p, value) atomicAnd((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_or_gen_i(p, value) atomicOr((int *)(p), (int)(value))
#define __nvvm_atom_or_gen_ll(p, value) atomicOr((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_xor_gen_i(p, value) atomicXor((int *)(p), (int)(value))
#define __nvvm_atom_xor_gen_ll(p, value) atomicXor((unsigned long long *)(p), (unsigned long long)(value))
#define __nvvm_atom_inc_gen_ui(p, limit) atomicInc(p, limit)
#define __nvvm_atom_dec_gen_ui(p, limit) atomicDec(p, limit)
#define __nvvm_atom_cas_gen_i(p, expected, value) atomicCAS((int *)(p), (int)(expected), (int)(value))
#define __nvvm_atom_cas_gen_ll(p, expected, value) \
  atomicCAS((unsigned long long *)(p), (unsigned long long)(expected), (unsigned long long)(value))
static __device__ inline unsigned subtract(unsigned *p, unsigned value) { return atomicAdd(p, 0u - value); }
static __device__ inline unsigned long long subtract(unsigned long long *p, unsigned long long value) { return atomicAdd(p, 0ull - value); }
#define __atomic_fetch_sub(p, value, order) subtract(p, value)
#define __atomic_fetch_add(p, value, order) atomicAdd(p, value)

#define address_space(number) unused
#define __nvvm_cp_async_ca_shared_global_4(shared, global) __pipeline_memcpy_async((void *)(shared), (const void *)(global), 4)
#define __nvvm_cp_async_ca_shared_global_8(shared, global) __pipeline_memcpy_async((void *)(shared), (const void *)(global), 8)
#define __nvvm_cp_async_ca_shared_global_16(shared, global) __pipeline_memcpy_async((void *)(shared), (const void *)(global), 16)
#define __nvvm_cp_async_wait_all() (__pipeline_commit(), __pipeline_wait_prior(0))

#define __nvvm_prmt(a, b, selector) __byte_perm(a, b, selector)
#define __builtin_bitreverse32(value) __brev(value)
#define __builtin_popcount(value) __popc(value)
#define __builtin_fmaf(a, b, c) fmaf(a, b, c)
#define __nvvm_fmin_f(a, b) fminf(a, b)
#define __nvvm_fmax_f(a, b) fmaxf(a, b)
#define __nvvm_f2i_rn(a) __float2int_rn(a)
#define __nvvm_f2i_rz(a) __float2int_rz(a)
#define __nvvm_f2i_rm(a) __float2int_rd(a)
#define __nvvm_f2i_rp(a) __float2int_ru(a)
#define __nvvm_d2i_rn(a) __double2int_rn(a)
#define __nvvm_d2i_rz(a) __double2int_rz(a)
#define __nvvm_d2i_rm(a) __double2int_rd(a)
#define __nvvm_d2i_rp(a) __double2int_ru(a)
#define __nvvm_d2f_rn(a) __double2float_rn(a)
#define __nvvm_d2f_rz(a) __double2float_rz(a)
#define __nvvm_d2f_rm(a) __double2float_rd(a)
#define __nvvm_d2f_rp(a) __double2float_ru(a)
#define __nvvm_ll2f_rn(a) __ll2float_rn(a)
#define __nvvm_ll2f_rm(a) __ll2float_rd(a)
#define __nvvm_ll2f_rp(a) __ll2float_ru(a)
#define __nvvm_ll2d_rn(a) __ll2double_rn(a)
