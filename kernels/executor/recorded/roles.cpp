// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/roles.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::executor::recorded {

Roles rolesOf(const Arguments& arguments) {
  using emulator::Provenance;
  constexpr std::array<std::pair<const char*, Provenance::Source>, 3> kNames = {
      {{"A", Provenance::Source::A}, {"B", Provenance::Source::B}, {"C", Provenance::Source::C}}};
  Roles roles;
  for (const auto& [name, matrix] : kNames) {
    const auto found = std::ranges::find(arguments.buffers, name, &Buffer::name);
    if (found == arguments.buffers.end()) {
      roles.whyNot = fmt::format("no buffer is named {}", name);
      return {{}, roles.whyNot};
    }
    const auto number = static_cast<std::size_t>(found - arguments.buffers.begin());
    const BufferShape& shape = arguments.elements[number];
    if (shape.rows == 0)
      return {{}, fmt::format("{} has no rows and columns: give ROWSxCOLUMNS", name)};
    if (!shape.real || (shape.bytes != 4 && shape.bytes != 2))
      return {{}, fmt::format("the elements of {} are not numbers of 32 or 16 bits", name)};
    roles.each.push_back({number, matrix, shape.rows, shape.columns, shape.bytes});
  }
  const Role &a = roles.each[0], &b = roles.each[1], &c = roles.each[2];
  if (a.columns != b.rows || a.rows != c.rows || b.columns != c.columns)
    return {{},
            fmt::format("A of {} x {}, B of {} x {} and C of {} x {} do not fit together", a.rows,
                        a.columns, b.rows, b.columns, c.rows, c.columns)};
  return roles;
}

}  // namespace tileloom::executor::recorded
