// A program with two kernels. It runs them on the GPU, computes the same on the
// CPU, and says whether both agree. All numbers are unsigned integers, so the
// results are equal or wrong. The exit status is 0 if they are equal, 1 if not,
// and 77 where there is no GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a call of CUDA's fails.
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr unsigned rows = 300, columns = 1000, rounds = 9, threads = 128;

__host__ __device__ inline unsigned rotated(unsigned word, unsigned bits) {
  return word << bits | word >> (32 - bits);
}

// Four words that the rounds mix; what is left of them is one.
__host__ __device__ inline unsigned scrambled(unsigned word, unsigned count) {
  unsigned a = word, b = ~word, c = word * 0x9e3779b9u, d = word ^ 0x85ebca6bu;
  for (unsigned i = 0; i < count; ++i) {
    a = rotated(a + b, 7);
    b = rotated(b ^ c, 12) + i;
    c = rotated(c + d, 16);
    d = rotated(d ^ a, 8);
  }
  return a ^ b ^ c ^ d;
}

__global__ void scramble(unsigned *words, unsigned n, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    words[i] = scrambled(words[i], count);
}

// A block for each row: each thread adds up some columns, and the block adds
// those sums.
__global__ void sum_rows(const unsigned *words, unsigned *sums,
                         unsigned width) {
  __shared__ unsigned partial[threads];
  unsigned sum = 0;
  for (unsigned column = threadIdx.x; column < width; column += threads)
    sum += words[blockIdx.x * width + column];
  partial[threadIdx.x] = sum;
  for (unsigned half = threads / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

int main() {
  int devices = 0;
  cudaError_t found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    std::printf("no GPU to run on: %s\n", cudaGetErrorString(found));
    return 77;
  }

  std::vector<unsigned> words(rows * columns), words_of_gpu(words.size());
  std::vector<unsigned> sums(rows), sums_of_gpu(rows);
  for (unsigned i = 0; i < words.size(); ++i)
    words[i] = i * i + 1;

  unsigned *device_words, *device_sums;
  CHECK(cudaMalloc(&device_words, words.size() * sizeof(unsigned)));
  CHECK(cudaMalloc(&device_sums, sums.size() * sizeof(unsigned)));
  CHECK(cudaMemcpy(device_words, words.data(), words.size() * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  scramble<<<64, threads>>>(device_words, words.size(), rounds);
  CHECK(cudaGetLastError());
  sum_rows<<<rows, threads>>>(device_words, device_sums, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(words_of_gpu.data(), device_words,
                   words.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums_of_gpu.data(), device_sums,
                   sums.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_words));
  CHECK(cudaFree(device_sums));

  for (unsigned i = 0; i < words.size(); ++i) {
    words[i] = scrambled(words[i], rounds);
    sums[i / columns] += words[i];
  }
  bool same_words = words == words_of_gpu, same_sums = sums == sums_of_gpu;
  std::printf("scramble: %zu words, %s\n", words.size(),
              same_words ? "as on the CPU" : "WRONG");
  std::printf("sum_rows: %zu sums, the first is %u, %s\n", sums.size(),
              sums_of_gpu[0], same_sums ? "as on the CPU" : "WRONG");
  return same_words && same_sums ? 0 : 1;
}
