// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the allocator of the C library keep less of the freed memory.
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace tileloom {

// Once, before there are threads. By default the GNU library has up to eight arenas for each core,
// each of which keeps what its threads have freed, and raises the size from which a block is
// returned at once to 32 MiB.
inline void keepLittleSpareMemory() {
#if defined(__GLIBC__)
  constexpr int kArenas = 2;
  constexpr int kGivenBackAtOnce = 1 << 20;  // bytes of a block; those of recordings have 2 MiB
  constexpr int kKeptAtTheEnd = 4 << 20;
  mallopt(M_ARENA_MAX, kArenas);
  mallopt(M_MMAP_THRESHOLD, kGivenBackAtOnce);
  mallopt(M_TRIM_THRESHOLD, kKeptAtTheEnd);
#endif
}

// Returns free memory to the system. It takes some milliseconds: for threads that rest.
inline void giveBackSpareMemory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace tileloom
