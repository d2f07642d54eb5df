// SPDX-License-Identifier: GPL-3.0-or-later
// What machine instructions do in cases that no manual describes: each kernel applies some of them to numbers of all
// kinds (NaN, infinities, zeros, denormal and random ones), or says where the compiler has placed its memory. The same
// code is run by a GPU and executed by the program, and every bit of the results is compared:
//
//   nvcc -cubin -arch=sm_90a -o machine_facts.cubin measurements/machine_facts.cu
//   tileloom fidelity --launches measurements/machine_facts.json
//
// docs/design/10-machine-code.md has the results.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

namespace {

constexpr unsigned kSlots = 16;  // results of a thread

__device__ unsigned self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ unsigned hashed(unsigned i) {
  i = (i ^ 61) ^ (i >> 16);
  i *= 9;
  i ^= i >> 4;
  i *= 0x27d4eb2d;
  return i ^ (i >> 15);
}

// Bits of FP32 numbers: every fourth one is special.
__device__ unsigned bits32(unsigned i) {
  const unsigned special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345,
                              0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f800000,
                              0xbf800000, 0x4f000000, 0xcf000000, 0x4b000001, 0x3f000000, 0xbf000000, 0x5f000000,
                              0x33800000, 0x477fe000, 0x477ff000, 0x33000001, 0x387fc000};
  const unsigned count = sizeof special / sizeof *special;
  return i % 4 == 3 ? special[i / 4 % count] : hashed(i);
}
// FP32 numbers whose exponents are near each other.
__device__ float near(unsigned i) {
  const unsigned h = hashed(i);
  return __uint_as_float((h & 0x807fffff) | ((120 + (h >> 23) % 12) << 23));
}

// No thread shares its results with another one.
struct Results {
  unsigned* at;
  unsigned next = 0;
  __device__ explicit Results(unsigned* out) : at(out + self() * kSlots) {}
  __device__ void put(unsigned bits) {
    if (next < kSlots) at[next++] = bits;
  }
  __device__ void put(float value) { put(__float_as_uint(value)); }
  __device__ void put(int value) { put(static_cast<unsigned>(value)); }
  __device__ void put(double value) { put(static_cast<unsigned long long>(__double_as_longlong(value))); }
  __device__ void put(unsigned long long bits) {
    put(static_cast<unsigned>(bits));
    put(static_cast<unsigned>(bits >> 32));
  }
  __device__ void put(long long bits) { put(static_cast<unsigned long long>(bits)); }
};

}  // namespace

