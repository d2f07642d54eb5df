// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a result with the reference on the device. `got` has rows of `ld` elements of which `n` count;
// `want` has rows of `n`. The comparison is written so that a NaN on either side is wrong.
struct Verdict {
  unsigned long long wrong;  // elements that differ by more than `tolerance`
  unsigned long long first;  // the smallest index of these, row * n + column
  unsigned int largest;      // the largest difference among numbers, as the bits of a float >= 0
};

extern "C" __global__ void check(unsigned int m, unsigned int n, const float* got, unsigned int ld,
                                 const float* want, float tolerance, Verdict* verdict) {
  const unsigned long long count = (unsigned long long)m * n;
  const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long wrong = 0, first = ~0ull;
  float largest = 0.0f;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    const float difference = fabsf(got[i / n * ld + i % n] - want[i]);
    largest = fmaxf(largest, difference);
    if (!(difference <= tolerance)) {
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
