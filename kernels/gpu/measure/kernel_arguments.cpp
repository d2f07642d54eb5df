// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/kernel_arguments.h"

#include "kernels/gpu/driver/tensor_map.h"
#include "kernels/tile/families/family.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"

namespace tileloom::gpu {

LeftMemory leftMemory(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  const std::size_t sums =
      static_cast<std::size_t>(tile[Parameter::BM]) * static_cast<std::size_t>(tile[Parameter::BN]);
  if (looksUpParts(stage, tile)) {
    const LastWave wave = lastWaveOf(stage, tile, padded, sms);
    LeftMemory left;
    left.head = partTable(wave, static_cast<std::uint32_t>(sums));
    left.bytes = (left.head.size() + wave.places * sums) * sizeof(float);
    return left;
  }
  if (stage.split() != SplitK::Rounds || tile[Parameter::SPLIT] < 2) return {};
  // The partial sums of each block, and a flag for each warpgroup.
  const std::size_t words = sums + static_cast<std::size_t>(tile[Parameter::CONSUMERS]);
  const Extent blocks = residentLaunch(stage, tile, padded, sms).grid;
  return {static_cast<std::size_t>(blocks.x * blocks.y) * words * sizeof(float), {}};
}

Result<KernelArguments> KernelArguments::of(const Driver& driver, const Stage& stage,
                                            const TileShape& tile, const Operands& o) {
  KernelArguments all;
  const Problem& p = o.padded;
  all.m_ = static_cast<unsigned>(p.m);
  all.n_ = static_cast<unsigned>(p.n);
  all.k_ = static_cast<unsigned>(p.k);
  all.a_ = o.kernelA().address();
  all.b_ = o.kernelB().address();
  all.c_ = o.work.address();
  all.left_ = o.left.address();
  all.form_ = familyOf(stage).form(stage);
  if (stage.boxes == nullptr) return all;
  const std::array matrices = {MappedMatrix{all.a_, p.m, p.k, o.format},
                               MappedMatrix{all.b_, p.k, p.n, o.format},
                               MappedMatrix{all.c_, p.m, p.n, o.format}};
  for (const Box& box : stage.boxes(tile)) {
    const auto which = static_cast<std::size_t>(box.matrix);
    const auto map = tensorMapOf(driver, matrices[which], box);
    if (!map) return tl::unexpected(map.error());
    all.maps_[which] = *map;
  }
  return all;
}

std::vector<void*> KernelArguments::pointers() {
  switch (form_) {
    case KernelForm::Floats:
      return {&m_, &n_, &k_, &alpha_, &a_, &b_, &beta_, &c_};
    case KernelForm::FloatsAndParts:
      return {&m_, &n_, &k_, &alpha_, &a_, &b_, &beta_, &c_, &left_};
    case KernelForm::Elements:
      return {&m_, &n_, &k_, &a_, &b_, &c_};
    case KernelForm::Boxes:
      return {&m_, &n_, &k_, &maps_[0], &maps_[1], &c_};
    case KernelForm::StoredBoxes:
      return {&m_, &n_, &k_, &maps_[0], &maps_[1], &maps_[2]};
    case KernelForm::SplitBoxes:
      return {&m_, &n_, &k_, &maps_[0], &maps_[1], &maps_[2], &left_};
    case KernelForm::Own:  // it has no arguments of a rung
      break;
  }
  return {};
}

}  // namespace tileloom::gpu
