// SPDX-License-Identifier: GPL-3.0-or-later
// The two ways to run a stage in the emulator: record one block, or compute a whole product.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "kernels/emulator/trace.h"
#include "kernels/emulator/workspace.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/subject.h"

namespace tileloom::emulator {

namespace judges {
class Judges;
}

struct TraceRequest : Launched {
  Extent block{0, 0};
  std::uint32_t kTiles = 0;     // only the first tiles along K, then the epilogue; 0: all
  std::uint32_t kElements = 0;  // as if K ended there, with unchanged row lengths; 0: it does not
  bool operands = true;         // false: count multiply-adds without keeping their factors
  // For persistent kernels: the number of block tiles, from `block` on, that the same block
  // computes one after the other, or fewer if there are fewer. K tiles are numbered on from one to
  // the next.
  std::uint32_t walks = 1;
  // SMs of the GPU, which determine the tiles of a last wave that are split along K, for counts of
  // a whole launch. A traced block computes a whole tile.
  int sms = kUsualSms;
};

// The largest dimension and the largest matrix that can be traced.
inline constexpr int kMaxDimension = 32768;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 30;

// Why this problem cannot be traced with this tile, or an empty string: an illegal tile, a size
// that is not positive or too large, a block outside the grid.
std::string whyNotTraceable(const TraceRequest& request);

// Gets the judges of a block that has ended, to read what one of them has counted:
//   [&](const judges::Judges& all) { reads = all.get<judges::Reuse>().counted(); }
// Only such a reader includes kernels/emulator/judges/judges.h.
using JudgesReader = std::function<void(const judges::Judges&)>;

// Records one block over virtual matrices with alpha and beta neither 0 nor 1. The request must be
// traceable. `read`: called once, at the end, with the judges of the recorded block. A kernel that
// is not a rung is recorded by its machine code (Stage::traced), and has no such judges.
Trace traceBlock(Workspace& workspace, const TraceRequest& request, const JudgesReader& read = {});

struct Gemm : Launched {
  float alpha = 1;
  float beta = 0;
  std::span<const float> a;  // m x k, row-major
  std::span<const float> b;  // k x n
  std::span<float> c;        // m x n, updated in place
  int sms = kUsualSms;       // of the GPU: persistent kernels have one block per SM
};

// Runs every block, on padded copies of the matrices if the stage needs whole tiles. `sink` gets
// every warp interval of every block, with indices into the padded matrices.
FaultLog runGemm(Workspace& workspace, const Gemm& gemm, const IntervalSink& sink);

// The same on tensor cores, C = A · B of elements of the subject's format, as their bits.
struct ElementGemm : Launched {
  std::span<const std::byte> a;  // m x k, row-major; each row begins with a byte
  std::span<const std::byte> b;  // k x n
  std::span<std::byte> c;        // m x n
  int sms = kUsualSms;           // as in Gemm
};
FaultLog runGemm(Workspace& workspace, const ElementGemm& gemm, const IntervalSink& sink);

// The same of a 16-bit format.
struct HalfGemm : Launched {
  std::span<const std::uint16_t> a;  // m x k, row-major
  std::span<const std::uint16_t> b;  // k x n
  std::span<std::uint16_t> c;        // m x n
  int sms = kUsualSms;               // as in Gemm
};
FaultLog runGemm(Workspace& workspace, const HalfGemm& gemm, const IntervalSink& sink);

}  // namespace tileloom::emulator
