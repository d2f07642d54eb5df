// SPDX-License-Identifier: GPL-3.0-or-later
// The descriptor of a rung of the ladder. Menus, sliders, command line, tests and the emulator find
// a stage here and nowhere else: a new rung is one .cuh and one descriptor beside it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/features.h"
#include "kernels/tile/format.h"
#include "kernels/tile/kernel_form.h"
#include "kernels/tile/kinds.h"
#include "kernels/tile/tile_shape.h"

namespace tileloom {

namespace emulator {
class Block;
class Trace;
struct TraceRequest;
}  // namespace emulator

struct ParameterSpec {
  ParameterSpec(Parameter parameter, int standard);  // with the range that most rungs allow
  ParameterSpec(Parameter parameter, int standard, int min, int max);

  Parameter parameter;
  int standard;  // the literature's choice
  int min;
  int max;
};

// A TMA box: `columns` x `rows` elements of a matrix, in shared memory in rows of `swizzle` bytes.
struct Box {
  int matrix = 0;  // 0: A, 1: B, 2: C
  int columns = 0;
  int rows = 0;
  int swizzle = 0;
  bool operator==(const Box&) const = default;
};

struct Extent {
  int x = 1;
  int y = 1;
  bool operator==(const Extent&) const = default;
};

struct Launch {
  Extent grid;   // blocks
  Extent block;  // threads
};

inline constexpr int kUsualAssemblerLevel = 3;

// The two ladders, each with its own numbers: rung 1 and rung T1.
enum class Ladder : std::uint8_t { Fp32, Tensor };

struct Stage {
  std::string_view id;  // as typed: "warptiled"
  Ladder ladder = Ladder::Fp32;
  int rung = 0;             // 1, 2, 3 … on its ladder
  int literature = 0;       // the number that the longer literature gives it; 0: none
  std::string_view parent;  // id of the rung that its source grew from; empty: the first rung
  std::string_view title;   // as shown: "warp tiling"
  std::string_view idea;    // one line: what this rung changes
  std::string_view file;    // "kernels/stages/fp32/warptiled.cuh"
  std::vector<ParameterSpec> parameters;
  KernelKind kind = Simt{};  // of its family; see features() and families/
  // Those that it can be built for, the usual one first.
  std::vector<Format> formats = {Format::Fp32};
  bool rowsAlongX = false;   // blockIdx.x counts rows of blocks (true) or columns (false)
  bool squareBlock = false;  // threads are numbered in x and y over the block tile, not in x alone
  // The optimisation level of ptxas: -O0 to -O3. At 3, its default, it orders the instructions
  // freely; at 1 it keeps much of the source's order.
  int assemblerLevel = kUsualAssemblerLevel;
  // The version of the rewriter that rewrites the main loop's machine code after compiling
  // (kernels/rewrite); it changes whenever the rewriter's result does. 0: the code stays as
  // compiled.
  int rewriter = 0;
  // Runs one thread of `block` on the calling fiber.
  void (*enter)(emulator::Block& block, unsigned thread) = nullptr;
  // Of a kernel that is not a rung, whose machine code is recorded instead.
  emulator::Trace (*traced)(const emulator::TraceRequest& request) = nullptr;
  std::string_view text = {};  // of a kernel that is not a rung: its source
  // The boxes that the kernel's source names, one for each matrix that it takes as a tensor map.
  // nullptr: none.
  std::vector<Box> (*boxes)(const TileShape& tile) = nullptr;

  // Whether it is a rung of a ladder. Otherwise it is a kernel of the user (kernels/own): it is not
  // in stages(), and no recording, listing or fingerprint names it.
  bool isRung() const { return traced == nullptr; }
  const ParameterSpec* spec(Parameter parameter) const;  // nullptr: it has no such parameter
  bool has(Parameter parameter) const { return spec(parameter) != nullptr; }
  Features features() const;
  // The tensor core instruction of its main loop; nullptr: it multiplies with FFMA.
  const MmaRow* mma() const;
  SplitK split() const;
  TileShape standardTile() const;
  Format usualFormat() const { return formats.front(); }
  bool calculatesIn(Format its) const { return std::ranges::find(formats, its) != formats.end(); }
};

// All stages of the FP32 ladder, by rung.
std::span<const Stage> stages();

// All stages of the tensor ladder, by rung. Compare speeds, or percentages of cuBLAS, within one
// ladder only: the other one multiplies other numbers.
std::span<const Stage> tensorStages();

// Those of both ladders, FP32 first: to list rungs, not to compare speeds.
std::span<const Stage* const> everyStage();

// The ladder of this format.
std::span<const Stage> ladderOf(Format format);
// The ladder of this stage.
std::span<const Stage> ladderOf(const Stage& stage);

// "8" or "T1".
std::string rungLabel(const Stage& stage);

// The stage that a window opens with: warp tiling, where the literature's ladder ends.
const Stage& openingStage();

// The stage with this id, rung number ("10"), "k" plus the literature's number ("k10") or "t" plus
// the rung of the tensor ladder ("t1"); k and t in upper or lower case. It may be of either ladder.
tl::expected<const Stage*, std::string> stageNamed(std::string_view text);

// The source text of the stage as it was built into this executable, or of a kernel that is not a
// rung as it was read.
std::string_view sourceText(const Stage& stage);

// What else is compiled at run time: the parts of the portability header, and kernels that are not
// rungs.
struct SourceFile {
  std::string_view name;  // as included: "kernels/device/portable.cuh"
  std::string_view text;
};
std::span<const SourceFile> deviceFiles();

}  // namespace tileloom
