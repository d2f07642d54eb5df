// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::app {
namespace {

// Characters, not bytes: a middle dot is one column wide.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

}  // namespace

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  const bool headed = std::ranges::any_of(headings, [](const auto& h) { return !h.empty(); });
  if (headed) lines.push_back(headings);
  lines.insert(lines.end(), rows_.begin(), rows_.end());

  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  std::string all;
  for (const auto& line : lines) {
    std::string out;
    for (std::size_t i = 0; i < line.size() && i < widths.size(); ++i) {
      const std::string gap(widths[i] - width(line[i]), ' ');
      out += "  ";
      out += columns_[i].align == Align::Right ? gap + line[i] : line[i] + gap;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    all += out + "\n";
  }
  return all;
}

}  // namespace tileloom::app
