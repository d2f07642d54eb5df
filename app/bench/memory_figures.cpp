// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/memory_figures.h"

#include <unistd.h>

#include <fstream>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace tileloom::app {

double residentMb() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double allocatedMb() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const auto figures = mallinfo2();
  return static_cast<double>(figures.uordblks + figures.hblkhd) / 1e6;
#else
  return 0;
#endif
}

}  // namespace tileloom::app
