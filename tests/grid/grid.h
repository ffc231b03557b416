// Compiles one source twice: by clang for NVPTX, and by g++ for the host, where it computes what the kernels have to give.
//
// Problem. A miscompilation shows only beside a result that the compiler under test had no part in. So a kernel here is C++ that a
// host compiler understands as well.
//
// Method. For clang (`-x cuda --cuda-device-only`) the names below are NVPTX's. For g++ the threads of a block are fibers that run one
// after the other: each goes on until it waits for its block or its warp, so the order is always the same. launch() runs a kernel and
// appends to NAME.launch what `ptx-compare grid` needs to run it again: size of the grid, parameters, and files with the content of
// each buffer before and after the launch.
//
// For the device a source is compiled without -fwrapv, so it must not depend on undefined behaviour: sums that wrap are unsigned. `run.py --sanitize`
// runs the native side under UBSan. Nothing else of a buffer's surroundings is written either: guards find that.
//
// Source. CUDA C++ Programming Guide, "Thread Hierarchy" and "Warp Shuffle Functions"; getcontext(3). Deviation: none.
// Complexity. Linear in what the kernels execute; a wait costs a switch of fibers.
#pragma once

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;

#ifdef __CUDA__
typedef __fp16 half;
#else
typedef _Float16 half;
#endif

#define RESTRICT __restrict__
#define EVERYONE 0xffffffffu

#ifdef __CUDA__ // ---- the device

#define KERNEL extern "C" __attribute__((global)) void
#define BOUNDED_KERNEL(threads) extern "C" __attribute__((global)) __attribute__((launch_bounds(threads))) void
#define DEVICE static inline __attribute__((device))
#define CALLED static __attribute__((device)) __attribute__((noinline))
#define CONSTANT static __attribute__((constant)) const
#define GLOBAL __attribute__((device))
#define SHARED __attribute__((shared))
#define DYNAMIC_SHARED(type, name) extern __attribute__((shared)) __attribute__((aligned(16))) type name[]
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("nounroll")

DEVICE u32 thread_x() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE u32 thread_y() { return __nvvm_read_ptx_sreg_tid_y(); }
DEVICE u32 block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE u32 block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
DEVICE u32 block_size_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE u32 block_size_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
DEVICE u32 grid_size_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }

DEVICE void barrier() { __syncthreads(); }
DEVICE void fence() { __nvvm_membar_gl(); }
DEVICE u32 shuffle(u32 value, u32 lane) { return __nvvm_shfl_sync_idx_i32(EVERYONE, value, lane, 31); }
DEVICE u32 shuffle_xor(u32 value, u32 mask) { return __nvvm_shfl_sync_bfly_i32(EVERYONE, value, mask, 31); }
DEVICE u32 shuffle_down(u32 value, u32 by) { return __nvvm_shfl_sync_down_i32(EVERYONE, value, by, 31); }
DEVICE u32 shuffle_up(u32 value, u32 by) { return __nvvm_shfl_sync_up_i32(EVERYONE, value, by, 0); }
DEVICE u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(EVERYONE, vote); }

// Adds, and takes the larger one, atomically; both return what was there.
DEVICE u32 atomic_add(u32 *p, u32 value) { return __nvvm_atom_add_gen_i((int *)p, value); }
DEVICE u32 atomic_max(u32 *p, u32 value) { return __nvvm_atom_max_gen_ui(p, value); }
DEVICE u32 atomic_exchange(u32 *p, u32 value) { return __nvvm_atom_xchg_gen_i((int *)p, value); }

