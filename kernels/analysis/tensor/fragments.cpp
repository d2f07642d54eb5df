// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/fragments.h"

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

bool complete(const OuterProduct& product) {
  const auto all = [](const std::vector<Fragment>& fragments) {
    return std::ranges::all_of(fragments, &Fragment::loaded);
  };
  return all(product.a) && all(product.b);
}

// Searches backwards from `from`: a kernel may load fragments one k before it uses them, and those
// of the first k before the loop or after the last barrier.
void markLoaded(const Recording& recording, std::uint32_t warp, std::uint32_t lane,
                const emulator::Position& from, OuterProduct& product) {
  const auto& trace = recording.trace;
  constexpr int kMostSteps = 3;  // places in the loops, this one among them
  // A value that comes through shared memory is a fragment only when it is loaded from there.
  const Kind wanted = trace.features().sharedTiles ? Kind::SharedLoad : Kind::GlobalLoad;
  int steps = 0;
  std::optional<std::pair<std::uint32_t, std::uint16_t>> place;
  for (std::uint32_t interval = from.interval + 1; interval-- > 0;) {
    const auto view = trace.at(warp, interval);
    std::uint32_t i = interval == from.interval
                          ? from.instruction + 1
                          : static_cast<std::uint32_t>(view.instructions.size());
    while (i-- > 0) {
      const Instruction& instruction = view.instructions[i];
      const std::pair here{instruction.kTile, instruction.dot};
      if (place != here && ++steps > kMostSteps) return;
      place = here;
      if (instruction.kind != wanted || (instruction.mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(i, lane);
      for (std::uint32_t w = 0; w < instruction.elements(); ++w) {
        const auto element = recording.elementOf(Provenance(words[1 + w]));
        if (element) load(element->matrix == Matrix::A ? product.a : product.b, *element);
      }
      if (complete(product)) return;
    }
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
  // A k is between two barriers; rungs without barriers have one interval for all.
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
  markLoaded(recording, warp, lane, position, product);
  std::ranges::sort(product.a, {}, [](const Fragment& f) { return f.element.row; });
  std::ranges::sort(product.b, {}, [](const Fragment& f) { return f.element.column; });
  return product;
}

}  // namespace tileloom::analysis
