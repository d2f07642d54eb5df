// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/kernel_arguments.h"

#include "kernels/gpu/tensor_map.h"

namespace tileloom::gpu {

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
  if (o.arithmetic == Arithmetic::Fp32) return all;
  all.form_ = Form::Halves;
  if (stage.boxes == nullptr) return all;
  all.form_ = Form::Boxes;
  const std::array<MappedMatrix, 2> matrices = {MappedMatrix{all.a_, p.m, p.k, o.arithmetic},
                                                MappedMatrix{all.b_, p.k, p.n, o.arithmetic}};
  for (const Box& box : stage.boxes(tile)) {
    const auto which = static_cast<std::size_t>(box.matrix);
    if (which >= matrices.size()) continue;  // C is stored by threads
    const auto map = tensorMapOf(driver, matrices[which], box);
    if (!map) return tl::unexpected(map.error());
    all.maps_[which] = *map;
  }
  return all;
}

std::vector<void*> KernelArguments::pointers() {
  switch (form_) {
    case Form::Floats:
      return {&m_, &n_, &k_, &alpha_, &a_, &b_, &beta_, &c_};
    case Form::Halves:
      return {&m_, &n_, &k_, &a_, &b_, &c_};
    case Form::Boxes:
      return {&m_, &n_, &k_, &maps_[0], &maps_[1], &c_};
  }
  return {};
}

}  // namespace tileloom::gpu
