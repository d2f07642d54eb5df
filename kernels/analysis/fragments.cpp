// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/fragments.h"

#include <algorithm>

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;

void note(std::vector<Fragment>& fragments, const Element& element) {
  for (const Fragment& f : fragments) {
    if (f.element == element) return;
  }
  fragments.push_back({element, false});
}

void load(std::vector<Fragment>& fragments, const Element& element) {
  for (Fragment& f : fragments) {
    if (f.element == element) f.loaded = true;
  }
}

}  // namespace

std::optional<OuterProduct> outerProduct(const Recording& recording, std::uint32_t thread,
                                         std::uint32_t index) {
  const auto& trace = recording.trace;
  const std::uint32_t warp = thread / emulator::kWarpSize, lane = thread % emulator::kWarpSize;
  const auto position = trace.position(warp, index);
  const Instruction here = trace.at(warp, position.interval).instructions[position.instruction];
  if (here.kTile == emulator::kNoTile || here.dot == emulator::kNoDot) return std::nullopt;

  OuterProduct product;
  product.before = std::int64_t{here.kTile} * trace.stepK + here.dot;
  // A dot index lies between two barriers; rungs without any have one interval for all.
  const auto view = trace.at(warp, position.interval);
  const auto same = [&](const Instruction& i) {
    return i.kTile == here.kTile && i.dot == here.dot;
  };
  std::uint32_t first = position.instruction, end = position.instruction;
  while (first > 0 && same(view.instructions[first - 1])) --first;
  while (end < view.instructions.size() && same(view.instructions[end])) ++end;

  for (std::uint32_t i = first; i < end; ++i) {
    const Instruction& instruction = view.instructions[i];
    if (instruction.kind != Kind::Fma || (instruction.mask >> lane & 1u) == 0) continue;
    const std::uint32_t* words = view.payload(i, lane);
    OuterProduct::Term term;
    bool whole = true;
    for (int w = 0; w < 2; ++w) {
      const auto element = recording.elementOf(Provenance(words[w]));
      if (!element) {
        whole = false;
        continue;
      }
      note(element->matrix == Matrix::A ? product.a : product.b, *element);
      (element->matrix == Matrix::A ? term.a : term.b) = *element;
    }
    const std::uint32_t c = trace.accumulatorElement(thread, Provenance(words[2]).slot());
    if (!whole || c == emulator::Trace::kNoElement) continue;
    const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
    term.c = {Matrix::C, c / columns, c % columns};
    ++product.products;
    if (i <= position.instruction) product.done.push_back(term.c);
    if (i == position.instruction) product.now = term;
  }
  for (std::uint32_t i = first; i <= position.instruction; ++i) {
    const Instruction& instruction = view.instructions[i];
    const bool loads = instruction.kind == Kind::SharedLoad || instruction.kind == Kind::GlobalLoad;
    if (!loads || (instruction.mask >> lane & 1u) == 0) continue;
    const std::uint32_t* words = view.payload(i, lane);
    for (std::uint32_t w = 0; w < instruction.width; ++w) {
      const auto element = recording.elementOf(Provenance(words[1 + w]));
      if (element) load(element->matrix == Matrix::A ? product.a : product.b, *element);
    }
  }
  std::ranges::sort(product.a, {}, [](const Fragment& f) { return f.element.row; });
  std::ranges::sort(product.b, {}, [](const Fragment& f) { return f.element.column; });
  return product;
}

}  // namespace tileloom::analysis
