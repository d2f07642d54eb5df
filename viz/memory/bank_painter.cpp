// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/scaled_font.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

using analysis::kBanks;
using analysis::Moment;
using emulator::kWarpSize;

// Share of the ground in words of global memory: in fetched sectors, and in others.
constexpr double kFetched = 0.55, kUnfetched = 0.86;
constexpr double kBesideEdge = 3;  // pixels from the edge of a cell to words that reach beyond it

QString text(const char* source, int n = -1) {
  return QCoreApplication::translate("tileloom::Banks", source, nullptr, n);
}

// "5", "0–15" for neighbours, "0,4" or "0,4,8" for a few; empty: too many to be named.
QString lanesText(std::uint32_t lanes) {
  constexpr int kMostNamed = 3;
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  const int last = 31 - std::countl_zero(lanes);
  if (count > 1 && last - first + 1 == count) return QStringLiteral("%1–%2").arg(first).arg(last);
  if (count > kMostNamed) return {};
  QString text;
  for (int lane = first; lane <= last; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    text += (text.isEmpty() ? QString() : QStringLiteral(",")) + QString::number(lane);
  }
  return text;
}

class BankPainter {
 public:
  BankPainter(QPainter& painter, const BankPicture& picture, const Scene& scene, const Theme& theme,
              const Fonts& fonts)
      : p_(painter),
        pic_(picture),
        g_(picture.geometry),
        scene_(scene),
        m_(*picture.access),
        t_(theme),
        f_(fonts),
        shared_(emulator::isShared(m_.instruction.kind)) {}

  void paint() {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    header();
    bankNumbers();
    rows();
    if (shared_) strips();
    p_.setRenderHint(QPainter::Antialiasing, true);
    selection();
    footer();
    if (!pic_.frame.key.isEmpty()) key();
    p_.restore();
  }

