// SPDX-License-Identifier: GPL-3.0-or-later
// Text in aligned columns, for terminals.
#pragma once

#include <string>
#include <vector>

namespace tileloom::app {

enum class Align { Left, Right };

struct Column {
  std::string heading;
  Align align = Align::Right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell a column; missing ones are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Headings, then rows; every line is indented by two, has no spaces at its end, and ends in a
  // newline.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tileloom::app
