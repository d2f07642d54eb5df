// SPDX-License-Identifier: GPL-3.0-or-later
// A launch file with values: the numbers of a launch, and the arguments as texts
// (executor/arguments.h).
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/executor/launch_list.h"
#include "kernels/own/launch_file.h"

namespace tileloom::own {

// Where a matrix of the product is.
struct MatrixPlace {
  std::string name;  // A, B, C or D; its buffer has the same name
  std::string type;
  Layout layout = Layout::Row;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t stride = 0;  // elements from a row (a column) to the next one

  // The place of an element in the buffer, in elements.
  std::size_t at(std::uint32_t row, std::uint32_t column) const {
    return layout == Layout::Row ? std::size_t{row} * stride + column
                                 : std::size_t{column} * stride + row;
  }
  // As the executor records it: by rows, without gaps.
  bool isPlain() const { return layout == Layout::Row && stride == columns; }
};

struct ResolvedLaunch {
  executor::ListedLaunch launch;  // without its cubin
  std::vector<MatrixPlace> matrices;
  double alpha = 1, beta = 0;
  Names values;  // of sizes and named values

  // nullptr: the kernel has no such matrix.
  const MatrixPlace* matrix(std::string_view name) const;
};

// `changed`: other numbers for sizes and values. The error is one sentence without a full stop:
// which member, what is wrong, what to write.
tl::expected<ResolvedLaunch, std::string> resolved(const LaunchFile& file, const Names& changed);

}  // namespace tileloom::own
