// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/copy_run.h"

#include <algorithm>

#include "kernels/rewrite/issue.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

bool isCopy(const Op& op) {
  return op.code.effect() == Effect::AsyncCopy;
}

// Whether it may be between two copies.
bool mayStandBetween(const Op& op) {
  return op.code.effect() == Effect::None || op.code.effect() == Effect::GlobalLoad;
}

}  // namespace

CopyRun copyRunAt(std::span<const Op> part, std::size_t at, int gap) {
  std::vector<int> offsets;
  while (at < part.size() && isPlaceholder(part[at])) {
    offsets.push_back(0);
    ++at;
  }
  CopyRun run;
  int next = 0, nextCopy = 0;
  for (; at < part.size(); ++at) {
    const Op& op = part[at];
    const bool copy = isCopy(op);
    if (!copy && (run.empty() || !mayStandBetween(op))) break;
    if (copy) next = std::max(next, nextCopy);
    offsets.push_back(next);
    if (copy) {
      run.offsets = offsets;
      nextCopy = next + kCopyDistance;
    }
    const bool another = copy && at + 1 < part.size() && isCopy(part[at + 1]);
    next = another ? nextCopy : next + std::max(op.code.control.stall, gap);
  }
  return run;
}

}  // namespace tileloom::rewrite
