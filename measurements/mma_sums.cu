// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-kernels that show how tensor cores round sums (docs/hardware.md, rule 90): one mma.sync or wgmma each, of random
// operands of eight kinds, from equal exponents to one product that is much larger than all others. They write operands
// and results to a file, which the model of the executor is compared with (tests/executor/mma_sums_check.cpp). On a
// machine with a Hopper GPU:
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a measurements/mma_sums.cu -o mma_sums
//   ./mma_sums sums.bin
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

// What is measured, in the order of the file. `bits`: of an element of A and B.
enum Kind { kHalf, kBfloat, kHalfSums, kTf32, kGroupHalf, kGroupBfloat, kGroupTf32, kGroupE4m3, kGroupE5m2, kGroupHalfSums, kKinds };
struct Row {
  int depth, bits, fraction, exponent;
  bool halfSums;
};
constexpr Row kRows[kKinds] = {{16, 16, 10, 5, false}, {16, 16, 7, 8, false}, {16, 16, 10, 5, true},
                               {8, 32, 10, 8, false},  {16, 16, 10, 5, false}, {16, 16, 7, 8, false},
                               {8, 32, 10, 8, false},  {32, 8, 3, 4, false},  {32, 8, 2, 5, false},
                               {16, 16, 10, 5, true}};
constexpr int kFamilies = 8, kEach = 32, kCases = kFamilies * kEach;

// Element (row, k) of A and (k, column) of B, one in each word; C and D as the bits of a sum.
struct Case {
  std::uint32_t a[16 * 32], b[32 * 8], c[16 * 8], d[16 * 8];
};

template <int kind>
__device__ std::uint32_t packed(const std::uint32_t* from, int stride) {
  constexpr int bits = kRows[kind].bits;
  std::uint32_t word = 0;
  for (int i = 0; i < 32 / bits; ++i) word |= from[i * stride] << (i * bits & 31);
  return word;
}

