// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions for the candidates of a search, made while the search runs: first from the traces,
// then, for the most promising tiles, again from what a compiler says about them. The search gets
// only the second ones, because replays of the recorded sweep find the best tile less often with
// predictions from guessed registers than with none (tests/tuning/search_test.cpp).
//
//   LateForecast forecast(problem, tiles, arch, rates);
//   while (searching) {
//     ...                                            // measure what the search asks for next
//     const std::vector<StageTile> wanted = forecast.wanted();  // a copy: give() takes them out
//     for (const StageTile& tile : wanted) forecast.give(tile, compiled(tile));
//     if (!forecast.predicted().empty()) search.predict(forecast.predicted());
//   }
#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <vector>

#include "kernels/model/prediction/prediction.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

// To be used by one thread. It predicts on another thread, and waits for that one only in the
// destructor.
class LateForecast {
 public:
  LateForecast(const Problem& problem, std::vector<Subject> tiles, const Architecture& arch,
               const Rates& rates);
  LateForecast(const LateForecast&) = delete;
  LateForecast& operator=(const LateForecast&) = delete;
  ~LateForecast();  // stops the other thread, within a fraction of a second

  // The tiles that should be compiled and whose results have not been given yet, most promising
  // first; empty while the first predictions are being made.
  const std::vector<Subject>& wanted();
  // Gives the compiled shape of one of the wanted tiles; others are ignored. std::nullopt: the tile
  // cannot be compiled, and keeps its first prediction.
  void give(const Subject& tile, const std::optional<KernelShape>& shape);

  // GFLOP/s of each tile; empty until the results of all wanted tiles have been given.
  const std::vector<double>& predicted();

 private:
  void poll();

  Problem problem_;
  std::vector<Subject> tiles_;
  Architecture arch_;
  Rates rates_;
  std::atomic<bool> stop_ = false;
  bool foretold_ = false, done_ = false;
  std::vector<double> gflops_;
  std::vector<Subject> wanted_;
  std::vector<std::size_t> which_;  // indices in tiles_ of wanted_
  std::vector<std::size_t> given_;  // indices in tiles_ of those that have a shape
  std::vector<KernelShape> shapes_;
  std::future<std::vector<double>> work_;  // last, because it uses all members above
};

}  // namespace tileloom::model
