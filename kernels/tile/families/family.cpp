// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/families/family.h"

#include <array>

namespace tileloom {
namespace {

constexpr std::array kFamilies = {&kSimtFamily, &kWarpMmaFamily, &kWarpgroupFamily, &kOwnFamily};
static_assert(kFamilies.size() == std::variant_size_v<KernelKind>,
              "each kind of kernel has one family");

}  // namespace

std::span<const KernelFamily* const> kernelFamilies() {
  return kFamilies;
}

const KernelFamily& familyOf(const Stage& stage) {
  return *kFamilies[stage.kind.index()];
}

Features Stage::features() const {
  return familyOf(*this).features(*this);
}

const MmaRow* Stage::mma() const {
  const auto find = familyOf(*this).mma;
  return find != nullptr ? find(*this) : nullptr;
}

SplitK Stage::split() const {
  const auto find = familyOf(*this).split;
  return find != nullptr ? find(*this) : SplitK::No;
}

}  // namespace tileloom