extern "C" __global__ void floats(unsigned* out) {
  Results r(out);
  const float a = __uint_as_float(bits32(self())), b = __uint_as_float(bits32(self() * 7 + 3)),
              c = __uint_as_float(bits32(self() * 5 + 1));
  r.put(a + b), r.put(a * b), r.put(fmaf(a, b, c)), r.put(fminf(a, b)), r.put(fmaxf(a, b));
  r.put(__fadd_rd(a, b)), r.put(__fadd_ru(a, b)), r.put(__fadd_rz(a, b)), r.put(__fmul_rd(a, b));
  r.put(__fmaf_rd(a, b, c)), r.put(__fmaf_ru(a, b, c)), r.put(__fmaf_rz(a, b, c)), r.put(__saturatef(a));
  r.put(fabsf(a)), r.put(-b), r.put(a < b ? 1 : a == b ? 2 : a > b ? 3 : 4);
}
extern "C" __global__ void cancelled(unsigned* out) {
  Results r(out);
  const float a = near(self()), b = near(self() * 3);
  // The exact sum is zero, or nearly so.
  r.put(__fadd_rd(a, -a)), r.put(__fadd_ru(a, -a)), r.put(__fadd_rz(-a, a)), r.put(a + -a);
  r.put(__fmaf_rd(a, b, -(a * b))), r.put(__fmaf_ru(a, b, -(a * b))), r.put(fmaf(a, b, -(a * b)));
  r.put(__fmaf_rd(1, a, -a)), r.put(__fmaf_ru(1, a, -a)), r.put(__fmul_ru(a, 0)), r.put(__fmul_rd(-a, 0));
}
extern "C" __global__ void doubles(unsigned* out) {
  Results r(out);
  const double a = __uint_as_float(bits32(self())), b = __uint_as_float(bits32(self() * 7 + 3));
  const double c = __longlong_as_double(static_cast<long long>(hashed(self())) << 32 | hashed(self() + 9));
  r.put(a + c), r.put(b * c), r.put(fma(a, b, c)), r.put(static_cast<double>(near(self())) * near(self() + 1));
  r.put(c < a ? 1 : c == a ? 2 : c > a ? 3 : 4), r.put(static_cast<float>(c)), r.put(static_cast<int>(c));
  r.put(__double2ll_rn(c)), r.put(__double2ull_rz(a));
}
extern "C" __global__ void toIntegers(unsigned* out) {
  Results r(out);
  const float a = __uint_as_float(bits32(self()));
  unsigned wide;
  r.put(__float2int_rn(a)), r.put(__float2int_rz(a)), r.put(__float2uint_rn(a)), r.put(__float2int_rd(a));
  r.put(__float2ll_rz(a)), r.put(__float2ull_rn(a));
  asm("{.reg .s16 h; cvt.rni.s16.f32 h, %1; cvt.s32.s16 %0, h;}" : "=r"(wide) : "f"(a));
  r.put(wide);
  asm("{.reg .u16 h; cvt.rzi.u16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(wide) : "f"(a));
  r.put(wide);
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(wide) : "f"(a));
  r.put(wide);
  asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(wide) : "f"(a));
  r.put(wide);
  r.put(__int2float_rn(static_cast<int>(hashed(self())))), r.put(__uint2float_rd(hashed(self())));
}
extern "C" __global__ void roundings(unsigned* out) {
  Results r(out);
  const float a = __uint_as_float(bits32(self()));
  r.put(rintf(a)), r.put(truncf(a)), r.put(floorf(a)), r.put(ceilf(a));
  r.put(static_cast<unsigned>(__half_as_ushort(__float2half_rn(a))));
  r.put(static_cast<unsigned>(__half_as_ushort(__float2half_rz(a))));
  r.put(static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(a))));
  r.put(__half2float(__ushort_as_half(static_cast<unsigned short>(hashed(self())))));
  r.put(__ll2float_rn(static_cast<long long>(hashed(self())) << 20 | hashed(self() * 3)));
}
extern "C" __global__ void halves(unsigned* out) {
  Results r(out);
  const auto pair = [](unsigned i) {
    const unsigned special[] = {0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x03ff, 0x0400, 0x7bff, 0xfbff};
    const unsigned h = hashed(i);
    const unsigned bits = i % 3 == 1 ? special[i / 3 % 10] << 16 | (h & 0xffff) : h;
    __half2 made;
    memcpy(&made, &bits, 4);
    return made;
  };
  const auto put = [&](__half2 value) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    r.put(bits);
  };
  const __half2 a = pair(self()), b = pair(self() * 7 + 3), c = pair(self() * 5 + 1);
  put(__hadd2(a, b)), put(__hmul2(a, b)), put(__hfma2(a, b, c)), put(__hmin2(a, b)), put(__hmax2(a, b));
  put(__hadd2_sat(a, b)), put(__hfma2_relu(a, b, c)), put(__heq2(a, b)), put(__hgt2(a, b)), put(__hltu2(a, b));
}
extern "C" __global__ void bfloats(unsigned* out) {
  Results r(out);
  const auto pair = [](unsigned i) {
    const unsigned bits = (bits32(i) & 0xffff0000) | bits32(i * 3 + 1) >> 16;
    __nv_bfloat162 made;
    memcpy(&made, &bits, 4);
    return made;
  };
  const auto put = [&](__nv_bfloat162 value) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    r.put(bits);
  };
  const __nv_bfloat162 a = pair(self()), b = pair(self() * 7 + 3), c = pair(self() * 5 + 1);
  put(__hadd2(a, b)), put(__hmul2(a, b)), put(__hfma2(a, b, c)), put(__hmin2(a, b)), put(__hmax2(a, b));
}
extern "C" __global__ void integers(unsigned* out) {
  Results r(out);
  const unsigned a = hashed(self()), b = self() % 8 == 0 ? 0 : hashed(self() * 3), by = self() % 70;
  const long long wide = static_cast<long long>(a) << 32 | b;
  r.put(__clz(static_cast<int>(a >> (by & 31)))), r.put(__ffs(static_cast<int>(b))), r.put(__popc(a)), r.put(__brev(a));
  r.put(__byte_perm(a, b, hashed(self() + 5))), r.put(__mulhi(static_cast<int>(a), static_cast<int>(b)));
  r.put(__umulhi(a, b)), r.put(__funnelshift_l(a, b, by)), r.put(__funnelshift_rc(a, b, by));
  r.put(wide >> (by & 63)), r.put(__sad(static_cast<int>(a), static_cast<int>(b), 7u));
  r.put(__dp4a(static_cast<int>(a), static_cast<int>(b), 5)), r.put(a / (b | 1));
  r.put(static_cast<int>(a) % static_cast<int>(b | 1));
}
// Numbers of 8 bits, from FP32 and FP16 and to FP16.
extern "C" __global__ void eighths(unsigned* out) {
  Results r(out);
  const float a = near(self()) * 8, b = __uint_as_float(bits32(self() * 3)), c = near(self() * 5) * 0x1p-6f;
  unsigned short x, y, z, w;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(x) : "f"(a), "f"(b));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(c), "f"(a * 64));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(z) : "f"(b), "f"(c * c));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(w) : "f"(a * 4096), "f"(c));
  r.put(static_cast<unsigned>(x) | static_cast<unsigned>(y) << 16);
  r.put(static_cast<unsigned>(z) | static_cast<unsigned>(w) << 16);
  const unsigned pair = hashed(self());
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(x) : "r"(pair));
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(y) : "r"(pair));
  r.put(static_cast<unsigned>(x) | static_cast<unsigned>(y) << 16);
  // Every fourth pair of numbers of 8 bits.
  const auto bytes = static_cast<unsigned short>(self() * 4);
  unsigned wide;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(wide) : "h"(bytes));
  r.put(wide);
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(wide) : "h"(bytes));
  r.put(wide);
  asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(wide) : "h"(bytes));
  r.put(wide);
  asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(wide) : "h"(bytes));
  r.put(wide);
}
// Threads whose loops end at different times come to a shuffle one after the other.
extern "C" __global__ void divergedLanes(unsigned* out) {
  Results r(out);
  const unsigned a = hashed(self());
  unsigned sum = a;
  for (unsigned i = 0; i < 6; ++i) {
    for (unsigned j = 0; j < (a >> i) % 5; ++j) sum = hashed(sum + j);
    if ((a >> i & 1) != 0) sum ^= sum << 3;
    sum += __shfl_xor_sync(~0u, sum + i, 1 << i % 5);
    r.put(sum), r.put(__ballot_sync(~0u, sum & 1));
  }
}
extern "C" __global__ void lanes(unsigned* out) {
  Results r(out);
  const unsigned a = hashed(self()), lane = threadIdx.x % 32;
  r.put(__shfl_sync(~0u, a, lane * 5 + 3, 8)), r.put(__shfl_up_sync(~0u, a, 3, 16));
  r.put(__shfl_down_sync(~0u, a, 7)), r.put(__shfl_xor_sync(~0u, a, 19, 16)), r.put(__ballot_sync(~0u, a & 4));
  r.put(__any_sync(~0u, a == 0)), r.put(__all_sync(~0u, a != 0)), r.put(__match_any_sync(~0u, a % 5));
  int all;
  r.put(__match_all_sync(~0u, a % 1, &all)), r.put(all), r.put(__reduce_add_sync(~0u, a));
  r.put(__reduce_min_sync(~0u, static_cast<int>(a))), r.put(__reduce_max_sync(~0u, a)), r.put(__activemask());
  if (lane % 3 == 1) r.put(__reduce_xor_sync(__activemask(), a));
}
// Lanes that read others which do not execute the shuffle.
extern "C" __global__ void absentLanes(unsigned* out) {
  Results r(out);
  const unsigned a = hashed(self()), lane = threadIdx.x % 32;
  const unsigned mask = 0x2f0f35a9;
  if ((mask >> lane & 1) != 0) {
    for (unsigned by = 1; by < 8; ++by) {
      unsigned got, is;
      asm volatile("{\n.reg .pred p;\nshfl.sync.down.b32 %0|p, %2, %3, 31, %4;\nselp.u32 %1, 1, 0, p;\n}"
                   : "=r"(got), "=r"(is) : "r"(a), "r"(by), "r"(mask));
      r.put(got), r.put(is);
    }
    r.put(__shfl_sync(mask, a, lane * 3 + 1)), r.put(__shfl_xor_sync(mask, a, 5));
  }
}
extern "C" __global__ void barriers(unsigned* out) {
  Results r(out);
  const unsigned a = hashed(self());
  r.put(__syncthreads_count(a & 1)), r.put(__syncthreads_and(a != 5)), r.put(__syncthreads_or(a % 97 == 0));
}
// The order in which warps execute atomic operations is not fixed: each result is the same in any order.
extern "C" __global__ void atomics(unsigned* out, unsigned* counters) {
  __shared__ unsigned shared[8];
  if (threadIdx.x < 8) shared[threadIdx.x] = 0;
  __syncthreads();
  const unsigned a = hashed(self());
  atomicAdd(counters + 0, a), atomicMin(reinterpret_cast<int*>(counters + 1), static_cast<int>(a));
  atomicMax(counters + 2, a), atomicAnd(counters + 3, a | 0xff00), atomicOr(counters + 4, a & 0xff);
  atomicXor(counters + 5, a), atomicInc(counters + 6, 1000), atomicDec(counters + 7, 1000);
  atomicAdd(shared + 0, a), atomicMax(shared + 1, a), atomicXor(shared + 2, a), atomicInc(shared + 3, 100);
  atomicAdd(reinterpret_cast<float*>(shared + 4), static_cast<float>(a % 16));
  atomicAdd(reinterpret_cast<unsigned long long*>(counters + 8), static_cast<unsigned long long>(a) << 20);
  __syncthreads();
  Results r(out);
  for (unsigned i = 0; i < 5; ++i) r.put(shared[i]);
}
extern "C" __global__ void specialFunctions(unsigned* out) {
  Results r(out);
  const float a = near(self()), b = fabsf(a);
  float s;
  asm("rcp.approx.f32 %0, %1;" : "=f"(s) : "f"(a));
  r.put(s);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(s) : "f"(b));
  r.put(s);
  asm("sqrt.approx.f32 %0, %1;" : "=f"(s) : "f"(b));
  r.put(s);
  asm("ex2.approx.f32 %0, %1;" : "=f"(s) : "f"(a));
  r.put(s);
  asm("lg2.approx.f32 %0, %1;" : "=f"(s) : "f"(b));
  r.put(s);
  asm("sin.approx.f32 %0, %1;" : "=f"(s) : "f"(a));
  r.put(s);
  asm("cos.approx.f32 %0, %1;" : "=f"(s) : "f"(a));
  r.put(s);
}
// Division and square root that the compiler makes exact of them.
extern "C" __global__ void exactDivisions(unsigned* out) {
  Results r(out);
  const float a = near(self()), b = near(self() * 3 + 1);
  r.put(__fdiv_rn(a, b)), r.put(__frcp_rn(a)), r.put(__fsqrt_rn(fabsf(b)));
  r.put(static_cast<double>(a) / static_cast<double>(b));
}