 private:
  void header() {
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    const QString title = !pic_.title.isEmpty() ? pic_.title
                          : shared_             ? text("Shared memory banks")
                                                : text("Global memory lines");
    p_.drawText(pic_.frame.header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const QString what = accessTitle(scene_, m_);
    p_.setPen(t_.soft);
    const double used = QFontMetricsF(f_.title).horizontalAdvance(title) + 24;
    const QRectF room = pic_.frame.header.adjusted(used, 0, 0, 0);
    // The footer says what is omitted.
    words(room, Qt::AlignRight, what);
  }

  // The end of such a sentence matters: smaller text before shorter text.
  void words(const QRectF& room, Qt::Alignment where, const QString& sentence) {
    const bool fits = QFontMetricsF(f_.body).horizontalAdvance(sentence) <= room.width();
    const QFont& font = fits ? f_.body : f_.small;
    p_.setFont(font);
    p_.drawText(room, where | Qt::AlignVCenter,
                fitted(sentence, QFontMetricsF(font), room.width()));
  }

  void bankNumbers() {
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    const QFontMetricsF metrics(f_.small);
    const double need =
        metrics.horizontalAdvance(shared_ ? QStringLiteral("00") : QStringLiteral("000")) + 2;
    // As many as do not overlap.
    std::uint32_t step = 1;
    while (step < kBanks && step * g_.cellWidth() < need) step *= step < 4 ? 4 : 2;
    for (std::uint32_t bank = 0; bank < kBanks; bank += step) {
      QRectF label = g_.bankLabel(bank);
      if (step > 1) label.setWidth(need + 4);
      // In global memory the columns are bytes of a line, not banks.
      constexpr int kLeft = Qt::AlignLeft | Qt::AlignVCenter;
      constexpr int kMiddle = Qt::AlignHCenter | Qt::AlignVCenter;
      const bool crowded = shared_ && (m_.cost.shared.crowded >> bank & 1u) != 0;
      p_.setPen(crowded ? t_.trouble : t_.faint);
      const QString first = text("byte 0");
      const bool named =
          !shared_ && bank == 0 &&
          metrics.horizontalAdvance(first) + 2 <= std::max(4u, step) * g_.cellWidth();
      if (named) label.setWidth(std::max(4u, step) * g_.cellWidth());
      p_.drawText(label, step > 1 || named ? kLeft : kMiddle,
                  named ? first : QString::number(shared_ ? bank : 4 * bank));
      if (!shared_ && step == 1) bank += 3;
    }
  }

  const emulator::Array& array() const {
    return arrayOf(scene_, pic_.layout, m_.instruction.array);
  }

  QColor resting(std::uint32_t word, std::uint32_t part) const {
    if (!shared_) {
      // A sector that is fetched for any of its words has a stronger colour than the rest of its
      // line.
      const auto next = pic_.uses.lower_bound(word / 8 * 8);
      const bool fetched = next != pic_.uses.end() && next->first < word / 8 * 8 + 8;
      return Theme::mix(t_.matrix(static_cast<analysis::Matrix>(m_.instruction.array)), t_.ground,
                        fetched ? kFetched : kUnfetched);
    }
    const std::uint32_t base = array().base;
    const std::uint32_t index = (word - base) * pic_.parts + part;
    if (word < base || index >= pic_.contents.size() || !pic_.contents[index].isElement())
      return t_.well;
    const auto matrix =
        static_cast<analysis::Matrix>(static_cast<int>(pic_.contents[index].source()) - 1);
    return Theme::mix(t_.matrix(matrix), t_.ground, 0.80);
  }

  void rows() {
    const QFontMetricsF metrics(f_.small);
    sharing_ = sharing(g_.cell(0, 0), {&pic_.uses});
    for (std::size_t r = 0; r < g_.shownRows(); ++r) {
      rowLabel(r);
      for (std::uint32_t bank = kBanks; bank-- > 0;) {  // a lane's label may reach to the right
        const std::uint32_t word = g_.rows()[r] * kBanks + bank;
        word_(g_.cell(r, bank), word, metrics);
      }
      if (!shared_) sectors(r);
    }
  }

  // A line of text, centred in a place that may be lower than the text.
  static QRectF lineIn(QRectF place, const QFontMetricsF& metrics) {
    place.setTop(place.center().y() - metrics.height() / 2);
    place.setHeight(metrics.height());
    return place;
  }

  void rowLabel(std::size_t r) {
    const emulator::Array& array = this->array();
    const std::uint32_t first = g_.rows()[r] * kBanks;
    const QFontMetricsF metrics(f_.small);
    const bool gap = r > 0 && g_.rows()[r] != g_.rows()[r - 1] + 1;
    if (gap && g_.cellHeight() >= 8.0) {
      p_.setPen(hairline(t_.faint, 1.0));
      const QRectF left = g_.cell(r, 0);
      p_.drawLine(left.topLeft(), g_.cell(r, kBanks - 1).topRight());
    }
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    const QString at = shared_
                           ? QStringLiteral("%1[%2]")
                                 .arg(QString::fromStdString(array.name))
                                 .arg((first - array.base) * pic_.parts)
                           : describeElement({static_cast<analysis::Matrix>(m_.instruction.array),
                                              first * pic_.parts / std::max(1u, array.columns),
                                              first * pic_.parts % std::max(1u, array.columns)});
    const QRectF room = lineIn(g_.rowLabel(r), metrics);
    // Between thin rows, named ones keep a distance, also from the name of the first wavefront.
    const double close = 0.2 * metrics.height();
    if (named_ && room.top() + close < *named_) return;
    if (shared_ && !pic_.strips.empty() &&
        room.bottom() - close > lineIn(g_.stripLabel(0), metrics).top())
      return;
    named_ = room.bottom();
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter, at);
  }

  // How the words that several lanes share are labelled, all of a kind in the same way.
  struct Sharing {
    double names = 0;      // the scale at which the lanes' numbers fit; 0: counts are written
    bool inWords = false;  // "8 lanes", or "×8"
  };

  // Of the uses in cells as wide as this one.
  Sharing sharing(const QRectF& cell, const std::vector<const WordUses*>& all) const {
    constexpr double kLeastScale = 0.75, kStep = 0.05;
    const double inner = cell.width() - 2, room = inner + (m_.width - 1) * g_.cellWidth();
    const double most = std::max(inner, room - kBesideEdge);
    const auto names = widest(all, [](const WordUse& use) { return lanesText(use.lanes); });
    const double scale = !names           ? 0
                         : *names <= most ? 1
                                          : std::floor(most / *names / kStep) * kStep;
    if (scale >= kLeastScale) return {scale, true};
    const auto counts = widest(
        all, [](const WordUse& use) { return text("%1 lanes").arg(std::popcount(use.lanes)); });
    return {0, *counts <= most};
  }

  // The width of the widest label of a word that several lanes share; std::nullopt: one has none.
  template <class LabelOf>
  std::optional<double> widest(const std::vector<const WordUses*>& all,
                               const LabelOf& labelOf) const {
    const QFontMetricsF metrics(f_.small);
    double wide = 0;
    for (const WordUses* uses : all) {
      for (const auto& [word, use] : *uses) {
        if (!use.start || std::popcount(use.lanes) == 1) continue;
        const QString label = labelOf(use);
        if (label.isEmpty()) return std::nullopt;
        wide = std::max(wide, metrics.horizontalAdvance(label));
      }
    }
    return wide;
  }

