// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code from the cache, or none: an entry that cannot be read as machine code is compiled
// again.
#pragma once

#include <optional>
#include <string>

#include "kernels/gpu/compile/build_cache.h"

namespace tileloom::gpu {

// std::nullopt without a cache, without an entry, or if the entry's machine code cannot be read.
// The hash of an entry detects damage, not that the entry was wrong when it was written.
std::optional<CacheEntry> cachedCode(const BuildCache* cache, const std::string& key);

}  // namespace tileloom::gpu
