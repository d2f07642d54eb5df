// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares a stage's source for display: the kinds of its words, and the present values of its tile
// parameters.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct CodePiece {
  enum class Kind { Plain, Keyword, Number, Parameter, Comment };
  Kind kind = Kind::Plain;
  qsizetype begin = 0;
  qsizetype length = 0;
  std::optional<Parameter> parameter;
  bool operator==(const CodePiece&) const = default;
};

QStringList sourceLines(const Stage& stage);

// The whole line, piece by piece. Tile parameters are those that the stage has. Words of the
// portability header for control flow or storage count as keywords.
std::vector<CodePiece> piecesOf(const QString& line, const Stage& stage);

// The tile parameters that occur in a line with their values, each once: "BM=128 TM=8".
QString parametersOf(const QString& line, const Stage& stage, const TileShape& tile);

// The beginning of a line of code that fits into `room` pixels, followed by "…". It does not end in
// a digit, because a cut number would look like another one.
QString codeFitted(const QString& text, const QFontMetricsF& metrics, double room);

// The visible part of a line: its letters from `begin` to `end`, followed by "…" if it is cut.
struct CodeSeen {
  qsizetype begin = 0, end = 0;
  bool cut = false;
  bool operator==(const CodeSeen&) const = default;
};

// `narrow`: half of its indentation is left out. A cut line ends in a piece of at least four
// letters, and not in a digit. A comment after the code is left out if less than that would remain.
CodeSeen codeSeen(const QString& text, const std::vector<CodePiece>& pieces,
                  const QFontMetricsF& metrics, double room, bool narrow);

}  // namespace tileloom