  void word_(const QRectF& cell, std::uint32_t word, const QFontMetricsF& metrics) {
    const double inset = cell.height() > 8 && cell.width() > 8 ? 1.0 : 0.5;
    const QRectF inner = cell.adjusted(inset, inset, -inset, -inset);
    const auto use = pic_.uses.find(word);
    if (use == pic_.uses.end()) {
      for (std::uint32_t part = 0; part < pic_.parts; ++part)
        p_.fillRect(partOf(inner, part), resting(word, part));
      if (pic_.parts > 1) divide(inner);
      return;
    }
    fillUse(inner, use->second, metrics, use->second.start);
  }

  // The place of one element in its word.
  QRectF partOf(const QRectF& word, std::uint32_t part) const {
    const double width = word.width() / pic_.parts;
    return {word.left() + part * width, word.top(), width, word.height()};
  }

  // Marks the elements of a word, at its edges, away from numbers.
  void divide(const QRectF& inner) {
    if (inner.width() < 4.5 * pic_.parts || inner.height() < 6) return;
    const double high = std::max(1.0, std::round(0.2 * inner.height()));
    for (std::uint32_t part = 1; part < pic_.parts; ++part) {
      const double between = std::round(inner.left() + inner.width() * part / pic_.parts);
      p_.fillRect(QRectF(between, inner.top(), 1, high), t_.ground);
      p_.fillRect(QRectF(between, inner.bottom() - high, 1, high), t_.ground);
    }
  }

  void fillUse(const QRectF& inner, const WordUse& use, const QFontMetricsF& metrics, bool label) {
    const QColor colour = t_.lane(m_.warp, use.lane);
    p_.fillRect(inner, colour);
    if (pic_.parts > 1 && !label) divide(inner);
    if (!label || inner.height() < metrics.ascent() * 0.85) return;
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(colour));
    // All lanes that share the word, if they fit; the words of a wide access give their room.
    const QRectF room = inner.adjusted(0, 0, (m_.width - 1) * g_.cellWidth(), 0);
    const int many = std::popcount(use.lanes);
    if (many == 1) return aloneIn(inner, room, lanesText(use.lanes));
    const QFont font = scaledFont(f_.small, sharing_.names > 0 ? sharing_.names : 1);
    const QString lanes = sharing_.names > 0 ? lanesText(use.lanes)
                          : sharing_.inWords ? text("%1 lanes").arg(many)
                                             : QStringLiteral("×%1").arg(many);
    const double need = QFontMetricsF(font).horizontalAdvance(lanes);
    if (need + (need > inner.width() ? kBesideEdge : 0) > room.width() + 1) return;
    p_.setFont(font);
    if (need > inner.width()) {
      // The ground between the words of one access would cut the letters.
      p_.fillRect(QRectF(inner.left(), inner.top(), std::min(room.width(), need + 2 * kBesideEdge),
                         inner.height()),
                  colour);
      p_.drawText(room.adjusted(kBesideEdge, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, lanes);
    } else {
      p_.drawText(inner, Qt::AlignCenter, lanes);
    }
  }

