// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/late_forecast.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "kernels/model/prediction/foretell.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {
namespace {

constexpr std::size_t kAtOnce =
    64;  // tiles: a tenth of a second, for which a window may have to wait

const std::vector<double> kNothingYet;

}  // namespace

LateForecast::LateForecast(const Problem& problem, std::vector<Subject> tiles,
                           const Architecture& arch, const Rates& rates)
    : problem_(problem), tiles_(std::move(tiles)), arch_(arch), rates_(rates) {
  work_ = std::async(std::launch::async, [this] {
    std::vector<double> gflops;
    const std::span<const Subject> all = tiles_;
    for (std::size_t at = 0; at < all.size() && !stop_; at += kAtOnce) {
      const auto part =
          foretell(all.subspan(at, std::min(kAtOnce, all.size() - at)), problem_, arch_, rates_);
      gflops.insert(gflops.end(), part.begin(), part.end());
    }
    return gflops;
  });
}

LateForecast::~LateForecast() {
  stop_ = true;
  if (work_.valid()) work_.wait();
}

void LateForecast::poll() {
  using namespace std::chrono_literals;
  if (!work_.valid() || work_.wait_for(0s) != std::future_status::ready) return;
  gflops_ = work_.get();
  if (foretold_) {
    done_ = true;
    return;
  }
  foretold_ = true;
  which_ = fastest(gflops_, worthCompiling(tiles_.size()));
  for (const std::size_t i : which_) wanted_.push_back(tiles_[i]);
}

const std::vector<Subject>& LateForecast::wanted() {
  poll();
  return wanted_;
}

void LateForecast::give(const Subject& tile, const std::optional<KernelShape>& shape) {
  const auto at = std::ranges::find(wanted_, tile);
  if (at == wanted_.end()) return;
  const auto place = at - wanted_.begin();
  if (shape) {
    given_.push_back(which_[static_cast<std::size_t>(place)]);
    shapes_.push_back(*shape);
  }
  wanted_.erase(at);
  which_.erase(which_.begin() + place);
  if (!wanted_.empty()) return;
  work_ = std::async(std::launch::async, [this, gflops = gflops_]() mutable {
    const std::span<const std::size_t> which = given_;
    const std::span<const KernelShape> shapes = shapes_;
    for (std::size_t from = 0; from < which.size() && !stop_; from += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, which.size() - from);
      refine(tiles_, gflops, problem_, rates_, which.subspan(from, count),
             shapes.subspan(from, count));
    }
    return std::move(gflops);
  });
}

const std::vector<double>& LateForecast::predicted() {
  poll();
  return done_ ? gflops_ : kNothingYet;
}

}  // namespace tileloom::model
