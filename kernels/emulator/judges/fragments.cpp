// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/fragments.h"
#include "kernels/emulator/product_shape.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tileloom::emulator::judges {
namespace {

constexpr std::uint32_t kRowsOfWarp = kProductRows / kWarpsPerGroup;  // of a wgmma

}  // namespace

void Fragments::see(const event::Mma& e) {
  const auto misfit = misfitOf(*e.factors, *context_.subject.arrays);
  if (!misfit) return;
  Fault fault = context_.faultOf(FaultKind::WrongFragment,
                                 {e.warp * kWarpSize + misfit->lane, e.sites[misfit->lane]});
  if (misfit->element.isElement()) {
    const Array& array = context_.array(static_cast<std::uint32_t>(misfit->element.source()) - 1);
    fault.array = array.name;
    fault.index = misfit->element.index();
    fault.size = array.elements;
  }
  fault.detail = misfit->detail;
  context_.report(std::move(fault));
}

void Fragments::see(const event::ProductExecuted& e) {
  if (e.product.factorsA != nullptr) return checkFactors(e.at, e.product);
  context_.report(FaultKind::WrongFragment, e.at,
                  "issues a wgmma whose operand is not swizzled, but all boxes of this rung are");
}

// All rows of A must be parts of rows of one matrix at the same k; all columns of B must be parts
// of columns at these k. Zeros from outside a matrix fit anywhere.
void Fragments::checkFactors(const Origin& at, const ProductRecord& product) {
  const std::vector<Provenance>&a = *product.factorsA, &b = *product.factorsB;
  const auto blame = [&](Provenance p, const std::string& why) {
    context_.report(FaultKind::WrongFragment, at,
                    fmt::format("issues a wgmma with {} {}", context_.elementText(p), why));
  };
  const std::uint32_t widthA = context_.array(kArrayA).columns;
  const std::uint32_t widthB = context_.array(kArrayB).columns;
  constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  std::array<std::uint32_t, kProductDepth> depth;
  depth.fill(kNone);
  for (std::uint32_t row = 0; row < kRowsOfWarp; ++row) {
    std::uint32_t itsRow = kNone, origin = 0;
    for (std::uint32_t k = 0; k < kProductDepth; ++k) {
      const Provenance p = a[row * kProductDepth + k];
      if (p == Provenance::outside()) continue;
      if (p.source() != Provenance::Source::A) return blame(p, "where a factor of A must be");
      // Nearly always the next element is the neighbour, which saves a division.
      const std::uint32_t in =
          itsRow != kNone && p.index() - origin < widthA ? p.index() - origin : p.index() % widthA;
      if (itsRow == kNone) {
        origin = p.index() - in;
        itsRow = row;
      } else if (p.index() - in != origin) {
        return blame(
            p, fmt::format("in row {} of its part of A, which began with another row of A", row));
      }
      if (depth[k] == kNone) depth[k] = in;
      if (depth[k] != in)
        return blame(p, fmt::format("at k {} of its part of A, where other rows have {}", k,
                                    context_.elementText(
                                        Provenance::element(Provenance::Source::A, depth[k]))));
    }
  }
  for (std::uint32_t n = 0; n < product.columns; ++n) {
    std::uint32_t itsColumn = kNone;
    for (std::uint32_t k = 0; k < kProductDepth; ++k) {
      const Provenance p = b[k * product.columns + n];
      if (p == Provenance::outside()) continue;
      if (p.source() != Provenance::Source::B) return blame(p, "where a factor of B must be");
      const std::uint32_t guess = p.index() - depth[k] * widthB;  // right where k agrees
      const bool agrees = depth[k] != kNone && guess < widthB;
      const std::uint32_t in = agrees ? guess : p.index() % widthB;
      if (itsColumn == kNone) itsColumn = in;
      if (itsColumn != in)
        return blame(p, fmt::format("in column {} of B, which began with another column of B", n));
      if (!agrees && depth[k] != kNone)
        return blame(p, fmt::format("in B, which is multiplied by elements of A with k = {}: their "
                                    "k differ",
                                    depth[k]));
    }
  }
}

}  // namespace tileloom::emulator::judges
