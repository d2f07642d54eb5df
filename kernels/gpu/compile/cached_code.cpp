// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/cached_code.h"

#include "kernels/sass/cubin/cubin.h"

namespace tileloom::gpu {

std::optional<CacheEntry> cachedCode(const BuildCache* cache, const std::string& key) {
  if (cache == nullptr) return std::nullopt;
  auto entry = cache->read(key);
  if (entry && !sass::readCubin(entry->cubin)) return std::nullopt;
  return entry;
}

}  // namespace tileloom::gpu