// The other kinds and types; all return what was there. Increment and decrement begin anew after `limit`; compare_and_swap stores `value` where
// `expected` was.
DEVICE u64 atomic_add(u64 *p, u64 value) { return __nvvm_atom_add_gen_ll((long long *)p, value); }
DEVICE float root_inverse(float x) { return __nvvm_rsqrt_approx_f(x); }
DEVICE float root(float x) { return __nvvm_sqrt_approx_f(x); }
DEVICE float logarithm(float x) { return __nvvm_lg2_approx_f(x); }
DEVICE float atomic_add(float *p, float value) { return __nvvm_atom_add_gen_f(p, value); }
DEVICE double atomic_add(double *p, double value) { return __nvvm_atom_add_gen_d(p, value); }
DEVICE u64 atomic_exchange(u64 *p, u64 value) { return __nvvm_atom_xchg_gen_ll((long long *)p, value); }
DEVICE u32 atomic_sub(u32 *p, u32 value) { return __atomic_fetch_sub(p, value, __ATOMIC_RELAXED); }
DEVICE u64 atomic_sub(u64 *p, u64 value) { return __atomic_fetch_sub(p, value, __ATOMIC_RELAXED); }
DEVICE u64 atomic_max(u64 *p, u64 value) { return __nvvm_atom_max_gen_ull(p, value); }
DEVICE s32 atomic_max(s32 *p, s32 value) { return __nvvm_atom_max_gen_i(p, value); }
DEVICE s64 atomic_max(s64 *p, s64 value) { return __nvvm_atom_max_gen_ll(p, value); }
DEVICE u32 atomic_min(u32 *p, u32 value) { return __nvvm_atom_min_gen_ui(p, value); }
DEVICE u64 atomic_min(u64 *p, u64 value) { return __nvvm_atom_min_gen_ull(p, value); }
DEVICE s32 atomic_min(s32 *p, s32 value) { return __nvvm_atom_min_gen_i(p, value); }
DEVICE s64 atomic_min(s64 *p, s64 value) { return __nvvm_atom_min_gen_ll(p, value); }
DEVICE u32 atomic_and(u32 *p, u32 value) { return __nvvm_atom_and_gen_i((int *)p, value); }
DEVICE u64 atomic_and(u64 *p, u64 value) { return __nvvm_atom_and_gen_ll((long long *)p, value); }
DEVICE u32 atomic_or(u32 *p, u32 value) { return __nvvm_atom_or_gen_i((int *)p, value); }
DEVICE u64 atomic_or(u64 *p, u64 value) { return __nvvm_atom_or_gen_ll((long long *)p, value); }
DEVICE u32 atomic_xor(u32 *p, u32 value) { return __nvvm_atom_xor_gen_i((int *)p, value); }
DEVICE u64 atomic_xor(u64 *p, u64 value) { return __nvvm_atom_xor_gen_ll((long long *)p, value); }
DEVICE u32 atomic_increment(u32 *p, u32 limit) { return __nvvm_atom_inc_gen_ui(p, limit); }
DEVICE u32 atomic_decrement(u32 *p, u32 limit) { return __nvvm_atom_dec_gen_ui(p, limit); }
DEVICE u32 compare_and_swap(u32 *p, u32 expected, u32 value) { return __nvvm_atom_cas_gen_i((int *)p, expected, value); }
DEVICE u64 compare_and_swap(u64 *p, u64 expected, u64 value) { return __nvvm_atom_cas_gen_ll((long long *)p, expected, value); }

// Copies 4, 8 or 16 bytes from global to shared memory with cp.async, and waits for all copies.
template <u32 bytes> DEVICE void copy_async(void *to, const void *from) {
  auto shared = (__attribute__((address_space(3))) void *)to;
  auto global = (const __attribute__((address_space(1))) void *)from;
  if constexpr (bytes == 4)
    __nvvm_cp_async_ca_shared_global_4(shared, global);
  else if constexpr (bytes == 8)
    __nvvm_cp_async_ca_shared_global_8(shared, global);
  else
    __nvvm_cp_async_ca_shared_global_16(shared, global);
}
DEVICE void wait_for_copies() { __nvvm_cp_async_wait_all(); }

