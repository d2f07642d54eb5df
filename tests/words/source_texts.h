// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader sees in a C++ or CUDA source: its comments, and its strings of several words.
//
//   for (const auto& text : test::sourceTexts(source)) ...  // {12, Kind::String, "%1 of %2 tiles"}
#pragma once

#include <QList>
#include <QString>

namespace tileloom::test {

struct SourceText {
  enum class Kind { Comment, String };
  int line = 0;  // from 1: where it begins
  Kind kind = Kind::String;
  QString text;  // as it is written, without the marks; adjacent strings and comment lines are one
};

// Strings without a space, such as keys, and the names of included files are left out.
QList<SourceText> sourceTexts(const QString& source);

}  // namespace tileloom::test
