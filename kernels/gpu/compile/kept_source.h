// SPDX-License-Identifier: GPL-3.0-or-later
// compileCuda() and assemblePtx() with the cache of compiled kernels: the same text with the same
// headers, options and compilers is compiled once.
#pragma once

#include <tl/expected.hpp>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/source_compiler.h"

namespace tileloom::gpu {

struct KeptCode {
  SourceCode code;
  bool cached = false;  // it was compiled earlier
};

enum class SourceLanguage { Cuda, Ptx };

// `cache` may be nullptr. Files that the compilers find in their own folders are taken to be those
// of their version.
tl::expected<KeptCode, Complaint> keptCode(const SourceJob& job, SourceLanguage language,
                                           const BuildCache* cache);

}  // namespace tileloom::gpu
