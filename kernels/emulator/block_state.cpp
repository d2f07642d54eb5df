// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/block_state.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/emulator/workspace_buffers.h"
#include "kernels/tile/residency.h"

namespace tileloom::emulator {
namespace {

Array globalArray(const char* name, const Matrix& matrix, Format format) {
  return {name,
          Space::Global,
          matrix.rows,
          matrix.columns,
          matrix.rows * matrix.columns,
          0,
          rowOf(format).elementsPerWord()};
}

judges::Subject judgedBlock(const BlockSetup& setup, std::uint32_t threads,
                            const std::vector<Array>& arrays) {
  judges::Subject subject;
  subject.kernel = setup.rung()->id;
  subject.file = setup.rung()->file;
  subject.block = setup.block;
  subject.threads = threads;
  subject.order = setup.rung()->features().tma ? judges::Order::Clocks : judges::Order::Intervals;
  subject.arrays = &arrays;
  if (setup.left != nullptr) subject.flags = &setup.left->told;
  return subject;
}

const FormatRow& executedIn(Format format) {
  const FormatRow& row = rowOf(format);
  if (std::string why = whyNotMultiplied(row); !why.empty()) throw std::invalid_argument(why);
  return row;
}

// The device function multiply_add is the first instruction of its width. A rung whose kind names
// another one of this width must not call it.
const MmaRow* multiplyAddOf(const BlockSetup& asked) {
  const MmaRow& row = warpMmaOf(rowOf(asked.format).bits);
  const MmaRow* its = asked.rung()->mma();
  const bool another = its != nullptr && !its->inShared && its->elementBits == row.elementBits;
  return another && its != &row ? nullptr : &row;
}

}  // namespace

BlockState::BlockState(Workspace& workspace, const BlockSetup& asked)
    : recorder(workspace.buffers().recorder),
      shared(workspace.buffers().shared),
      upper(workspace.buffers().upper),
      setup(asked),
      launch(residentLaunch(*asked.rung(), asked.tile, asked.problem, asked.sms)),
      format(&executedIn(asked.format)),
      mma(multiplyAddOf(asked)),
      parts(format->elementsPerWord()),
      threads(static_cast<std::uint32_t>(launch.block.x * launch.block.y)),
      arrays({globalArray("A", asked.matrices[kArrayA], asked.format),
              globalArray("B", asked.matrices[kArrayB], asked.format),
              globalArray("C", asked.matrices[kArrayC], asked.format)}),
      judges(judgedBlock(asked, threads, arrays), shared),
      fibers(workspace.buffers().stacks) {
  const auto k = static_cast<std::uint32_t>(asked.problem.k);
  kLimit = asked.kLimit == 0 ? k : std::min(k, asked.kLimit);
  kEnd = asked.kEndsThere ? kLimit : k;
  upper.clear();
}

RegisterSlot BlockState::elementOf(std::uint32_t array, std::uint32_t index) const {
  const Matrix& matrix = setup.matrices[array];
  const float value = matrix.elements != nullptr
                          ? format->valueOf(elementBits(matrix.elements, index, format->bits))
                          : format->rounded(virtualValue(array, index));
  return {value, Provenance::element(static_cast<Provenance::Source>(array + 1), index)};
}

}  // namespace tileloom::emulator