// ---- where shared arrays are, and pointers that an XOR switches

extern __shared__ float dynamic[];

namespace {
template <int Align>
__device__ void places(unsigned* out) {
  __shared__ float first[33];
  __shared__ __align__(Align) float aligned[2][Align / 4];
  Results r(out);
  const auto at = [](const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); };
  first[threadIdx.x % 33] = 1;
  r.put(at(first)), r.put(at(aligned)), r.put(at(dynamic));
  // One half is written while the other one is read.
  float* writes = aligned[0];
  float sum = 0;
  for (unsigned step = 0; step < 4; ++step) {
    writes[threadIdx.x] = static_cast<float>(step + threadIdx.x);
    __syncthreads();
    sum += writes[threadIdx.x ^ 1];
    writes = reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(writes) ^ Align);
  }
  dynamic[threadIdx.x] = sum;
  __syncthreads();
  r.put(dynamic[threadIdx.x ^ 3] + first[0]);
}
}  // namespace

extern "C" __global__ void places1024(unsigned* out) { places<1024>(out); }
extern "C" __global__ void places8192(unsigned* out) { places<8192>(out); }
extern "C" __global__ void places16384(unsigned* out) { places<16384>(out); }

// ---- products of matrices with sums that are rounded

extern "C" __global__ void doubleMatrices(double* out) {
  using namespace nvcuda;
  __shared__ double a[32], b[32], c[64];
  const auto wide = [](unsigned i) { return static_cast<double>(near(i)) + near(i * 3) * 0x1p-28; };
  const unsigned lane = threadIdx.x;
  a[lane] = wide(lane), b[lane] = wide(lane * 5 + 2), c[lane] = wide(lane * 7), c[lane + 32] = wide(lane * 9 + 1);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(x, a, 4), wmma::load_matrix_sync(y, b, 4);
  wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
  for (int i = 0; i < 3; ++i) wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
}

