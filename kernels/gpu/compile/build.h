// SPDX-License-Identifier: GPL-3.0-or-later
// A stage compiled for one tile and one architecture. Needs NVRTC but no GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/compile/stamp_kind.h"
#include "kernels/sass/loop_size.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

// What the assembler reports about one kernel.
struct Resources {
  int registers = -1;   // per thread; -1: the report does not say
  int spillStores = 0;  // bytes per thread
  int spillLoads = 0;
  int stackBytes = 0;
  int staticShared = 0;  // bytes per block
  bool operator==(const Resources&) const = default;
};

// Reads the report that `--ptxas-options=-v` writes to the log.
Resources resourcesOf(const std::string& log);

// What has become of the main loop of a stage whose machine code is rewritten (kernels/rewrite).
struct Rewriting {
  std::vector<char> untouched;  // the cubin as compiled; empty: it is what runs
  std::string whyNot;           // one sentence without a full stop; empty: it is rewritten
  std::vector<int> origins;     // see rewrite::Rewritten
  int untouchedRegisters = -1;  // per thread
  sass::LoopSize untouchedLoop;
  bool done() const { return whyNot.empty(); }
};

struct Build : Subject {
  std::string arch;         // "sm_90"
  std::string nvrtc;        // version: "13.0"
  std::string fingerprint;  // of the code: see fingerprintOf
  int dynamicShared = 0;    // bytes per block; 0: all of it is static
  Resources resources;
  std::vector<std::string> remarks;  // of the assembler, one sentence each: see assemblerRemarks
  std::vector<char> cubin;
  std::optional<Rewriting> rewriting;  // of a stage with a rewriter
  sass::LoopSize loop;                 // of the machine code; unknown if it has no multiply-adds
  double milliseconds = 0;             // of the compilation; 0: from the cache
  bool cached = false;
  std::optional<Stamping> stamping;  // see buildStamped

  // It was to be rewritten, but its main loop is the assembler's.
  bool leftAsCompiled() const { return rewriting && !rewriting->done(); }
};

// The compiler options of a stage for this tile. They define the tile parameters as constants, and
// ELEMENT of a 16-bit stage. `arch` is a name such as "sm_90" (see compilerTarget).
std::vector<std::string> compileOptions(const Subject& subject, std::string_view arch);

// The architectures that a stage can be built for: those with known limits that this NVRTC compiles
// for.
std::vector<Architecture> buildableFor(const Nvrtc& nvrtc);

// One sentence without a full stop about the main loop of a stage with a rewriter: that it is
// rewritten, or why not. Empty for other stages.
std::string loopText(const Build& build);

// The same kernel with its main loop as compiled.
Build asCompiled(Build build);

class BuildCache;

// Whether the cubin also says which source line each instruction comes from. The instructions are
// the same either way, but cubins become three times as large (measured).
enum class SourceLines { Left, Kept };

// Compiles the stage, or takes the result from `cache`, which may be nullptr. If the tile is not
// legal on the architecture, the error is Trouble::BadRequest with the constraint table's sentence.
// If the stage cannot be built for the architecture (whyNotFor), it is Trouble::Unsupported.
Result<Build> buildStage(const Nvrtc& nvrtc, const BuildCache* cache, const Subject& subject,
                         const Architecture& arch, SourceLines lines = SourceLines::Left);

// The same kernel with timestamps: it records the SM clock at its operations, or adds up how long
// it waits in them (stamped_source.h). If that needs so many registers that fewer blocks fit on an
// SM than of the build `plain`, it is compiled once more with the required number of blocks. If it
// would spill then, fewer blocks fit.
Result<Build> buildStamped(const Nvrtc& nvrtc, const BuildCache* cache, const Build& plain,
                           const Architecture& arch, Stamping stamping = Stamping::Records);

// The same kernel with the lanes of rung 14 (paired_lanes.h, whose errors are passed on), compiled
// with the same options as the build `plain`. Its main loop is not rewritten. It computes the same
// results, bit for bit: each accumulator gets the same products in the same order, though in
// another thread.
Result<Build> buildPaired(const Nvrtc& nvrtc, const BuildCache* cache, const Build& plain);

}  // namespace tileloom::gpu
