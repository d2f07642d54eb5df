// SPDX-License-Identifier: GPL-3.0-or-later
// A stage's source as it is shown: the kinds of its words, and the present values of its knobs.
#pragma once

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

}  // namespace tileloom