template <int kind>
__global__ void __launch_bounds__(128) multiply(Case* cases) {
  constexpr int depth = kRows[kind].depth, bits = kRows[kind].bits, each = 32 / bits;
  constexpr bool halfSums = kRows[kind].halfSums;
  Case& mine = cases[blockIdx.x];
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const auto elementA = [&](int row, int k) { return &mine.a[row * depth + k]; };
  std::uint32_t a[4];
  for (int i = 0; i < 4; ++i) a[i] = packed<kind>(elementA(g + i % 2 * 8, t * each + i / 2 * depth / 2), 1);
  std::uint32_t b[2];
  for (int i = 0; i < 2; ++i) b[i] = packed<kind>(&mine.b[(t * each + i * depth / 2) * 8 + g], 8);
  std::uint32_t sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = mine.c[(g + i / 2 * 8) * 8 + 2 * t + i % 2];
  std::uint32_t pairs[2] = {sums[0] | sums[1] << 16, sums[2] | sums[3] << 16};
  if constexpr (kind == kHalf)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if constexpr (kind == kBfloat)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if constexpr (kind == kHalfSums)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
                 : "+r"(pairs[0]), "+r"(pairs[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if constexpr (kind == kTf32)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  if constexpr (kind >= kGroupHalf) {
    // B in core matrices of eight columns and 16 bytes of K.
    __shared__ alignas(128) std::uint8_t shared[256];
    for (int i = threadIdx.x; i < 256; i += 128) {
      const int byteOfK = i / 128 * 16 + i % 16, column = i % 128 / 16;
      const int k = byteOfK * 8 / bits;
      shared[i] = static_cast<std::uint8_t>(mine.b[k * 8 + column] >> byteOfK * 8 % bits);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(shared));
    const std::uint64_t descriptor =
        (address & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define GROUP(name, tail)                                                                               \
  asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned." name                 \
               " {%0,%1,%2,%3},{%4,%5,%6,%7},%8,p,1,1" tail ";}"                                        \
               : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor))
    if constexpr (kind == kGroupHalf) GROUP("m64n8k16.f32.f16.f16", ",0");
    if constexpr (kind == kGroupBfloat) GROUP("m64n8k16.f32.bf16.bf16", ",0");
    if constexpr (kind == kGroupTf32) GROUP("m64n8k8.f32.tf32.tf32", "");
    if constexpr (kind == kGroupE4m3) GROUP("m64n8k32.f32.e4m3.e4m3", "");
    if constexpr (kind == kGroupE5m2) GROUP("m64n8k32.f32.e5m2.e5m2", "");
    if constexpr (kind == kGroupHalfSums)
      asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
                   "{%0,%1},{%2,%3,%4,%5},%6,p,1,1,0;}"
                   : "+r"(pairs[0]), "+r"(pairs[1])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
#undef GROUP
  }
  if (threadIdx.x >= 32) return;
  for (int i = 0; i < 4; ++i)
    mine.d[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = halfSums ? pairs[i / 2] >> (16 * (i % 2)) & 0xffff : sums[i];
}

std::mt19937 engine(1130);
int between(int least, int most) { return least + static_cast<int>(engine() % static_cast<unsigned>(most - least + 1)); }

// A number of a format, +-1.xxx * 2^power; below the least exponent a denormal one.
std::uint32_t number(int fraction, int exponent, int power) {
  const int bias = (1 << (exponent - 1)) - 1, most = (1 << exponent) - 2;
  std::uint32_t low = engine() & ((1u << fraction) - 1);
  int field = power + bias;
  if (field < 1) {
    low = (low | 1u << fraction) >> (field > -fraction ? 1 - field : fraction + 1);
    field = 0;
  }
  if (field > most) field = most;
  return (engine() & 1u) << (fraction + exponent) | static_cast<std::uint32_t>(field) << fraction | low;
}

// A random power for element k of family `f`; the formats' range is clipped by number().
int powerOf(int f, int k, int range) {
  switch (f) {
    case 0: return 0;
    case 1: return between(-2, 2);
    case 2: return between(-range / 2, range / 2);
    case 3: return k == 0 ? range / 2 : between(-range / 3, 0);
    case 4: return between(-range, -range + 4);
    case 5: return between(-range - 3, range);
    case 6: return k % 2 == 0 ? 3 : between(-6, 3);
    default: return between(-4, 4);
  }
}

void fill(Case& made, const Row& row, int family) {
  const int range = row.exponent == 4 ? 6 : row.exponent == 5 ? 13 : 40;
  const int shift = row.bits == 32 ? 13 : 0;
  for (int r = 0; r < 16; ++r)
    for (int k = 0; k < row.depth; ++k)
      made.a[r * row.depth + k] = number(row.fraction, row.exponent, powerOf(family, k, range)) << shift;
  for (int k = 0; k < row.depth; ++k)
    for (int n = 0; n < 8; ++n)
      made.b[k * 8 + n] = number(row.fraction, row.exponent, powerOf(family, k, range)) << shift;
  // Pairs of products that cancel each other but for the last bits.
  if (family == 6) {
    for (int k = 1; k < row.depth; k += 2) {
      for (int r = 0; r < 16; ++r) made.a[r * row.depth + k] = made.a[r * row.depth + k - 1] ^ (engine() & 1u) << shift;
      for (int n = 0; n < 8; ++n)
        made.b[k * 8 + n] = made.b[(k - 1) * 8 + n] ^ 1u << (row.fraction + row.exponent + shift);
    }
  }
  for (int i = 0; i < 128; ++i) {
    const int power = family == 7 ? between(0, 30) : family == 4 ? between(-2 * range, -2 * range + 30) : between(-12, 6);
    made.c[i] = row.halfSums ? number(10, 5, power < 12 ? power : 12) : number(23, 8, power);
    if (family == 1 && i % 4 == 0) made.c[i] = 0;
  }
}

template <int kind>
void measure(std::FILE* file) {
  std::vector<Case> cases(kCases);
  for (int i = 0; i < kCases; ++i) fill(cases[static_cast<std::size_t>(i)], kRows[kind], i / kEach);
  Case* device = nullptr;
  const std::size_t bytes = cases.size() * sizeof(Case);
  check(cudaMalloc(&device, bytes), "memory");
  check(cudaMemcpy(device, cases.data(), bytes, cudaMemcpyHostToDevice), "copy");
  multiply<kind><<<kCases, kind >= kGroupHalf ? 128 : 32>>>(device);
  check(cudaDeviceSynchronize(), "launch");
  check(cudaMemcpy(cases.data(), device, bytes, cudaMemcpyDeviceToHost), "copy");
  check(cudaFree(device), "memory");
  const std::int32_t head[4] = {kind, kRows[kind].depth, kCases, kEach};
  std::fwrite(head, sizeof head, 1, file);
  std::fwrite(cases.data(), sizeof(Case), cases.size(), file);
  if constexpr (kind + 1 < kKinds) measure<kind + 1>(file);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: mma_sums FILE\n");
    return 2;
  }
  std::FILE* const file = std::fopen(words[1], "wb");
  if (file == nullptr) {
    std::perror(words[1]);
    return 1;
  }
  measure<0>(file);
  return std::fclose(file) == 0 ? 0 : 1;
}