// Gives the address of shared memory as a number of 32 bits, and accesses memory at one.
DEVICE u32 shared_address(const void *p) { return (u32)(u64)(__attribute__((address_space(3))) const void *)p; }
DEVICE u32 load_shared(u32 address) {
  u32 value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}
DEVICE void store_shared(u32 address, u32 value) {
  asm volatile("st.shared.u32 [%0], %1;" : : "r"(address), "r"(value) : "memory");
}

// Loads from memory of which the compiler knows nothing. Outside of every buffer that gives anything, so the reader masks it.
DEVICE u32 load_at(const u32 *base, u64 offset) { return *(const u32 *)((u64)base + offset); }

// Keeps the compiler from knowing a value.
DEVICE u32 opaque(u32 value) {
  asm volatile("mov.u32 %0, %0;" : "+r"(value));
  return value;
}

DEVICE u32 byte_perm(u32 a, u32 b, u32 selector) { return __nvvm_prmt(a, b, selector); }

#else // ---- the host

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

#define NATIVE 1
#define KERNEL extern "C" void
#define BOUNDED_KERNEL(threads) extern "C" void
#define DEVICE static inline
#define CALLED static __attribute__((noinline))
#define CONSTANT static const
#define GLOBAL
#define SHARED static
#define DYNAMIC_SHARED(type, name) type *name = (type *)grid::dynamic_shared
#define UNROLL
#define NO_UNROLL

struct Dim {
  u32 x, y, z;
  Dim(u32 x, u32 y = 1, u32 z = 1) : x(x), y(y), z(z) {}
};

namespace grid {

// Ends the program: the source is wrong.
[[noreturn]] inline void fail(const std::string &why) {
  std::fprintf(stderr, "grid.h: %s\n", why.c_str());
  std::exit(2);
}

enum class State { ready, at_barrier, at_warp, done };

struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(1 << 16);
  Dim thread = 0;
  State state = State::ready;
  u32 value = 0;  // what it gives to the others of its warp
  u32 lanes[32];  // what all of its warp have given
};

alignas(16) inline char dynamic_shared[1 << 16];
inline Dim grid_size = 1, block_size = 1, block = 0;
inline Fiber *current = nullptr;
inline ucontext_t scheduler;
inline void (*body)(void *) = nullptr;
inline void *body_argument = nullptr;

inline void wait(State state) {
  current->state = state;
  swapcontext(&current->context, &scheduler);
}

// Gives a value to the others of the warp, and waits for theirs.
inline const u32 *exchange(u32 value) {
  current->value = value;
  wait(State::at_warp);
  return current->lanes;
}

inline u32 lane() { return (current->thread.x + block_size.x * current->thread.y) % 32; }

inline void enter() {
  body(body_argument);
  current->state = State::done;
}

// Lets the warps go on in which every thread has given its value. All 32 threads must be there: the masks here say so.
inline bool release_warps(std::vector<Fiber> &fibers) {
  bool is_any_released = false;
  for (size_t first = 0; first < fibers.size(); first += 32) {
    size_t waiting = 0;
    for (size_t i = first; i < fibers.size() && i < first + 32; i++)
      waiting += fibers[i].state == State::at_warp;
    if (waiting == 0)
      continue;
    if (waiting != 32)
      fail("not all threads of a warp exchange values");
    for (size_t i = first; i < first + 32; i++) {
      for (size_t j = 0; j < 32; j++)
        fibers[i].lanes[j] = fibers[first + j].value;
      fibers[i].state = State::ready;
    }
    is_any_released = true;
  }
  return is_any_released;
}

// Runs the threads of one block.
inline void run_block() {
  static std::vector<Fiber> fibers;
  fibers.resize(block_size.x * block_size.y * block_size.z);
  u32 number = 0;
  for (Fiber &fiber : fibers) {
    u32 row = number / block_size.x;
    fiber.thread = Dim(number % block_size.x, row % block_size.y, row / block_size.y);
    fiber.state = State::ready;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, enter, 0);
    number++;
  }
  for (bool is_running = true; is_running;) {
    for (Fiber &fiber : fibers)
      if (fiber.state == State::ready) {
        current = &fiber;
        swapcontext(&scheduler, &fiber.context);
      }
    if (release_warps(fibers))
      continue;
    is_running = false;
    for (Fiber &fiber : fibers)
      if (fiber.state == State::at_barrier) {
        fiber.state = State::ready;
        is_running = true;
      }
  }
}