  // The number of one lane, in smaller letters if these are legible.
  void aloneIn(const QRectF& inner, const QRectF& room, const QString& lane) {
    constexpr double kLeast = 0.7;  // of the usual size
    // The width of any lane's number: cells without a number beside one would look empty.
    const double need = QFontMetricsF(f_.small).horizontalAdvance(QStringLiteral("00"));
    QFont font = f_.small;
    if (need > inner.width()) {
      const double scale = inner.width() / need;
      if (scale < kLeast) {
        if (need + kBesideEdge > room.width()) return;
        p_.drawText(room.adjusted(kBesideEdge, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, lane);
        return;
      }
      font = scaledFont(font, scale);
    }
    p_.setFont(font);
    p_.drawText(inner, Qt::AlignCenter, lane);
  }

  // The four 32-byte sectors of a line; fetched ones are framed.
  void sectors(std::size_t r) {
    if (g_.cellHeight() < 10.0) return;  // the frames would cover what they frame
    for (std::uint32_t sector = 0; sector < 4; ++sector) {
      const std::uint32_t first = g_.rows()[r] * kBanks + 8 * sector;
      const auto next = pic_.uses.lower_bound(first);
      if (next == pic_.uses.end() || next->first >= first + 8) continue;
      const QRectF frame = g_.cell(r, 8 * sector) | g_.cell(r, 8 * sector + 7);
      p_.setPen(hairline(t_.text, 1.5));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
    }
  }

  void strips() {
    const QFontMetricsF metrics(f_.small);
    double named = g_.strip(0).top() - metrics.height();  // the end of the last name
    const bool marked = std::ranges::any_of(
        pic_.strips, [](const WavefrontStrip& s) { return s.extra && s.ofMatrix == 0; });
    const double mark = marked ? kMarkWidth * metrics.height() : 0;
    for (std::uint32_t w = 0; w < pic_.strips.size(); ++w) {
      const WavefrontStrip& strip = pic_.strips[w];
      const bool extra = strip.extra;
      p_.fillRect(g_.strip(w).adjusted(0, 1, 0, -1), t_.well);
      if (extra) {
        // Beside the strip, so that no idle bank looks like the cause.
        const QRectF label = g_.stripLabel(w);
        const double wide = strip.ofMatrix > 0 ? 1.1 * metrics.height() : mark - 3;
        const double left = strip.ofMatrix > 0 ? label.left() : label.right() - wide;
        figures::fillTrouble(p_, QRectF(left, label.top() + 1, wide, label.height() - 2), t_);
      }
      p_.setFont(f_.small);
      p_.setPen(extra ? t_.trouble : t_.soft);
      const QRectF room = lineIn(g_.stripLabel(w), metrics).adjusted(0, 0, -mark, 0);
      // Between thin strips, named ones keep a distance.
      if (room.top() + 0.2 * metrics.height() >= named) {
        named = room.bottom();
        p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                    strip.ofMatrix > 0 ? text("matrix %1, %2 of %3")
                                             .arg(strip.matrix + 1)
                                             .arg(strip.inMatrix + 1)
                                             .arg(strip.ofMatrix)
                    : strip.number > 0 ? QString::number(strip.number + 1)
                    : strip.inL1       ? text("in L1  1")
                                       : text("wavefront 1"));
      }
    }
    // The matrices of an ldmatrix are served one after the other.
    for (std::uint32_t w = 1; w < pic_.strips.size(); ++w) {
      if (pic_.strips[w].matrix != pic_.strips[w - 1].matrix)
        p_.fillRect(QRectF(g_.strip(w).left(), g_.strip(w).top() - 0.5, g_.strip(w).width(), 1),
                    t_.faint);
    }
    std::vector<const WordUses*> all;
    for (const WavefrontStrip& strip : pic_.strips) all.push_back(&strip.uses);
    sharing_ = sharing(g_.stripCell(0, 0), all);
    // Right to left, so that a lane's label may reach over the other words of its access.
    for (std::uint32_t w = 0; w < pic_.strips.size(); ++w) {
      const WordUses& uses = pic_.strips[w].uses;
      for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
        fillUse(g_.stripCell(w, use->first % kBanks).adjusted(1, 1.5, -1, -1.5), use->second,
                metrics, use->second.start);
      }
    }
  }

  void selection() {
    const Selection& s = scene_.selection;
    const auto ring = [&](const QRectF& cell) {
      p_.setBrush(Qt::NoBrush);
      p_.setPen(hairline(t_.ground, 4.0));
      p_.drawRect(cell);
      p_.setPen(hairline(t_.accent, 2.0));
      p_.drawRect(cell);
    };
    if (s.thread && *s.thread < scene_.recording->trace.threads) {
      if (pic_.reach) {
        const auto from = g_.cellOfWord(pic_.reach->first), to = g_.cellOfWord(pic_.reach->second);
        if (from && to) ring(*from | *to);
      }
      if (shared_ && *s.thread / kWarpSize == m_.warp) ringInStrips(*s.thread % kWarpSize, ring);
    }
    if (shared_ && s.word && s.word->array == m_.instruction.array) {
      const std::uint32_t word =
          analysis::wordOfElement(scene_.recording->trace.arrays[s.word->array], s.word->index);
      if (const auto cell = g_.cellOfWord(pic_.layout ? pic_.layout->moved(word) : word))
        ring(partOf(*cell, s.word->index % pic_.parts));
    }
    if (!shared_ && s.element &&
        static_cast<std::uint32_t>(s.element->matrix) == m_.instruction.array) {
      const std::uint32_t columns = scene_.recording->trace.arrays[m_.instruction.array].columns;
      const auto at = static_cast<std::uint32_t>(s.element->row * columns + s.element->column);
      if (const auto cell = g_.cellOfWord(at / pic_.parts)) ring(partOf(*cell, at % pic_.parts));
    }
  }

  // The words of one lane in the wavefronts that serve it.
  template <class Ring>
  void ringInStrips(std::uint32_t lane, const Ring& ring) {
    if ((m_.instruction.mask >> lane & 1u) == 0) return;
    for (std::uint32_t w = 0; w < pic_.strips.size(); ++w) {
      QRectF reach;
      for (const auto& [word, use] : pic_.strips[w].uses) {
        if ((use.lanes >> lane & 1u) != 0) reach |= g_.stripCell(w, word % kBanks);
      }
      if (!reach.isEmpty()) ring(reach.adjusted(0, 1, 0, -1));
    }
  }

  void footer() {
    const Tone tone = pic_.verdict.tone;
    p_.setFont(f_.body);
    p_.setPen(tone == Tone::Trouble ? t_.trouble : tone == Tone::Good ? t_.good : t_.soft);
    QRectF room = pic_.frame.footer;
    room.moveTop(std::min(room.top(), g_.bottom() + room.height() * 0.15));
    if (room.height() < 1.5 * QFontMetricsF(f_.body).height())
      return words(room, Qt::AlignLeft, pic_.verdict.text);
    p_.setFont(f_.small);
    drawWrapped(p_, room, Qt::AlignLeft | Qt::AlignTop, unbroken(pic_.verdict.text));
  }

  struct KeyEntry {
    QColor colour;
    QString name, brief;
  };
  std::vector<KeyEntry> keyEntries() const {
    if (shared_) return {{t_.well, pic_.grey, pic_.grey}};
    const QColor hue = t_.matrix(static_cast<analysis::Matrix>(m_.instruction.array));
    return {{t_.lane(m_.warp, 24), text("touched, by the lane of that shade"), text("touched")},
            {Theme::mix(hue, t_.ground, kFetched), text("of the same sector, fetched with it"),
             text("same sector")},
            {Theme::mix(hue, t_.ground, kUnfetched), text("not fetched"), text("not fetched")}};
  }

  // What the colours mean; in short words, if the others do not fit.
  void key() {
    const QFontMetricsF metrics(f_.small);
    const auto entries = keyEntries();
    QRectF room = pic_.frame.key;
    room.moveTop(std::min(room.top(), g_.bottom() + pic_.frame.footer.height() +
                                          0.2 * QFontMetricsF(f_.body).height()));
    const double box = 0.75 * metrics.height();
    double wide = 0;
    for (const KeyEntry& entry : entries)
      wide += 1.5 * box + metrics.horizontalAdvance(entry.name) + 1.5 * metrics.height();
    const bool brief = wide - 1.5 * metrics.height() > room.width();
    p_.setFont(f_.small);
    for (const KeyEntry& entry : entries) {
      const QString& name = brief ? entry.brief : entry.name;
      const double width = metrics.horizontalAdvance(name);
      if (room.width() < 1.5 * box + width) return;
      p_.fillRect(QRectF(room.left(), room.center().y() - box / 2, box, box), entry.colour);
      p_.setPen(t_.soft);
      p_.drawText(room.adjusted(1.5 * box, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
      room.setLeft(room.left() + 1.5 * box + width + (brief ? 0.8 : 1.5) * metrics.height());
    }
  }

  QPainter& p_;
  const BankPicture& pic_;
  const BankGeometry& g_;
  const Scene& scene_;
  const Moment& m_;
  const Theme& t_;
  const Fonts& f_;
  bool shared_;
  std::optional<double> named_;  // the end of the last row's name
  Sharing sharing_;              // of the words that are painted now
};

}  // namespace

void paintBanks(QPainter& painter, const BankPicture& picture, const Scene& scene,
                const Theme& theme, const Fonts& fonts) {
  if (picture.product) {
    paintOperandBanks(painter, *picture.product, picture.frame.header, picture.frame.footer, scene,
                      theme, fonts);
    return;
  }
  if (!picture.access) {
    const bool split = !picture.verdict.text.isEmpty();
    painter.setFont(fonts.body);
    painter.setPen(split ? theme.trouble : theme.faint);
    // The threads of such a rung need not access shared memory at all.
    const bool byItself = scene.ready() && scene.recording->trace.features().warpgroupMma;
    const QString none = byItself
                             ? text(
                                   "The tensor cores of this rung read shared memory directly: the "
                                   "threads of this warp have not accessed it yet.")
                             : text("This warp has not accessed memory yet.");
    drawWrapped(painter, picture.frame.canvas, Qt::AlignCenter,
                split ? picture.verdict.text : none);
    return;
  }
  BankPainter(painter, picture, scene, theme, fonts).paint();
}

}  // namespace tileloom
