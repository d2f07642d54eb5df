// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/product_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/base/half_formats.h"

namespace tileloom::own {
namespace {

// A matrix as numbers, with its layout.
class Values {
 public:
  Values(const MatrixPlace& place, std::span<const executor::Buffer> buffers) : place_(place) {
    const auto found = std::ranges::find(buffers, place.name, &executor::Buffer::name);
    if (found == buffers.end()) return;
    const std::vector<std::uint8_t>& bytes = found->bytes;
    const std::size_t size = place.type == "f64" ? 8 : place.type == "f32" ? 4 : 2;
    numbers_.resize(bytes.size() / size);
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] = read(bytes.data() + i * size);
  }
  bool exist() const { return !numbers_.empty(); }
  const MatrixPlace& place() const { return place_; }
  void setLayout(Layout layout) {
    if (layout == place_.layout) return;
    place_.layout = layout;
    place_.stride = layout == Layout::Row ? place_.columns : place_.rows;
  }
  double at(std::uint32_t row, std::uint32_t column) const {
    const std::size_t place = place_.at(row, column);
    return place < numbers_.size() ? numbers_[place] : 0;
  }

 private:
  double read(const std::uint8_t* bytes) const {
    if (place_.type == "f64") return numberAt<double>(bytes);
    if (place_.type == "f32") return static_cast<double>(numberAt<float>(bytes));
    const auto half = numberAt<std::uint16_t>(bytes);
    return static_cast<double>(place_.type == "f16" ? fromFp16(half) : fromBf16(half));
  }
  template <class Number>
  static Number numberAt(const std::uint8_t* bytes) {
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  MatrixPlace place_;
  std::vector<double> numbers_;
};

// The distance of neighbouring numbers of a format, as a part of their size.
double unitOf(const std::string& type) {
  return type == "f64" ? 0x1p-52 : type == "f32" ? 0x1p-23 : type == "f16" ? 0x1p-10 : 0x1p-7;
}

struct Product {
  const ResolvedLaunch& launch;
  Values a, b, added, result;

  double wanted(std::uint32_t row, std::uint32_t column) const {
    double sum = 0;
    for (std::uint32_t k = 0; k < a.place().columns; ++k) sum += a.at(row, k) * b.at(k, column);
    const double c = launch.beta == 0 || !added.exist() ? 0 : added.at(row, column);
    return launch.alpha * sum + launch.beta * c;
  }
  bool isRight(std::uint32_t row, std::uint32_t column, double& want) const {
    want = wanted(row, column);
    const double got = result.at(row, column);
    return std::abs(got - want) <= std::abs(want) * unitOf(result.place().type);
  }
};

// With other layouts, by some of the elements.
std::string rightWith(Product product) {
  constexpr std::uint32_t kSamples = 300;
  const MatrixPlace place = product.result.place();
  const std::array<Layout, 3> present = {product.a.place().layout, product.b.place().layout,
                                         place.layout};
  constexpr std::array<const char*, 3> kNames = {"A", "B", "C"};
  const auto other = [](Layout layout) {
    return layout == Layout::Row ? Layout::Column : Layout::Row;
  };
  for (std::uint32_t change = 1; change < 8; ++change) {
    const auto layoutOf = [&](std::size_t which) {
      return (change >> which & 1) != 0 ? other(present[which]) : present[which];
    };
    Product tried = product;
    tried.a.setLayout(layoutOf(0));
    tried.b.setLayout(layoutOf(1));
    tried.added.setLayout(layoutOf(2));
    tried.result.setLayout(layoutOf(2));
    bool all = true;
    double want = 0;
    for (std::uint32_t i = 0; i < kSamples && all; ++i)
      all = tried.isRight(i * 7 % place.rows, i * 13 % place.columns, want);
    if (!all) continue;
    std::string text;
    for (std::size_t which = 0; which < 3; ++which) {
      if ((change >> which & 1) == 0) continue;
      text += fmt::format("{}{} by {}", text.empty() ? "" : " and ",
                          which == 2 ? place.name.c_str() : kNames[which],
                          layoutOf(which) == Layout::Row ? "rows" : "columns");
    }
    return text;
  }
  return {};
}

}  // namespace

ProductCheck checkProduct(const ResolvedLaunch& launch, std::span<const executor::Buffer> before,
                          std::span<const executor::Buffer> after) {
  ProductCheck check;
  const MatrixPlace *a = launch.matrix("A"), *b = launch.matrix("B"), *c = launch.matrix("C"),
                    *d = launch.matrix("D");
  const MatrixPlace* const result = d != nullptr ? d : c;
  for (const auto& [place, name] : {std::pair(a, "A"), {b, "B"}, {result, "C or D"}}) {
    if (place != nullptr) continue;
    check.whyNot = fmt::format("no parameter is the matrix {}", name);
    return check;
  }
  check.result = result->name;
  const Product product{launch, Values(*a, before), Values(*b, before),
                        Values(c != nullptr ? *c : *result, before), Values(*result, after)};
  for (std::uint32_t row = 0; row < result->rows; ++row) {
    for (std::uint32_t column = 0; column < result->columns; ++column) {
      double want = 0;
      ++check.elements;
      if (product.isRight(row, column, want)) continue;
      if (check.wrong++ != 0) continue;
      check.row = row;
      check.column = column;
      check.wanted = want;
      check.got = product.result.at(row, column);
    }
  }
  if (check.wrong != 0) check.rightWith = rightWith(product);
  return check;
}

}  // namespace tileloom::own
