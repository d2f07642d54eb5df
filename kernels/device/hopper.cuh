// SPDX-License-Identifier: GPL-3.0-or-later
// More functions, for stages that use Hopper (sm_90a): TMA, which copies boxes of
// a matrix, mbarriers, which count bytes, and wgmma, whose operands the tensor
// cores read from shared memory. In addition to those of tensor.cuh:
//
//   in a stage                   on the GPU                          on the host (emulator)
//   ---------------------------  ----------------------------------  ---------------------------------
//   TENSOR_KERNEL(id, threads)   an entry that takes tensor maps     an emulated thread
//   TENSOR A                     a tensor map: 128 bytes with the    a matrix and the shape of its box
//                                address of the matrix and the size
//                                of its box
//   BOXES(id, BOX(A, columns,    nothing: the tensor maps are made   the shapes from which they are made
//     rows, SWIZZLE), …)         before the launch
//   SHARED_BOXES(As, n, Bs, m)   two arrays from a multiple of       the same
//                                1,024 bytes on, for boxes
//   BARRIERS(full, n)            n mbarriers after these arrays      n barriers of the emulated block
//   start(bar, count)            phase 0 begins, and `count`         the same
//                                arrivals will end each phase
//   publish_barriers()           makes them visible to TMA           recorded
//   expect(bar, bytes)           arrives, and expects this many      the same
//                                bytes of TMA
//   load_box(p, A, x, y, bar)    a TMA load of the box whose first   a recorded copy, which counts on the
//                                element is in row y                 barrier when it has arrived
//                                and column x; zeros outside A
//   wait(bar, parity)            until the phase of this parity has  the thread waits
//                                ended: phases are 0, 1, 0, 1, …
//   operand(p, lead, stride,     the matrix descriptor of an         the same 64 bits, read by
//     SWIZZLE)                   operand: 64 bits, distances in      multiply_add_group
//                                bytes
//   fence_async()                makes reads and writes of this      checked
//                                thread visible to TMA and the
//                                tensor cores
//   fence_products()             orders registers before the next    checked
//                                wgmma: wgmma.fence
//   multiply_add_group(acc, n,   acc += a b: 64 x 16 times 16 x n,   the warpgroup's tensor core does it
//     a, b)                      by four warps, asynchronous: wgmma
//   commit_products()            closes a wgmma group                the same
//   wait_products(n)             until all but the n newest groups   the warp waits; the sums can be used
//                                of this warpgroup are complete
//
// Four consecutive warps are a warpgroup, and its warps execute the last four of these functions together. In
// multiply_add_group, `a` is an operand with 64 rows along k (K-major), and `b` one with 16 rows along n. A box is in rows
// of SWIZZLE bytes, in which each chunk of 16 bytes is at its number XOR that of its line of 128 bytes (see rung T2).
// For K-major operands `stride` is the distance of groups of 8 rows; for the others `lead` is the distance of one
// panel of SWIZZLE bytes to the next, and `stride` that of groups of 8 k. In lane l of warp w of the warpgroup
//
//   acc[i]  is the sum in row 16 w + l / 4 + (i / 2 % 2) * 8, column i / 4 * 8 + l % 4 * 2 + i % 2.
#pragma once

#if defined(__CUDACC__)

struct __align__(64) tensor_map {
  unsigned long long opaque[16];
};
typedef unsigned long long barrier;

#define TENSOR_KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads) name
#define TENSOR const __grid_constant__ tensor_map
#define BOXES(kernel, ...)
#define SHARED_BOXES(first, first_count, second, second_count) \
  extern __shared__ __align__(1024) element tileloom_boxes[];  \
  element* const first = tileloom_boxes;                       \
  element* const second = first + (first_count);               \
  element* const tileloom_boxes_end = second + (second_count)
#define BARRIERS(name, count) barrier* const name = reinterpret_cast<barrier*>(tileloom_boxes_end)

__device__ __forceinline__ uint shared_address(const void* p) {
  return static_cast<uint>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void start(barrier* bar, const uint count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}

__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void expect(barrier* bar, const uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void wait(barrier* bar, const uint parity) {
  uint over = 0;
  while (!over) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(over)
        : "r"(shared_address(bar)), "r"(parity)
        : "memory");
  }
}

__device__ __forceinline__ void load_box(element* to, const tensor_map& from, const uint x, const uint y,
                                         barrier* bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(to)),
      "l"(&from), "r"(x), "r"(y), "r"(shared_address(bar))
      : "memory");
}

__device__ __forceinline__ unsigned long long operand(const element* p, const uint lead, const uint stride,
                                                      const uint swizzle) {
  const unsigned long long pattern = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
  return static_cast<unsigned long long>((shared_address(p) & 0x3FFFF) >> 4) |
         static_cast<unsigned long long>(lead >> 4) << 16 | static_cast<unsigned long long>(stride >> 4) << 32 |
         pattern << 62;
}

