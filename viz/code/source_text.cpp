// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_text.h"

#include <QSet>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

bool isKeyword(const QString& word) {
  static const QSet<QString> words = {
      QStringLiteral("const"),        QStringLiteral("uint"),
      QStringLiteral("int"),          QStringLiteral("float"),
      QStringLiteral("float4"),       QStringLiteral("for"),
      QStringLiteral("if"),           QStringLiteral("return"),
      QStringLiteral("else"),         QStringLiteral("gmem"),
      QStringLiteral("smem"),         QStringLiteral("reg"),
      QStringLiteral("KERNEL"),       QStringLiteral("CONSTANT"),
      QStringLiteral("REGISTERS"),    QStringLiteral("SHARED"),
      QStringLiteral("SHARED_TILES"), QStringLiteral("UNROLL"),
      QStringLiteral("K_TILES"),      QStringLiteral("UNROLLED_K_TILES"),
      QStringLiteral("DOTS"),         QStringLiteral("UNROLLED_DOTS"),
      QStringLiteral("ROLLED_DOTS"),  QStringLiteral("__syncthreads"),
      QStringLiteral("KERNEL16"),     QStringLiteral("SHARED16"),
      QStringLiteral("FRAGMENTS"),    QStringLiteral("MMA_STEPS"),
      QStringLiteral("element"),      QStringLiteral("PART_KERNEL"),
      QStringLiteral("PART_TILES")};
  return words.contains(word);
}

bool wordPart(QChar c) {
  return c.isLetterOrNumber() || c == u'_';
}

}  // namespace

QStringList sourceLines(const Stage& stage) {
  const auto text = sourceText(stage);
  QStringList lines = toQString(text).split(u'\n');
  while (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();
  return lines;
}

std::vector<CodePiece> piecesOf(const QString& line, const Stage& stage) {
  using PieceKind = CodePiece::Kind;
  std::vector<CodePiece> pieces;
  const auto add = [&pieces](PieceKind kind, qsizetype begin, qsizetype end,
                             std::optional<Parameter> parameter = std::nullopt) {
    if (end <= begin) return;
    if (kind == PieceKind::Plain && !pieces.empty() && pieces.back().kind == kind) {
      pieces.back().length += end - begin;
    } else {
      pieces.push_back({kind, begin, end - begin, parameter});
    }
  };
  for (qsizetype i = 0; i < line.size();) {
    if (line.mid(i, 2) == QLatin1String("//") || line[i] == u'#') {
      const bool comment = line[i] != u'#';
      add(comment ? PieceKind::Comment : PieceKind::Keyword, i, line.size());
      break;
    }
    qsizetype end = i + 1;
    if (!wordPart(line[i])) {
      add(PieceKind::Plain, i, end);
    } else {
      while (end < line.size() && wordPart(line[end])) ++end;
      const QString word = line.mid(i, end - i);
      const auto parameter = parameterNamed(word.toStdString());
      const bool ours =
          parameter && stage.spec(*parameter) != nullptr &&
          QLatin1String(name(*parameter).data(), qsizetype(name(*parameter).size())) == word;
      if (ours) {
        add(PieceKind::Parameter, i, end, parameter);
      } else {
        add(isKeyword(word)      ? PieceKind::Keyword
            : word[0].isNumber() ? PieceKind::Number
                                 : PieceKind::Plain,
            i, end);
      }
    }
    i = end;
  }
  return pieces;
}

QString parametersOf(const QString& line, const Stage& stage, const TileShape& tile) {
  QStringList said;
  for (const CodePiece& piece : piecesOf(line, stage)) {
    if (!piece.parameter) continue;
    const QString text = QStringLiteral("%1=%2")
                             .arg(line.mid(piece.begin, piece.length))
                             .arg(tile[*piece.parameter]);
    if (!said.contains(text)) said += text;
  }
  return said.join(u' ');
}

QString codeFitted(const QString& text, const QFontMetricsF& metrics, double room) {
  const QString cut = metrics.elidedText(text, Qt::ElideRight, std::max(0.0, room));
  if (cut == text || cut.isEmpty()) return cut;
  QString stem = cut.chopped(1);
  while (!stem.isEmpty() && (stem.back().isDigit() || stem.back() == u'.')) stem.chop(1);
  return stem + u'…';
}

CodeSeen codeSeen(const QString& text, const std::vector<CodePiece>& pieces,
                  const QFontMetricsF& metrics, double room, bool narrow) {
  constexpr int kLetters = 4;
  CodeSeen seen{0, text.size(), false};
  if (narrow) {
    while (seen.begin < text.size() && text[seen.begin] == u' ') ++seen.begin;
    seen.begin /= 2;
  }
  const QString rest = text.mid(seen.begin);
  const QString fitted = codeFitted(rest, metrics, room);
  if (fitted == rest) return seen;
  seen.cut = true;
  const qsizetype most = seen.begin + std::max<qsizetype>(0, fitted.size() - 1);
  seen.end = most;
  const auto tells = [&](qsizetype begin, qsizetype end) {
    if (begin >= end) return false;
    const QStringView word = QStringView(text).mid(begin, end - begin);
    return !word.back().isDigit() &&
           std::ranges::count_if(word, [](QChar c) { return c.isLetterOrNumber(); }) >= kLetters;
  };
  // If the code fits and only the comment after it does not, the whole code is shown.
  if (!pieces.empty() && pieces.back().kind == CodePiece::Kind::Comment) {
    const qsizetype comment = pieces.back().begin;
    const qsizetype code =
        QStringView(text).first(comment).trimmed().size() +
        std::ranges::distance(text.begin(),
                              std::ranges::find_if(text, [](QChar c) { return c != u' '; }));
    if (code <= most && comment > 0 && !tells(comment, most)) {
      seen.end = code;
      seen.cut = false;
      return seen;
    }
  }
  // A cut word of few letters is meaningless: the line then ends with the piece before it.
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const qsizetype begin = std::max(piece->begin, seen.begin);
    const qsizetype end = std::min(piece->begin + piece->length, most);
    if (!tells(begin, end)) continue;
    seen.end = end;
    break;
  }
  return seen;
}

}  // namespace tileloom
