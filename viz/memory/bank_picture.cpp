// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"

namespace tileloom {
namespace {

using analysis::Moment;
using emulator::kWarpSize;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Banks)
};

BankGeometry geometryOf(const Scene& scene, const Moment& m, const BankFrame& frame,
                        const Fonts& fonts, const std::optional<analysis::Relayout>& layout) {
  const QFontMetricsF small(fonts.small);
  const auto& trace = scene.recording->trace;
  const bool shared = emulator::isShared(m.instruction.kind);
  BankInput input;
  input.canvas = frame.canvas;
  input.text = small.height() * 1.15;
  // The longer names of ldmatrix leave room for the mark of a conflict.
  input.leftLabel =
      m.instruction.kind == emulator::Kind::MatrixLoad
          ? small.horizontalAdvance(Words::tr("matrix %1, %2 of %3").arg(4).arg(8).arg(8)) +
                2.0 * small.height()
          : small.horizontalAdvance(QStringLiteral("wavefront 12"));
  // The mark of a conflict is between the names and the strips.
  const bool matrices = m.instruction.kind == emulator::Kind::MatrixLoad;
  if (shared && !matrices && m.cost.conflicted()) input.leftLabel += kMarkWidth * small.height();
  input.rightLabel = 2;
  input.words = !shared ? analysis::wordsOf(trace.arrays[m.instruction.array])
                        : (layout ? layout->sharedBytes() : trace.sharedBytes) / 4;
  // Some untouched rows around the touched words, if they fit.
  constexpr double kQuietRows = 8;
  const double room = frame.canvas.height() / (1.5 * input.text) - stripCount(m) - 2;
  const auto least = static_cast<std::uint32_t>(std::clamp(room, 2.0, kQuietRows));
  input.rows = BankGeometry::rowsOf(m, input.words, shared ? least : 1);
  input.strips = shared ? stripCount(m) : 0;
  return BankGeometry(input);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> reachOf(const analysis::Recording& recording,
                                                               const Moment& m,
                                                               std::uint32_t thread) {
  if (thread >= recording.trace.threads) return std::nullopt;
  const std::uint32_t warp = thread / kWarpSize, lane = thread % kWarpSize;
  const auto reach = [&](const Moment& of) -> decltype(reachOf(recording, m, thread)) {
    if (of.width == 0 || (of.instruction.mask >> lane & 1u) == 0) return std::nullopt;
    return std::pair{of.cost.addresses[lane], of.cost.addresses[lane] + of.width - 1};
  };
  if (warp == m.warp) return reach(m);
  if (m.index >= recording.trace.length(warp)) return std::nullopt;
  const Moment other = recording.moment(warp, m.index);
  if (other.instruction.kind != m.instruction.kind || other.array != m.array) return std::nullopt;
  return reach(other);
}

// What each word of a shared array holds at this instant, in its layout.
std::vector<emulator::Provenance> contentsOf(const Scene& scene, const Moment& m,
                                             const std::optional<analysis::Relayout>& layout) {
  auto recorded = scene.recording->contents(m.instruction.array, m.warp, m.index);
  if (!layout) return recorded;
  const std::uint32_t from = scene.recording->trace.arrays[m.instruction.array].base;
  const emulator::Array& to = layout->placed(m.instruction.array);
  std::vector<emulator::Provenance> moved(to.elements);
  for (std::uint32_t word = 0; word < analysis::wordsOf(to); ++word) {
    const std::uint32_t origin = layout->origin(to.base + word);
    if (origin == analysis::kSpare) continue;
    for (std::uint32_t part = 0; part < to.parts; ++part)
      moved[word * to.parts + part] = recorded[(origin - from) * to.parts + part];
  }
  return moved;
}

// "thread 83 touches As[640]", if a hovered thread's words are not visible.
QString elsewhere(const Scene& scene, const Moment& m, const BankPicture& picture) {
  const auto& array = arrayOf(scene, picture.layout, m.instruction.array);
  if (!picture.reach || !emulator::isShared(m.instruction.kind)) return {};
  if (picture.geometry.cellOfWord(picture.reach->first)) return {};
  return Words::tr(" · thread %1 touches %2[%3]")
      .arg(*scene.selection.thread)
      .arg(QString::fromStdString(array.name))
      .arg(analysis::elementAtWord(array, picture.reach->first));
}

// " · 3 more rows · 2 wavefronts do not fit here".
QString hidden(const Moment& m, const BankGeometry& g) {
  QString text;
  if (const std::size_t rows = g.rows().size() - g.shownRows(); rows > 0) {
    text += counted(static_cast<qlonglong>(rows), Words::tr(" · 1 more row"),
                    Words::tr(" · %1 more rows"));
  }
  const std::uint32_t strips = emulator::isShared(m.instruction.kind) ? stripCount(m) : 0;
  if (g.shownStrips() < strips) {
    text += counted(strips - g.shownStrips(), Words::tr(" · 1 wavefront does not fit here"),
                    Words::tr(" · %1 wavefronts do not fit here"));
  }
  return text;
}

std::size_t touchedRows(const Moment& m) {
  return BankGeometry::rowsOf(m, ~0u, 1).size();
}

// What the words without an element in the shown rows are.
QString greyWords(const Scene& scene, const BankPicture& picture) {
  const Moment& m = *picture.access;
  const auto& array = arrayOf(scene, picture.layout, m.instruction.array);
  bool empty = false, beside = false;
  for (std::size_t r = 0; r < picture.geometry.shownRows(); ++r) {
    for (std::uint32_t bank = 0; bank < analysis::kBanks; ++bank) {
      const std::uint32_t word = picture.geometry.rows()[r] * analysis::kBanks + bank;
      if (picture.uses.contains(word)) continue;
      if (!analysis::holdsWord(array, word)) {
        beside = true;
        continue;
      }
      const std::size_t first = std::size_t{word - array.base} * picture.parts;
      empty = empty || (first < picture.contents.size() && !picture.contents[first].isElement());
    }
  }
  const QString name = QString::fromStdString(array.name);
  return empty && beside ? Words::tr("padding, not yet written, or not of %1").arg(name)
         : empty         ? Words::tr("padding, or not yet written")
         : beside        ? Words::tr("not of %1").arg(name)
                         : QString();
}

}  // namespace