// One warp of a warpgroup issues its part of a wgmma, waits for it, and overwrites A. The other three issue their parts
// later. Their sums say whether the first one has waited for them.
extern "C" __global__ void groupWaits(unsigned* out) {
  __shared__ __align__(128) unsigned a[512], b[64];
  Results r(out);
  const unsigned ones = 0x3f803f80;  // two of BF16
  for (unsigned i = threadIdx.x; i < 512; i += 128) a[i] = ones;
  if (threadIdx.x < 64) b[threadIdx.x] = ones;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  for (unsigned i = 0; threadIdx.x >= 32 && i < 20; ++i) __nanosleep(2000);
  // 8 x 8 elements without a gap, these 128 bytes apart along K and 256 along M and N.
  const auto descriptor = [](const unsigned* matrix) {
    const auto place = static_cast<unsigned long long>(__cvta_generic_to_shared(matrix));
    return place >> 4 | 8ull << 16 | 16ull << 32;
  };
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(descriptor(a)), "l"(descriptor(b)));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (threadIdx.x < 32)
    for (unsigned i = threadIdx.x; i < 512; i += 32) a[i] = 0;
  for (const float each : d) r.put(each);
}

// ---- what a kernel knows of its cluster

namespace {

#define TILELOOM_REGISTER(name)                             \
  {                                                         \
    unsigned value;                                         \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(value)); \
    r.put(value);                                           \
  }