inline std::string folder, stem;
inline FILE *launch_file = nullptr;
inline int number_of_launches = 0;
inline std::vector<std::pair<u64, u64>> buffers; // the launch's: address and size

} // namespace grid

inline u32 thread_x() { return grid::current->thread.x; }
inline u32 thread_y() { return grid::current->thread.y; }
inline u32 block_x() { return grid::block.x; }
inline u32 block_y() { return grid::block.y; }
inline u32 block_size_x() { return grid::block_size.x; }
inline u32 block_size_y() { return grid::block_size.y; }
inline u32 grid_size_x() { return grid::grid_size.x; }

inline void barrier() { grid::wait(grid::State::at_barrier); }
inline void fence() {}
inline u32 shuffle(u32 value, u32 lane) { return grid::exchange(value)[lane % 32]; }
inline u32 shuffle_xor(u32 value, u32 mask) { return grid::exchange(value)[(grid::lane() ^ mask) % 32]; }
inline u32 shuffle_down(u32 value, u32 by) {
  u32 from = grid::lane() + by;
  const u32 *lanes = grid::exchange(value);
  return from < 32 ? lanes[from] : value;
}
inline u32 shuffle_up(u32 value, u32 by) {
  u32 from = grid::lane() - by;
  const u32 *lanes = grid::exchange(value);
  return from < 32 ? lanes[from] : value;
}
inline u32 ballot(bool vote) {
  const u32 *lanes = grid::exchange(vote);
  u32 votes = 0;
  for (u32 i = 0; i < 32; i++)
    votes |= lanes[i] << i;
  return votes;
}

template <class T> T atomic_add(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p + value); }
template <class T> T atomic_sub(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p - value); }
template <class T> T atomic_max(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p > value ? *p : value); }
template <class T> T atomic_min(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p < value ? *p : value); }
template <class T> T atomic_and(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p & value); }
template <class T> T atomic_or(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p | value); }
template <class T> T atomic_xor(T *p, std::type_identity_t<T> value) { return std::exchange(*p, *p ^ value); }
template <class T> T atomic_exchange(T *p, std::type_identity_t<T> value) { return std::exchange(*p, value); }
template <class T> T compare_and_swap(T *p, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return std::exchange(*p, *p == expected ? value : *p);
}
inline u32 atomic_increment(u32 *p, u32 limit) { return std::exchange(*p, *p >= limit ? 0 : *p + 1); }
inline u32 atomic_decrement(u32 *p, u32 limit) { return std::exchange(*p, *p == 0 || *p > limit ? limit : *p - 1); }

// Approximations have no value on the host: kernels compare one with another.
inline float root_inverse(float x) { return x; }
inline float root(float x) { return x; }
inline float logarithm(float x) { return x; }
template <u32 bytes> void copy_async(void *to, const void *from) { std::memcpy(to, from, bytes); }
inline void wait_for_copies() {}

// The program is linked at a fixed address, so that shared memory, which is static here, lies below 4 GiB.
inline u32 shared_address(const void *p) {
  if ((u64)p >> 32)
    grid::fail("shared memory lies above 4 GiB: link with -no-pie");
  return (u32)(u64)p;
}
inline u32 load_shared(u32 address) { return *(const volatile u32 *)(u64)address; }
inline void store_shared(u32 address, u32 value) { *(volatile u32 *)(u64)address = value; }