const emulator::Array& arrayOf(const Scene& scene, const std::optional<analysis::Relayout>& layout,
                               std::uint32_t array) {
  return layout ? layout->placed(array) : scene.recording->trace.arrays[array];
}

const Moment* bankMoment(const Scene& scene) {
  return scene.ready() && scene.access ? &*scene.access : nullptr;
}

Selection bankSelection(const Scene& scene, std::uint32_t word, std::uint32_t part) {
  Selection selection;
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return selection;
  const auto& array = scene.recording->trace.arrays[m->instruction.array];
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const bool active = (m->instruction.mask >> lane & 1u) != 0;
    if (active && word >= m->cost.addresses[lane] && word < m->cost.addresses[lane] + m->width) {
      selection.thread = m->warp * emulator::kWarpSize + lane;
      break;
    }
  }
  if (array.space == emulator::Space::Shared) {
    // A row may show words of the neighbouring array as well.
    for (std::uint32_t a = emulator::kFirstShared; a < scene.recording->trace.arrays.size(); ++a) {
      const auto& candidate = scene.recording->trace.arrays[a];
      if (analysis::holdsWord(candidate, word))
        selection.word = analysis::SharedWord{a, analysis::elementAtWord(candidate, word) + part};
    }
  } else {
    selection.element = analysis::Element{static_cast<analysis::Matrix>(m->instruction.array),
                                          (word * array.parts + part) / array.columns,
                                          (word * array.parts + part) % array.columns};
  }
  return selection;
}