__device__ void clusterRegisters(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  Results r(out);
  r.at = out + (block * blockDim.x + threadIdx.x) * kSlots;
  TILELOOM_REGISTER("clusterid.x") TILELOOM_REGISTER("clusterid.y") TILELOOM_REGISTER("clusterid.z")
  TILELOOM_REGISTER("nclusterid.x") TILELOOM_REGISTER("nclusterid.y") TILELOOM_REGISTER("nclusterid.z")
  TILELOOM_REGISTER("cluster_ctaid.x") TILELOOM_REGISTER("cluster_ctaid.y") TILELOOM_REGISTER("cluster_ctaid.z")
  TILELOOM_REGISTER("cluster_nctaid.x") TILELOOM_REGISTER("cluster_nctaid.y") TILELOOM_REGISTER("cluster_nctaid.z")
  TILELOOM_REGISTER("cluster_ctarank") TILELOOM_REGISTER("cluster_nctarank")
  unsigned isCluster;
  asm volatile("{\n.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(isCluster));
  r.put(isCluster);
}

}  // namespace

extern "C" __global__ void noCluster(unsigned* out) { clusterRegisters(out); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster2(unsigned* out) { clusterRegisters(out); }
extern "C" __global__ void __cluster_dims__(1, 2, 2) cluster122(unsigned* out) { clusterRegisters(out); }
extern "C" __global__ void __cluster_dims__(3, 2, 1) cluster32(unsigned* out) { clusterRegisters(out); }
extern "C" __global__ void __cluster_dims__(5, 1, 1) cluster5(unsigned* out) { clusterRegisters(out); }
extern "C" __global__ void __cluster_dims__(7, 1, 1) cluster7(unsigned* out) { clusterRegisters(out); }
