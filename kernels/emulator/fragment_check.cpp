// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/fragment_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tileloom::emulator {
namespace {

using Source = Provenance::Source;

bool isFactor(Source source) {
  return source == Source::A || source == Source::B;
}

// The k of a factor, and its row of A or column of B.
struct Index {
  std::uint32_t k = 0;
  std::uint32_t line = 0;
};

// The source of the first factor that is inside its matrix, row by row.
template <std::size_t Columns>
Source sourceOf(const Provenance (*factors)[Columns], std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (factors[row][column] != Provenance::outside()) return factors[row][column].source();
    }
  }
  return Source::Register;
}

class Check {
 public:
  Check(const Factors& factors, const std::vector<Array>& arrays)
      : f_(factors),
        arrays_(arrays),
        mma_(*factors.mma),
        left_(sourceOf(factors.a, mma_.rows, mma_.depth)),
        right_(sourceOf(factors.b, mma_.depth, mma_.columns)) {}

  // Nearly always all factors fit, and the distances from each row's first element show it, so that
  // few elements have to be divided by the length of a row.
  bool fits() const {
    if (!isFactor(left_) || !isFactor(right_) || left_ == right_) return false;
    const Provenance startA = f_.a[0][0], startB = f_.b[0][0];
    for (std::uint32_t k = 0; k < mma_.depth; ++k) {
      const Provenance a = f_.a[0][k], b = f_.b[k][0];
      if (a.source() != left_ || b.source() != right_) return false;
      const Index ofA = indexOf(a), ofB = indexOf(b);
      if (ofA.k != ofB.k || ofA.line != indexOf(startA).line || ofB.line != indexOf(startB).line)
        return false;
    }
    for (std::uint32_t row = 1; row < mma_.rows; ++row) {
      const Provenance start = f_.a[row][0];
      if (start.source() != left_ || indexOf(start).k != indexOf(startA).k) return false;
      for (std::uint32_t k = 1; k < mma_.depth; ++k) {
        const Provenance p = f_.a[row][k];
        if (p.source() != left_ || p.index() - start.index() != f_.a[0][k].index() - startA.index())
          return false;
      }
    }
    for (std::uint32_t column = 1; column < mma_.columns; ++column) {
      const Provenance start = f_.b[0][column];
      if (start.source() != right_ || indexOf(start).k != indexOf(startB).k) return false;
      for (std::uint32_t k = 1; k < mma_.depth; ++k) {
        const Provenance p = f_.b[k][column];
        if (p.source() != right_ ||
            p.index() - start.index() != f_.b[k][0].index() - startB.index())
          return false;
      }
    }
    return true;
  }

  // Checks each element and returns a sentence. Zeros from outside a matrix fit everywhere.
  std::optional<Misfit> first() const {
    for (std::uint32_t row = 0; row < mma_.rows; ++row) {
      Provenance first;
      for (std::uint32_t k = 0; k < mma_.depth; ++k) {
        const Provenance p = f_.a[row][k];
        if (p == Provenance::outside()) continue;
        const auto wrong = [&](std::string why) { return ofA(row, k, std::move(why)); };
        if (!isFactor(p.source()) || p.source() != left_) return wrong("where a factor must be");
        if (!first.known()) first = p;
        if (indexOf(p).line != indexOf(first).line)
          return wrong("in one row of the instruction with " + text(first));
      }
    }
    for (std::uint32_t column = 0; column < mma_.columns; ++column) {
      Provenance first;
      for (std::uint32_t k = 0; k < mma_.depth; ++k) {
        const Provenance p = f_.b[k][column];
        if (p == Provenance::outside()) continue;
        const auto wrong = [&](std::string why) { return ofB(k, column, std::move(why)); };
        if (!isFactor(p.source()) || p.source() != right_ || right_ == left_)
          return wrong("where the other factor must be");
        if (!first.known()) first = p;
        if (indexOf(p).line != indexOf(first).line)
          return wrong("in one column of the instruction with " + text(first));
        for (std::uint32_t row = 0; row < mma_.rows; ++row) {
          const Provenance a = f_.a[row][k];
          if (a == Provenance::outside()) continue;
          if (indexOf(a).k != indexOf(p).k)
            return wrong("which is multiplied by " + text(a) + ": their k differ");
        }
      }
    }
    return std::nullopt;
  }

 private:
  const Array& arrayOf(Provenance p) const {
    return arrays_[static_cast<std::uint32_t>(p.source()) - 1];
  }
  Index indexOf(Provenance p) const {
    const std::uint32_t columns = arrayOf(p).columns;
    const std::uint32_t row = p.index() / columns, column = p.index() % columns;
    return p.source() == Source::A ? Index{column, row} : Index{row, column};
  }
  std::string text(Provenance p) const {
    if (!p.isElement()) return "no element of a matrix";
    const Array& array = arrayOf(p);
    return fmt::format("{}[{}][{}]", array.name, p.index() / array.columns,
                       p.index() % array.columns);
  }

  // Looks for the lane whose value number i is at this place.
  template <class PlaceIn>
  Misfit at(PlaceIn placeIn, std::uint32_t values, const FragmentPlace& place, Provenance p,
            std::string_view operand, const std::string& why) const {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      for (std::uint32_t i = 0; i < values; ++i) {
        if ((mma_.*placeIn)(lane, i) != place) continue;
        return {lane, p,
                fmt::format("holds {} in {} {} of its part of {}, lane {}, {}", text(p),
                            registerWord(), i / mma_.elementsPerRegister(), operand, lane, why)};
      }
    }
    return {};
  }
  // What holds elements of this width.
  std::string_view registerWord() const {
    return mma_.elementsPerRegister() == 2 ? "pair" : "register";
  }
  Misfit ofA(std::uint32_t row, std::uint32_t k, const std::string& why) const {
    return at(&MmaRow::placeInA, mma_.laneA(), {row, k}, f_.a[row][k], "A", why);
  }
  Misfit ofB(std::uint32_t k, std::uint32_t column, const std::string& why) const {
    return at(&MmaRow::placeInB, mma_.laneB(), {k, column}, f_.b[k][column], "B", why);
  }

  const Factors& f_;
  const std::vector<Array>& arrays_;
  const MmaRow& mma_;
  Source left_, right_;
};

}  // namespace

std::optional<Misfit> misfitOf(const Factors& factors, const std::vector<Array>& arrays) {
  const Check check(factors, arrays);
  return check.fits() ? std::nullopt : check.first();
}

}  // namespace tileloom::emulator