inline u32 load_at(const u32 *base, u64 offset) {
  for (const auto &[first, size] : grid::buffers)
    if ((u64)base + offset - first <= size - 4 && size >= 4)
      return *(const u32 *)((u64)base + offset);
  return 0x5eadbeef;
}

inline u32 opaque(u32 value) { return value; }

// Selects four of eight bytes; the mode with the sign of a byte included (PTX ISA, "prmt").
inline u32 byte_perm(u32 a, u32 b, u32 selector) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 select = selector >> (4 * i) & 15;
    u32 byte = (u32)(bytes >> (8 * (select & 7))) & 255;
    result |= (select & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
  }
  return result;
}

// Global memory that a kernel gets the address of.
struct Buffer {
  std::vector<u8> bytes;

  // Makes a buffer of zeros.
  static Buffer zeros(size_t size) { return {std::vector<u8>(size)}; }
  // Makes a buffer with content that depends on the seed alone (splitmix64).
  static Buffer random(size_t size, u64 seed) {
    Buffer buffer = zeros(size);
    for (size_t i = 0; i < size; i++) {
      u64 z = (seed + i / 8 + 1) * 0x9e3779b97f4a7c15;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      buffer.bytes[i] = (u8)((z ^ z >> 31) >> (i % 8 * 8));
    }
    return buffer;
  }
  // Makes a buffer of these elements.
  template <class T> static Buffer of(const std::vector<T> &elements) {
    Buffer buffer = zeros(elements.size() * sizeof(T));
    std::memcpy(buffer.bytes.data(), elements.data(), buffer.bytes.size());
    return buffer;
  }
};