BankFrame BankFrame::of(const QRectF& whole, const Fonts& fonts, bool keyed,
                        const QString& sentence) {
  constexpr double kMostLines = 3, kLeastBeside = 5;
  const double line = QFontMetricsF(fonts.body).height();
  QRectF inner = whole.adjusted(line * 0.7, line * 0.3, -line * 0.7, -line * 0.3);
  BankFrame f;
  if (keyed) {
    const double high = 1.2 * QFontMetricsF(fonts.small).height();
    f.key = QRectF(inner.left(), inner.bottom() - high, inner.width(), high);
    inner.setBottom(f.key.top());
  }
  f.header =
      QRectF(inner.left(), inner.top(), inner.width(), QFontMetricsF(fonts.title).height() * 1.3);
  double low = line * 1.3;
  if (QFontMetricsF(fonts.body).horizontalAdvance(sentence) > inner.width()) {
    const QFontMetricsF small(fonts.small);
    const double wrapped =
        small.boundingRect(QRectF(0, 0, inner.width(), 1e4), Qt::TextWordWrap, unbroken(sentence))
            .height();
    const double room = inner.height() - f.header.height() - kLeastBeside * line;
    low = std::clamp(wrapped + 0.3 * line, low,
                     std::max(low, std::min(room, (kMostLines + 0.3) * small.height())));
  }
  f.footer = QRectF(inner.left(), inner.bottom() - low, inner.width(), low);
  f.canvas = QRectF(inner.left(), f.header.bottom(), inner.width(),
                    std::max(1.0, f.footer.top() - f.header.bottom()));
  return f;
}

BankPicture bankPicture(const Scene& scene, const QRectF& whole, const Fonts& fonts,
                        const OtherLayout& other, const std::optional<ShownReads>& before) {
  BankPicture picture;
  picture.frame = BankFrame::of(whole, fonts);
  picture.title = other.title;
  // Other layouts are only for accesses of threads.
  if (!other.layout && other.whyNot.isEmpty() && other.title.isEmpty()) {
    if (const auto product = productForBanks(scene)) {
      picture.product = operandBanks(scene, product, picture.frame.canvas, fonts, before);
      picture.verdict = picture.product->verdict;
      return picture;
    }
  }
  const Moment* recorded = bankMoment(scene);
  if (recorded == nullptr) return picture;
  const bool shared = emulator::isShared(recorded->instruction.kind);
  if (shared && !other.whyNot.isEmpty()) {
    picture.verdict = {other.whyNot, Tone::Trouble};
    return picture;
  }
  if (shared) picture.layout = other.layout;
  picture.access =
      picture.layout ? movedMoment(*scene.recording, *recorded, *picture.layout) : *recorded;
  if (!picture.access) {
    picture.verdict = {
        Words::tr(
            "This layout would split the %1-bit access: it could not be executed as recorded.")
            .arg(32 * recorded->width),
        Tone::Trouble};
    return picture;
  }
  const Moment* m = &*picture.access;
  picture.verdict = accessVerdict(*m);
  if (const QString all = sectorsOfK(*scene.recording, *m); !all.isEmpty())
    picture.verdict.text += QStringLiteral(" · ") + all;
  picture.frame = BankFrame::of(whole, fonts, !shared, picture.verdict.text);
  picture.geometry = geometryOf(scene, *m, picture.frame, fonts, picture.layout);
  picture.uses = wordUses(*m);
  picture.parts = m->instruction.parts;
  if (shared) {
    picture.contents = contentsOf(scene, *m, picture.layout);
    // A legend of the grey words, where it hides nothing and the words stay legible.
    if (picture.grey = greyWords(scene, picture); !picture.grey.isEmpty()) {
      constexpr double kLeastCell = 7;  // pixels
      const BankFrame frame = BankFrame::of(whole, fonts, true, picture.verdict.text);
      BankGeometry keyed = geometryOf(scene, *m, frame, fonts, picture.layout);
      if (keyed.cellHeight() >= kLeastCell &&
          keyed.shownRows() >= std::min(picture.geometry.shownRows(), touchedRows(*m)) &&
          keyed.shownStrips() == picture.geometry.shownStrips()) {
        picture.frame = frame;
        picture.geometry = std::move(keyed);
      } else {
        picture.grey.clear();
      }
    }
    picture.strips = wavefrontStrips(*m);
    picture.strips.resize(
        std::min<std::size_t>(picture.strips.size(), picture.geometry.shownStrips()));
  }
  if (scene.selection.thread) {
    picture.reach = reachOf(*scene.recording, *recorded, *scene.selection.thread);
    if (picture.reach && picture.layout) {
      const std::uint32_t words = picture.reach->second - picture.reach->first;
      picture.reach->first = picture.layout->moved(picture.reach->first);
      picture.reach->second = picture.reach->first + words;
    }
  }
  picture.verdict.text += elsewhere(scene, *m, picture) + hidden(*m, picture.geometry);
  return picture;
}

}  // namespace tileloom
