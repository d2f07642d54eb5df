// SPDX-License-Identifier: GPL-3.0-or-later
// A stage's source as it is shown: the kinds of its words, and the present values of its knobs.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

struct CodePiece {
  enum class Kind { Plain, Keyword, Number, Knob, Comment };
  Kind kind = Kind::Plain;
  qsizetype begin = 0;
  qsizetype length = 0;
  std::optional<Knob> knob;
  bool operator==(const CodePiece&) const = default;
};

QStringList sourceLines(const Stage& stage);

// The whole line, piece by piece. Knobs are those that the stage has. Words of the portability
// header that stand for control flow or storage count as keywords.
std::vector<CodePiece> piecesOf(const QString& line, const Stage& stage);

// The knobs that occur in a line with their values, each once: "BM=128 TM=8".
QString knobsOf(const QString& line, const Stage& stage, const TileShape& tile);

// The beginning of a line of code that fits into so many pixels, with "…" behind it. It ends in no
// digit: what is left of a number would be read as another one.
QString codeFitted(const QString& text, const QFontMetricsF& metrics, double room);

// What is seen of a line: its letters from `begin` to `end`, with "…" behind them if it is cut.
struct CodeSeen {
  qsizetype begin = 0, end = 0;
  bool cut = false;
  bool operator==(const CodeSeen&) const = default;
};

// `narrow`: half of its indentation is left out. A line that is cut ends in a piece of at least
// four letters, and in no digit. A comment behind the code of which less would be left is left out.
CodeSeen codeSeen(const QString& text, const std::vector<CodePiece>& pieces,
                  const QFontMetricsF& metrics, double room, bool narrow);

}  // namespace tileloom
