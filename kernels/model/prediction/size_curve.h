// SPDX-License-Identifier: GPL-3.0-or-later
// Speed over the size of the problem, M = N = K: the saw-tooth of whole tiles and whole waves.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kernels/model/prediction/prediction.h"

namespace tileloom::model {

struct SizePoint {
  int size = 0;              // M = N = K
  std::int64_t columns = 0;  // of blocks over C
  std::int64_t rows = 0;
  std::int64_t blocks() const { return columns * rows; }
  double waves = 0;      // blocks over the number that the SMs hold at once, not rounded
  double tileShare = 0;  // useful FLOPs over those of whole tiles, 0 to 1
  double waveShare = 0;  // blocks over those of whole waves, 0 to 1
  double gflops = 0;     // predicted, useful FLOPs only
  double gflopsLow = 0, gflopsHigh = 0;  // prediction band
  double milliseconds = 0;
  bool operator==(const SizePoint&) const = default;
};

// The sizes at which the curve bends: for every multiple of the block tile that size and the next
// one, between which a row and a column of blocks are added, and sizes half-way; for very small
// tiles only every second, fourth, … multiple (see teethStep()). Ascending, with `from` and `to`,
// which are at least 1; `also` is one of them if it is between these.
std::vector<int> toothSizes(const Stage& stage, const TileShape& tile, int from, int to,
                            std::optional<int> also = std::nullopt);
// The distance of the teeth that toothSizes() draws; if larger than the larger edge of the block
// tile, some are left out.
int teethStep(const Stage& stage, const TileShape& tile, int from, int to);

// How a launch of this size divides over blocks and waves, without a prediction.
SizePoint divided(const Stage& stage, const TileShape& tile, int size, int blocksPerSm, int sms);

// In the order of the sizes; `kernel` must fit an SM. Traces one K tile at each size on all
// processor cores: some ms per size and core. `cancelled` is called between sizes: if it returns
// true, the result is empty.
std::vector<SizePoint> sizeCurve(const Stage& stage, const TileShape& tile,
                                 std::span<const int> sizes, const KernelShape& kernel,
                                 const Rates& rates, const std::function<bool()>& cancelled = {});

}  // namespace tileloom::model
