// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel around a micro-case (kernels/sass/micro_case.h). Its multiply-adds are placeholders:
// the first two become moves of the lane's address and of the number of iterations to registers of
// the case, and the loop becomes the instructions of the case. SLOTS comes from micro_bench.cpp.

// `addresses` has the byte address in shared memory of each of the 32 lanes, at most 4096 - 16.
// `clocks` gets two values per warp: the SM clock before and after all iterations.
extern "C" __global__ void __launch_bounds__(512)
    micro_case(const unsigned int* addresses, long long* clocks, int turns) {
  __shared__ float4 words[256];
  for (unsigned int i = threadIdx.x; i < 256; i += blockDim.x) words[i] = make_float4(1, 1, 1, 1);
  const unsigned int base = (unsigned int)__cvta_generic_to_shared(words);
  const float address = __uint_as_float(base + addresses[threadIdx.x % 32]);
  const float count = __int_as_float(turns);
  float sum = address;
  asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(sum) : "f"(address));
  asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(sum) : "f"(count));
  __syncthreads();
  const long long before = clock64();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int slot = 0; slot < SLOTS; ++slot) asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(sum) : "f"(address));
  }
  const long long after = clock64();
  if (threadIdx.x % 32 == 0) {
    long long* const to = clocks + 2 * ((blockIdx.x * blockDim.x + threadIdx.x) / 32);
    to[0] = before;
    to[1] = after;
  }
  if (sum == 1.2345e30f) clocks[0] = 0;  // never: the sum is used, so that nothing is removed
}
