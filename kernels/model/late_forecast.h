// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of a search's candidates, made while the search is under way: first from the traces,
// then, of the tiles that promise most, anew by what a compiler says of them. Only then are they
// told: replays of the recorded sweep find the best tile less often with predictions that guess the
// registers than with none (tests/tuning/search_test.cpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <vector>

#include "kernels/model/prediction.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {

// To be asked from one thread; it has another at work, and never waits for it but in the end.
class LateForecast {
 public:
  LateForecast(const Stage& stage, const Problem& problem, std::vector<TileShape> tiles,
               const Architecture& arch, const Rates& rates);
  LateForecast(const LateForecast&) = delete;
  LateForecast& operator=(const LateForecast&) = delete;
  ~LateForecast();  // stops what is at work: a fraction of a second

  // The tiles to compile that nothing was given of yet, most promising first; none before they are
  // known.
  const std::vector<TileShape>& wanted();
  // Nothing: it cannot be compiled, and keeps its prediction. What is not wanted is ignored.
  void give(const TileShape& tile, const std::optional<KernelShape>& shape);

  // GFLOP/s of each tile, once something was given of all that are wanted; empty before.
  const std::vector<double>& predicted();

 private:
  void poll();

  const Stage& stage_;
  Problem problem_;
  std::vector<TileShape> tiles_;
  Architecture arch_;
  Rates rates_;
  std::atomic<bool> stop_ = false;
  bool foretold_ = false, done_ = false;
  std::vector<double> gflops_;
  std::vector<TileShape> wanted_;
  std::vector<std::size_t> which_;  // of tiles_: wanted_
  std::vector<std::size_t> given_;  // likewise: with a shape
  std::vector<KernelShape> shapes_;
  std::future<std::vector<double>> work_;  // last: it uses all of the above
};

}  // namespace tileloom::model
