// SPDX-License-Identifier: GPL-3.0-or-later
// The listing of a stage, compiled by this machine's compiler.
#pragma once

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/sass/listing_reader.h"
#include "kernels/sass/machine_code.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

// Runs of NVIDIA's tool for one listing: of a stage whose main loop is rewritten, two files are
// read.
inline constexpr int kMostToolRuns = 6;

// Compiles the stage (or takes it from `cache`, which may be nullptr) and reads its machine code.
Result<sass::MachineCode> disassembleStage(const Nvrtc& nvrtc, const BuildCache* cache,
                                           const sass::ListingReader& reader,
                                           const Subject& subject, const Architecture& arch);

}  // namespace tileloom::gpu
