// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of one wgmma each. They are not beside their test: moc takes the braces of their macros
// for its own.
#pragma once

namespace tileloom::executor {

// 64 x 64 sums. A kernel copies `held` to shared memory, and gets both descriptors without the
// places of the operands: A is at 0, B at 16,384.
inline constexpr const char* kGroupKernels = R"(
typedef unsigned uint;
typedef unsigned long long u64;
#define F4(i) "+f"(f[i]), "+f"(f[i + 1]), "+f"(f[i + 2]), "+f"(f[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define R4(i) "+r"(r[i]), "+r"(r[i + 1]), "+r"(r[i + 2]), "+r"(r[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
#define P16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define P32 P16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define BEGIN(name)                                                                               \
  extern "C" __global__ void __launch_bounds__(128) name(const uint* held, const uint* fragments, \
                                                         uint* out, uint aLow, uint aHigh,        \
                                                         uint bLow, uint bHigh, uint keep) {      \
    extern __shared__ __align__(1024) uint words[];                                                 \
    for (uint i = threadIdx.x; i < 8192; i += 128) words[i] = held[i];                              \
    __syncthreads();                                                                              \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                  \
    const uint at = (uint)__cvta_generic_to_shared(words);                                          \
    const u64 a = (u64)aHigh << 32 | aLow | at >> 4, b = (u64)bHigh << 32 | bLow | (at + 16384) >> 4; \
    const uint* x = fragments + threadIdx.x * 4;                                                  \
    float f[32];                                                                                  \
    uint r[32];                                                                                   \
    for (uint i = 0; i < 32; ++i) { f[i] = (float)i; r[i] = i; }                                  \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define END                                                                                       \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); \
    for (uint i = 0; i < COUNT; ++i) out[threadIdx.x * 32 + i] = SUM;                             \
  }
#define COUNT 32
#define SUM __float_as_uint(f[i])
#define SHARED(name, shape, types, tail)                                                          \
  BEGIN(name)                                                                                     \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned." shape "." types \
               " " P32 "}, %32, %33, p" tail ";\n}" : F16(0), F16(16) : "l"(a), "l"(b), "r"(keep)); \
  END
#define REGISTERS(name, shape, types, tail)                                                       \
  BEGIN(name)                                                                                     \
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\nwgmma.mma_async.sync.aligned." shape "." types \
               " " P32 "}, {%32, %33, %34, %35}, %36, p" tail ";\n}" : F16(0), F16(16)             \
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(b), "r"(keep));                  \
  END
SHARED(bf16, "m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0")
SHARED(bf16_b, "m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 1")
SHARED(f16_ab, "m64n64k16", "f32.f16.f16", ", 1, 1, 1, 1")
SHARED(f16_negative, "m64n64k16", "f32.f16.f16", ", -1, 1, 0, 0")
SHARED(tf32, "m64n64k8", "f32.tf32.tf32", ", 1, 1")
SHARED(e4m3, "m64n64k32", "f32.e4m3.e4m3", ", 1, 1")
SHARED(e4m3_e5m2, "m64n64k32", "f32.e4m3.e5m2", ", 1, 1")
SHARED(e5m2_e4m3, "m64n64k32", "f32.e5m2.e4m3", ", 1, 1")
REGISTERS(bf16_r, "m64n64k16", "f32.bf16.bf16", ", 1, 1, 0")
REGISTERS(bf16_rb, "m64n64k16", "f32.bf16.bf16", ", 1, 1, 1")
REGISTERS(tf32_r, "m64n64k8", "f32.tf32.tf32", ", 1, 1")
REGISTERS(e5m2_r, "m64n64k32", "f32.e5m2.e5m2", ", 1, 1")
#undef SUM
#define SUM r[i]
BEGIN(s8)
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 "
               P32 "}, %32, %33, p;\n}" : R16(0), R16(16) : "l"(a), "l"(b), "r"(keep));
END
#undef COUNT
#define COUNT 16
BEGIN(f16_half)
  for (uint i = 0; i < 16; ++i) r[i] = 0x3c003c00;
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 "
               P16 "}, %16, %17, p, 1, 1, 0, 0;\n}" : R16(0) : "l"(a), "l"(b), "r"(keep));
END
)";

}  // namespace tileloom::executor
