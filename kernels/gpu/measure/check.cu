// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a result with the reference on the device. `got` has rows of `ld` elements, the first
// `n` of which count; `want` has rows of `n`. Comparisons are written so that a NaN on either side
// is wrong.
struct Verdict {
  unsigned long long wrong;  // elements that differ by more than allowed
  unsigned long long first;  // the smallest index of these, row * n + column
  unsigned int largest;      // the largest difference among numbers, as the bits of a float >= 0
};

// `got(at)` and `want(i)` are elements as floats; `allowed(x, y)` is the largest difference allowed
// between two of them.
template <class Got, class Want, class Allowed>
__device__ void compareAll(unsigned int m, unsigned int n, unsigned int ld, Verdict* verdict, const Got& got,
                           const Want& want, const Allowed& allowed) {
  const unsigned long long count = (unsigned long long)m * n;
  const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long wrong = 0, first = ~0ull;
  float largest = 0.0f;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    const float x = got(i / n * ld + i % n), y = want(i);
    const float difference = fabsf(x - y);
    largest = fmaxf(largest, difference);
    if (!(difference <= allowed(x, y))) {
      ++wrong;
      first = first < i ? first : i;
    }
  }
  if (wrong != 0) {
    atomicAdd(&verdict->wrong, wrong);
    atomicMin(&verdict->first, first);
  }
  if (largest > 0.0f) atomicMax(&verdict->largest, __float_as_uint(largest));
}

extern "C" __global__ void check(unsigned int m, unsigned int n, const float* got, unsigned int ld,
                                 const float* want, float tolerance, Verdict* verdict) {
  compareAll(m, n, ld, verdict, [=](unsigned long long i) { return got[i]; },
             [=](unsigned long long i) { return want[i]; }, [=](float, float) { return tolerance; });
}

__device__ float numberOf(unsigned short bits, unsigned int fp16) {
  float value = __uint_as_float((unsigned int)bits << 16);
  if (fp16 != 0) asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

// The same for 16-bit elements, bf16 or fp16, which may differ by `absolute` plus `relative` times
// the larger magnitude of the two. With both 0 they must be equal.
extern "C" __global__ void check_halves(unsigned int m, unsigned int n, const unsigned short* got, unsigned int ld,
                                        const unsigned short* want, float absolute, float relative,
                                        unsigned int fp16, Verdict* verdict) {
  compareAll(m, n, ld, verdict, [=](unsigned long long i) { return numberOf(got[i], fp16); },
             [=](unsigned long long i) { return numberOf(want[i], fp16); },
             [=](float x, float y) { return absolute + relative * fmaxf(fabsf(x), fabsf(y)); });
}
