// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/accumulators.h"

#include <fmt/format.h>

namespace tileloom::emulator::judges {

void Accumulators::see(const event::FenceProducts& e) {
  fenced_.resize(context_.subject.threads);
  fenced_[e.at.thread] = true;
}

void Accumulators::see(const event::Product& e) {
  fenced_.resize(context_.subject.threads);
  if (fenced_[e.at.thread]) return;
  fenced_[e.at.thread] = true;
  context_.report(
      FaultKind::NoFence, e.at,
      "issues a wgmma without fence_products(): its accumulators may not be written yet");
}

void Accumulators::reportUse(const event::SumUse& e) {
  int line = 0;
  std::uint32_t group = 0;
  // The newest wgmma that adds to it, issued by all lanes or only by some so far.
  for (const ProductRecord& product : context_.requests.products[e.at.warp()]) {
    if (e.number - product.number < product.columns / 2) line = product.line, group = product.group;
  }
  for (const Requests::Open& open : context_.requests.open[e.at.warp()].list) {
    if (e.number - open.product.number < open.product.columns / 2)
      line = open.product.at.site.line, group = open.product.group;
  }
  context_.report(
      FaultKind::UnderWay, e.at,
      fmt::format("uses accumulator {}, which the tensor core still updates: the wgmma of "
                  "line {} is in group {}, which has not been waited for",
                  e.number, line, group));
}

}  // namespace tileloom::emulator::judges