__device__ __forceinline__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
#define wait_products(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

// One function for each number of columns, since the instruction names each of its registers. `before` and
// `registers` name them, and `sums` binds them; the operands a and b come after these, at `ia` and `ib`.
#define TILELOOM_TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define TILELOOM_TENS3 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TILELOOM_TEN(1) ", " TILELOOM_TEN(2) ", "
#define TILELOOM_TENS4 TILELOOM_TENS3 TILELOOM_TEN(3) ", "
#define TILELOOM_TENS6 TILELOOM_TENS4 TILELOOM_TEN(4) ", " TILELOOM_TEN(5) ", "
#define TILELOOM_TENS7 TILELOOM_TENS6 TILELOOM_TEN(6) ", "
#define TILELOOM_TENS9 TILELOOM_TENS7 TILELOOM_TEN(7) ", " TILELOOM_TEN(8) ", "
#define TILELOOM_TENS11 TILELOOM_TENS9 TILELOOM_TEN(9) ", " TILELOOM_TEN(10) ", "
#define TILELOOM_TENS12 TILELOOM_TENS11 TILELOOM_TEN(11) ", "

#define TILELOOM_SUMS4(i) "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define TILELOOM_SUMS16(i) \
  TILELOOM_SUMS4(i), TILELOOM_SUMS4(i + 4), TILELOOM_SUMS4(i + 8), TILELOOM_SUMS4(i + 12)
#define TILELOOM_SUMS32 TILELOOM_SUMS16(0), TILELOOM_SUMS16(16)
#define TILELOOM_SUMS48 TILELOOM_SUMS32, TILELOOM_SUMS16(32)
#define TILELOOM_SUMS64 TILELOOM_SUMS48, TILELOOM_SUMS16(48)
#define TILELOOM_SUMS80 TILELOOM_SUMS64, TILELOOM_SUMS16(64)
#define TILELOOM_SUMS96 TILELOOM_SUMS80, TILELOOM_SUMS16(80)
#define TILELOOM_SUMS112 TILELOOM_SUMS96, TILELOOM_SUMS16(96)
#define TILELOOM_SUMS128 TILELOOM_SUMS112, TILELOOM_SUMS16(112)

// The flags in order: accumulate, keep the signs of both factors, A is K-major, and B is not.
#define TILELOOM_WGMMA(format, ptx, n, registers, sums, ia, ib)                                              \
  if (columns == n) {                                                                                        \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." ptx "." ptx " {" registers "}, %" #ia     \
                 ", %" #ib ", 1, 1, 1, 0, 1;"                                                                \
                 : sums                                                                                      \
                 : "l"(a), "l"(b));                                                                          \
  }
#define TILELOOM_WGMMA_FORMAT(format, ptx)                                                                   \
  __device__ __forceinline__ void multiply_add_group(format, float* acc, const uint columns, const unsigned long long a,  \
                                        const unsigned long long b) {                                        \
    TILELOOM_WGMMA(format, ptx, 64, TILELOOM_TENS3 "%30, %31", TILELOOM_SUMS32, 32, 33)                      \
    TILELOOM_WGMMA(format, ptx, 96, TILELOOM_TENS4 "%40, %41, %42, %43, %44, %45, %46, %47",                 \
                   TILELOOM_SUMS48, 48, 49)                                                                  \
    TILELOOM_WGMMA(format, ptx, 128, TILELOOM_TENS6 "%60, %61, %62, %63", TILELOOM_SUMS64, 64, 65)           \
    TILELOOM_WGMMA(format, ptx, 160, TILELOOM_TENS7 TILELOOM_TEN(7), TILELOOM_SUMS80, 80, 81)                \
    TILELOOM_WGMMA(format, ptx, 192, TILELOOM_TENS9 "%90, %91, %92, %93, %94, %95", TILELOOM_SUMS96, 96, 97) \
    TILELOOM_WGMMA(format, ptx, 224, TILELOOM_TENS11 "%110, %111", TILELOOM_SUMS112, 112, 113)               \
    TILELOOM_WGMMA(format, ptx, 256, TILELOOM_TENS12 "%120, %121, %122, %123, %124, %125, %126, %127",       \
                   TILELOOM_SUMS128, 128, 129)                                                               \
  }
TILELOOM_WGMMA_FORMAT(bf16, "bf16")
TILELOOM_WGMMA_FORMAT(fp16, "f16")

__device__ __forceinline__ void multiply_add_group(float* acc, const uint columns, const unsigned long long a,
                                      const unsigned long long b) {
  multiply_add_group(element{}, acc, columns, a, b);
}

#else
#include "kernels/device/hopper_on_host.h"
#endif
