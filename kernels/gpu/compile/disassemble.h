// SPDX-License-Identifier: GPL-3.0-or-later
// Disassembles a stage with this machine's compiler and disassembler.
#pragma once

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/sass/disassembler.h"
#include "kernels/sass/machine_code.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

// Compiles the stage (or takes it from `cache`, which may be nullptr) and disassembles it, which
// takes about two seconds.
Result<sass::MachineCode> disassembleStage(const Nvrtc& nvrtc, const BuildCache* cache,
                                           const sass::Disassembler& disassembler,
                                           const Subject& subject, const Architecture& arch);

}  // namespace tileloom::gpu
