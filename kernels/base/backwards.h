// SPDX-License-Identifier: GPL-3.0-or-later
// `for (const T& x : backwards(list))`: from the last element to the first. Like
// std::views::reverse, which clang 14 does not compile with the standard library of GCC 12.
#pragma once

namespace tileloom {

// The list must outlive the range.
template <class List>
auto backwards(List& list) {
  struct Range {
    List& list;
    auto begin() const { return list.rbegin(); }
    auto end() const { return list.rend(); }
  };
  return Range{list};
}

}  // namespace tileloom