namespace grid {

constexpr size_t GUARD = 4096;

inline void write_file(const std::string &name, const void *bytes, size_t size) {
  FILE *file = std::fopen((folder + "/" + name).c_str(), "wb");
  if (!file || std::fwrite(bytes, 1, size, file) != size || std::fclose(file) != 0)
    fail("cannot write " + name);
}

// An argument for a parameter of type P: the value, or the memory that a pointer points to, with guards around it.
template <class P> struct Argument {
  P value{};
  std::vector<u8> memory;
  size_t size = 0;

  Argument(const Buffer &buffer) : memory(buffer.bytes.size() + 2 * GUARD, 0xa5), size(buffer.bytes.size()) {
    static_assert(std::is_pointer_v<P>, "a buffer is for a pointer");
    std::memcpy(memory.data() + GUARD, buffer.bytes.data(), size);
    value = (P)(memory.data() + GUARD);
  }
  template <class A, class = std::enable_if_t<!std::is_same_v<A, Buffer>>> Argument(A number) : value(number) {
    static_assert(!std::is_pointer_v<P>, "a pointer needs a buffer");
  }

  // Writes the line of the launch file, before the kernel runs.
  void write(int index) const {
    if constexpr (std::is_pointer_v<P>) {
      buffers.push_back({(u64)value, size});
      std::string name = stem + "." + std::to_string(number_of_launches) + "." + std::to_string(index);
      write_file(name + ".in", memory.data() + GUARD, size);
      std::fprintf(launch_file, "buffer %zu in=%s.in out=%s.out\n", size, name.c_str(), name.c_str());
    } else if constexpr (std::is_integral_v<P>) {
      long long number = (long long)value;
      if constexpr (std::is_signed_v<P>)
        std::fprintf(launch_file, "s%zu %lld\n", 8 * sizeof(P), number);
      else
        std::fprintf(launch_file, "u%zu %llu\n", 8 * sizeof(P), (unsigned long long)value);
    } else if constexpr (std::is_floating_point_v<P>) {
      u64 bits = 0;
      std::memcpy(&bits, &value, sizeof(P));
      std::fprintf(launch_file, "f%zu 0x%llx\n", 8 * sizeof(P), bits);
    } else {
      std::fprintf(launch_file, "bytes ");
      for (size_t i = 0; i < sizeof(P); i++)
        std::fprintf(launch_file, "%02x", ((const u8 *)&value)[i]);
      std::fprintf(launch_file, "\n");
    }
  }
  // Writes the content expected after the kernel.
  void write_expected(int index) const {
    if constexpr (std::is_pointer_v<P>) {
      for (size_t i = 0; i < GUARD; i++)
        if (memory[i] != 0xa5 || memory[GUARD + size + i] != 0xa5)
          fail("launch " + std::to_string(number_of_launches) + " writes outside of a buffer");
      std::string name = stem + "." + std::to_string(number_of_launches) + "." + std::to_string(index);
      write_file(name + ".out", memory.data() + GUARD, size);
    }
  }
};

template <class... P, size_t... I>
void launch(const char *name, void (*kernel)(P...), Dim blocks, Dim threads, u32 shared, std::index_sequence<I...>,
            std::tuple<Argument<P>...> arguments) {
  if (shared > sizeof dynamic_shared)
    fail("too much shared memory");
  std::fprintf(launch_file, "kernel %s\ngrid %u %u %u\nblock %u %u %u\n", name, blocks.x, blocks.y, blocks.z, threads.x, threads.y,
               threads.z);
  if (shared)
    std::fprintf(launch_file, "shared %u\n", shared);
  buffers.clear();
  (std::get<I>(arguments).write(I), ...);
  auto call = [&] { kernel(std::get<I>(arguments).value...); };
  body = [](void *call_) { (*(decltype(call) *)call_)(); };
  body_argument = &call;
  grid_size = blocks;
  block_size = threads;
  for (u32 z = 0; z < blocks.z; z++)
    for (u32 y = 0; y < blocks.y; y++)
      for (u32 x = 0; x < blocks.x; x++) {
        block = Dim(x, y, z);
        run_block();
      }
  (std::get<I>(arguments).write_expected(I), ...);
  number_of_launches++;
}

// Begins NAME.launch in a folder; NAME is that of the source.
inline void begin(int argc, char **argv, std::string source) {
  if (argc != 2)
    fail("one argument: the folder to write to");
  folder = argv[1];
  stem = source.substr(source.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  launch_file = std::fopen((folder + "/" + stem + ".launch").c_str(), "w");
  if (!launch_file)
    fail("cannot write to " + folder);
}

} // namespace grid

// Runs a kernel, and writes its launch. A Buffer stands for a pointer, anything else for itself.
template <class... P, class... A>
void launch(const char *name, void (*kernel)(P...), Dim blocks, Dim threads, u32 shared, A... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "one argument for each parameter");
  grid::launch(name, kernel, blocks, threads, shared, std::index_sequence_for<P...>(),
               std::tuple<grid::Argument<P>...>(grid::Argument<P>(arguments)...));
}
#define LAUNCH(kernel, ...) launch(#kernel, kernel, __VA_ARGS__)

// Begins the program of the host: LAUNCHES { LAUNCH(...); ... }
#define LAUNCHES                                                                                                                       \
  void all_launches();                                                                                                                 \
  int main(int argc, char **argv) {                                                                                                    \
    grid::begin(argc, argv, __BASE_FILE__);                                                                                            \
    all_launches();                                                                                                                    \
    if (std::fclose(grid::launch_file) != 0)                                                                                           \
      grid::fail("cannot write the launches");                                                                                         \
    return 0;                                                                                                                          \
  }                                                                                                                                    \
  void all_launches()
#endif

// The thread's number in a grid of one dimension, and how many there are.
DEVICE u32 global_index() { return block_x() * block_size_x() + thread_x(); }
DEVICE u32 global_count() { return grid_size_x() * block_size_x(); }

// Loads the word at `base` plus `offset` bytes, and gives 0 if `offset` is not below `limit`. The load is always executed, so its
// address is computed beside those of others; a wrong one gives another value.
DEVICE u32 load_below(const u32 *base, u64 offset, u64 limit) {
  u32 value = load_at(base, offset);
  return value & (0u - (u32)(offset < limit));
}
