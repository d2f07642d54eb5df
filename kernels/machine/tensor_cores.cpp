// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/machine/tensor_cores.h"

#include <algorithm>

namespace tileloom::machine {

Warpgroup::Product* Warpgroup::issue(std::uint32_t number, Ticks at, std::uint32_t wavefronts) {
  if (products_.size() <= number) products_.resize(number + 1);
  Product& product = products_[number];
  product.ready = std::max(product.ready, at);
  product.wavefronts += wavefronts;
  return ++product.issued == warps_ ? &product : nullptr;
}

Ticks Warpgroup::end(std::uint32_t number) const {
  return number < products_.size() ? products_[number].end : kNever;
}

}  // namespace tileloom::machine
