// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "viz/base/describe.h"
#include "viz/base/marks.h"
#include "viz/base/painted_view.h"

namespace tileloom {
namespace {

using analysis::kBanks;
using analysis::Moment;
using emulator::kWarpSize;

QString text(const char* source, int n = -1) {
  return QCoreApplication::translate("tileloom::Banks", source, nullptr, n);
}

// What the access does to one word.
struct WordUse {
  std::uint32_t lane = 0;   // the first that touches it
  std::uint32_t lanes = 0;  // all of them, as a mask
  bool start = false;       // the first word of that lane's access
};

std::map<std::uint32_t, WordUse> usesOf(const Moment& m) {
  std::map<std::uint32_t, WordUse> uses;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((m.instruction.mask >> lane & 1u) == 0) continue;
    for (std::uint32_t w = 0; w < m.width; ++w) {
      auto [entry, isNew] = uses.try_emplace(m.addresses[lane] + w);
      WordUse& use = entry->second;
      if (isNew) {
        use.lane = lane;
        use.start = w == 0;
      }
      use.lanes |= 1u << lane;
    }
  }
  return uses;
}

// "5", "0–15" for neighbours, "0,4" for two, "0,4,8…" for more.
QString lanesText(std::uint32_t lanes) {
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  const int last = 31 - std::countl_zero(lanes);
  if (count > 1 && last - first + 1 == count) return QStringLiteral("%1–%2").arg(first).arg(last);
  QString text;
  int named = 0;
  for (int lane = first; lane <= last && named < 3; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    text += (named++ == 0 ? QString() : QStringLiteral(",")) + QString::number(lane);
  }
  return count > named ? text + QStringLiteral("…") : text;
}

class BankPainter {
 public:
  BankPainter(QPainter& painter, const BankFrame& frame, const BankGeometry& geometry,
              const Scene& scene, const Moment& moment, const Theme& theme, const Fonts& fonts)
      : p_(painter),
        frame_(frame),
        g_(geometry),
        scene_(scene),
        m_(moment),
        t_(theme),
        f_(fonts),
        shared_(emulator::isShared(moment.instruction.kind)),
        uses_(usesOf(moment)) {}

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
    p_.restore();
  }

 private:
  void header() {
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    const QString title = shared_ ? text("Shared memory banks") : text("Global memory lines");
    p_.drawText(frame_.header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const bool past = m_.index != scene_.moment.index;
    const QString what = (past ? text("latest access: ") : QString()) + describeMoment(m_);
    p_.setFont(f_.body);
    p_.setPen(t_.soft);
    const double used = QFontMetricsF(f_.title).horizontalAdvance(title) + 24;
    const QRectF room = frame_.header.adjusted(used, 0, 0, 0);
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                QFontMetricsF(f_.body).elidedText(what, Qt::ElideRight, room.width()));
  }

  void bankNumbers() {
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    const double need = QFontMetricsF(f_.small).horizontalAdvance(QStringLiteral("00")) + 2;
    const std::uint32_t step = g_.cellWidth() >= need ? 1 : 4;
    for (std::uint32_t bank = 0; bank < kBanks; bank += step) {
      QRectF label = g_.bankLabel(bank);
      if (step > 1) label.setWidth(need + 4);
      // In global memory the columns are bytes of a line, not banks.
      constexpr int kLeft = Qt::AlignLeft | Qt::AlignVCenter;
      constexpr int kMiddle = Qt::AlignHCenter | Qt::AlignVCenter;
      const bool crowded = shared_ && (m_.served.crowded >> bank & 1u) != 0;
      p_.setPen(crowded ? t_.trouble : t_.faint);
      const QString number = shared_     ? QString::number(bank)
                             : bank == 0 ? text("byte 0")
                                         : QString::number(4 * bank);
      if (!shared_ && bank == 0) label.setWidth(label.width() * 3);
      p_.drawText(label, step > 1 || (!shared_ && bank == 0) ? kLeft : kMiddle, number);
      if (!shared_ && step == 1) bank += 3;
    }
  }

  QColor resting(std::uint32_t word) const {
    if (!shared_) {
      // A sector that is fetched for any of its words is stronger than the rest of its line.
      const auto next = uses_.lower_bound(word / 8 * 8);
      const bool fetched = next != uses_.end() && next->first < word / 8 * 8 + 8;
      return Theme::mix(t_.matrix(static_cast<analysis::Matrix>(m_.instruction.array)), t_.ground,
                        fetched ? 0.55 : 0.86);
    }
    const std::uint32_t base = scene_.recording->trace.arrays[m_.instruction.array].base;
    const std::uint32_t index = word - base;
    if (word < base || index >= contents_.size() || !contents_[index].isElement()) return t_.well;
    const auto matrix =
        static_cast<analysis::Matrix>(static_cast<int>(contents_[index].source()) - 1);
    return Theme::mix(t_.matrix(matrix), t_.ground, 0.80);
  }

  void rows() {
    if (shared_) contents_ = scene_.recording->contents(m_.instruction.array, m_.warp, m_.index);
    const QFontMetricsF metrics(f_.small);
    for (std::size_t r = 0; r < g_.shownRows(); ++r) {
      rowLabel(r);
      for (std::uint32_t bank = kBanks; bank-- > 0;) {  // a lane's label may reach to the right
        const std::uint32_t word = g_.rows()[r] * kBanks + bank;
        word_(g_.cell(r, bank), word, metrics);
      }
      if (!shared_) sectors(r);
    }
  }

  void rowLabel(std::size_t r) {
    const auto& array = scene_.recording->trace.arrays[m_.instruction.array];
    const std::uint32_t first = g_.rows()[r] * kBanks;
    const QFontMetricsF metrics(f_.small);
    const bool gap = r > 0 && g_.rows()[r] != g_.rows()[r - 1] + 1;
    if (gap && g_.cellHeight() >= 8.0) {
      p_.setPen(hairline(t_.faint, 1.0));
      const QRectF left = g_.cell(r, 0);
      p_.drawLine(left.topLeft(), g_.cell(r, kBanks - 1).topRight());
    }
    if (g_.cellHeight() < metrics.height() * 0.8 && r % 4 != 0) return;
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    const QString at = shared_
                           ? QStringLiteral("%1[%2]")
                                 .arg(QString::fromStdString(array.name))
                                 .arg(first - array.base)
                           : describeElement({static_cast<analysis::Matrix>(m_.instruction.array),
                                              first / std::max(1u, array.columns),
                                              first % std::max(1u, array.columns)});
    QRectF room = g_.rowLabel(r);
    room.setTop(room.center().y() - metrics.height() / 2);
    room.setHeight(metrics.height());
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter, at);
  }

  void word_(const QRectF& cell, std::uint32_t word, const QFontMetricsF& metrics) {
    const double inset = cell.height() > 8 && cell.width() > 8 ? 1.0 : 0.5;
    const QRectF inner = cell.adjusted(inset, inset, -inset, -inset);
    const auto use = uses_.find(word);
    if (use == uses_.end()) {
      p_.fillRect(inner, resting(word));
      return;
    }
    fillUse(inner, use->second, metrics, use->second.start);
  }

  void fillUse(const QRectF& inner, const WordUse& use, const QFontMetricsF& metrics, bool label) {
    const QColor colour = t_.lane(m_.warp, use.lane);
    p_.fillRect(inner, colour);
    if (!label || inner.height() < metrics.ascent() * 0.85) return;
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(colour));
    // All lanes that share the word, if there is room to say so; the words of a wide access lend
    // theirs.
    const QRectF room = inner.adjusted(0, 0, (m_.width - 1) * g_.cellWidth(), 0);
    const QString one = QString::number(use.lane);
    const QString more = std::popcount(use.lanes) > 1 ? one + QStringLiteral("…") : one;
    for (const QString& lanes : {lanesText(use.lanes), more, one}) {
      const double need = metrics.horizontalAdvance(lanes);
      if (need > room.width()) continue;
      if (need > inner.width()) {
        p_.drawText(room.adjusted(3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, lanes);
      } else {
        p_.drawText(inner, Qt::AlignCenter, lanes);
      }
      return;
    }
  }

  // The four 32-byte sectors of a line; those that are fetched are framed.
  void sectors(std::size_t r) {
    if (g_.cellHeight() < 10.0) return;  // the frames would cover what they frame
    for (std::uint32_t sector = 0; sector < 4; ++sector) {
      const std::uint32_t first = g_.rows()[r] * kBanks + 8 * sector;
      const auto next = uses_.lower_bound(first);
      if (next == uses_.end() || next->first >= first + 8) continue;
      const QRectF frame = g_.cell(r, 8 * sector) | g_.cell(r, 8 * sector + 7);
      p_.setPen(hairline(t_.text, 1.5));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
    }
  }

  void strips() {
    const QFontMetricsF metrics(f_.small);
    for (std::uint32_t w = 0; w < g_.shownStrips(); ++w) {
      const bool extra = (m_.served.extra >> w & 1u) != 0;
      p_.fillRect(g_.strip(w).adjusted(0, 1, 0, -1), t_.well);
      if (extra) {
        // Beside the strip, where no idle bank can be taken for a guilty one.
        const QRectF label = g_.stripLabel(w);
        figures::fillTrouble(
            p_, QRectF(label.left(), label.top() + 1, label.width() * 0.62, label.height() - 2),
            t_);
      }
      p_.setFont(f_.small);
      p_.setPen(extra ? t_.trouble : t_.soft);
      if (g_.cellHeight() >= metrics.height() * 0.8 || w % 4 == 0) {
        QRectF room = g_.stripLabel(w);
        room.setTop(room.center().y() - metrics.height() / 2);
        room.setHeight(metrics.height());
        p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                    w == 0 ? text("wavefront 1") : QString::number(w + 1));
      }
    }
    // Right to left, so that a lane's label may reach over the other words of its access.
    for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) stripWord(use->first, metrics);
  }

  // A word that lanes of different groups touch is served once in each of their wavefronts.
  void stripWord(std::uint32_t word, const QFontMetricsF& metrics) {
    std::map<std::uint32_t, WordUse> served;  // by wavefront
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((m_.instruction.mask >> lane & 1u) == 0) continue;
      if (word < m_.addresses[lane] || word >= m_.addresses[lane] + m_.width) continue;
      const std::uint32_t w = word - m_.addresses[lane];
      const std::uint32_t wavefront = m_.served.servedIn[lane * analysis::kMostWidth + w];
      if (wavefront >= g_.shownStrips()) continue;
      auto [entry, isNew] = served.try_emplace(wavefront);
      if (isNew) entry->second.lane = lane, entry->second.start = w == 0;
      entry->second.lanes |= 1u << lane;
    }
    for (const auto& [wavefront, use] : served) {
      fillUse(g_.stripCell(wavefront, word % kBanks).adjusted(1, 1.5, -1, -1.5), use, metrics,
              use.start);
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
      if (const auto reach = reachOf(*s.thread)) {
        const auto from = g_.cellOfWord(reach->first), to = g_.cellOfWord(reach->second);
        if (from && to) ring(*from | *to);
      }
      if (shared_ && *s.thread / kWarpSize == m_.warp) ringInStrips(*s.thread % kWarpSize, ring);
    }
    if (shared_ && s.word && s.word->array == m_.instruction.array) {
      const std::uint32_t base = scene_.recording->trace.arrays[s.word->array].base;
      if (const auto cell = g_.cellOfWord(base + s.word->index)) ring(*cell);
    }
    if (!shared_ && s.element &&
        static_cast<std::uint32_t>(s.element->matrix) == m_.instruction.array) {
      const std::uint32_t columns = scene_.recording->trace.arrays[m_.instruction.array].columns;
      if (const auto cell = g_.cellOfWord(
              static_cast<std::uint32_t>(s.element->row * columns + s.element->column))) {
        ring(*cell);
      }
    }
  }

  // The words of one lane in the wavefronts that serve it.
  template <class Ring>
  void ringInStrips(std::uint32_t lane, const Ring& ring) {
    if ((m_.instruction.mask >> lane & 1u) == 0) return;
    std::map<std::uint32_t, QRectF> reach;  // by wavefront
    for (std::uint32_t w = 0; w < m_.width; ++w) {
      const std::uint32_t wavefront = m_.served.servedIn[lane * analysis::kMostWidth + w];
      if (wavefront >= g_.shownStrips()) continue;
      reach[wavefront] |= g_.stripCell(wavefront, (m_.addresses[lane] + w) % kBanks);
    }
    for (const auto& [wavefront, cells] : reach) ring(cells.adjusted(0, 1, 0, -1));
  }

  // First and last word that a thread touches by this instruction; for a thread of another warp, by
  // that warp's instruction of the same number.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> reachOf(std::uint32_t thread) const {
    const std::uint32_t warp = thread / kWarpSize, lane = thread % kWarpSize;
    const auto reach =
        [&](const Moment& m) -> std::optional<std::pair<std::uint32_t, std::uint32_t>> {
      if (m.width == 0 || (m.instruction.mask >> lane & 1u) == 0) return std::nullopt;
      return std::pair{m.addresses[lane], m.addresses[lane] + m.width - 1};
    };
    if (warp == m_.warp) return reach(m_);
    if (m_.index >= scene_.recording->trace.length(warp)) return std::nullopt;
    const Moment other = scene_.recording->moment(warp, m_.index);
    if (other.instruction.kind != m_.instruction.kind || other.array != m_.array)
      return std::nullopt;
    return reach(other);
  }

  // "thread 83 touches As[640]", where a hovered thread's words are not in sight.
  QString elsewhere() const {
    const auto& thread = scene_.selection.thread;
    if (!thread || *thread >= scene_.recording->trace.threads) return {};
    const auto reach = reachOf(*thread);
    if (!reach || g_.cellOfWord(reach->first)) return {};
    const auto& array = scene_.recording->trace.arrays[m_.instruction.array];
    if (!shared_) return {};
    return text(" · thread %1 touches %2[%3]")
        .arg(*thread)
        .arg(QString::fromStdString(array.name))
        .arg(reach->first - array.base);
  }

  QString sharedVerdict() const {
    const auto& w = m_.served;
    QString line = counted(w.count, text("1 wavefront"), text("%1 wavefronts"));
    if (w.conflicts() > 0) {
      line =
          text("%1-way bank conflict: %2 where %3 would do").arg(w.degree).arg(line).arg(w.ideal);
    } else {
      line += text(", the ideal: no bank conflict");
    }
    if (m_.instruction.kind == emulator::Kind::AsyncCopy && m_.copied.wavefronts > w.count) {
      return line + text(" in shared memory · L1, where the copied floats share banks, makes it %1")
                        .arg(m_.copied.wavefronts);
    }
    // Why more than one wavefront can be ideal.
    if (m_.width > 1) {
      const int lanes = static_cast<int>(32 / m_.width);
      line += text(" · %1 bits are served %2 lanes at a time").arg(32 * m_.width).arg(lanes);
      if (static_cast<int>(w.lanesAtOnce) != lanes) {
        line += text(", %1 here: lanes share addresses in pairs").arg(w.lanesAtOnce);
      }
    }
    const auto lanes = lanesPerWord();
    if (lanes > 1) line += text(" · broadcast to up to %1 lanes").arg(lanes);
    return line;
  }

  QString globalVerdict() const {
    const auto& moved = m_.moved;
    QString line = counted(moved.sectors, text("1 sector"), text("%1 sectors")) +
                   text(" of 32 bytes for one request");
    if (moved.sectors > moved.idealSectors()) {
      line += text(", %1 would do · %2 of %3 bytes used")
                  .arg(moved.idealSectors())
                  .arg(moved.usefulBytes)
                  .arg(moved.fetchedBytes());
    } else {
      line += text(", the fewest possible");
    }
    const auto lanes = lanesPerWord();
    if (lanes > 1) line += text(" · broadcast to up to %1 lanes").arg(lanes);
    return line;
  }

  void footer() {
    QString line;
    QColor colour = t_.soft;
    if (m_.follower) {
      line =
          text("this load was merged into an earlier one: the hardware does not execute it again");
    } else if (shared_) {
      line = sharedVerdict();
      colour = m_.served.conflicts() + m_.copied.conflicts == 0 ? t_.good : t_.trouble;
    } else {
      line = globalVerdict();
      colour = m_.moved.sectors > m_.moved.idealSectors() ? t_.trouble : t_.good;
    }
    line += elsewhere();
    const std::size_t hidden = g_.rows().size() - g_.shownRows();
    if (hidden > 0)
      line +=
          counted(static_cast<qlonglong>(hidden), text(" · 1 more row"), text(" · %1 more rows"));
    if (shared_ && g_.shownStrips() < m_.served.count) {
      line += text(" · %1 more wavefronts").arg(m_.served.count - g_.shownStrips());
    }
    p_.setFont(f_.body);
    p_.setPen(colour);
    QRectF room = frame_.footer;
    room.moveTop(std::min(room.top(), g_.bottom() + room.height() * 0.15));
    p_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                QFontMetricsF(f_.body).elidedText(line, Qt::ElideRight, room.width()));
  }

  int lanesPerWord() const {
    int most = 0;
    for (const auto& [word, use] : uses_) most = std::max(most, std::popcount(use.lanes));
    return most;
  }

  QPainter& p_;
  const BankFrame& frame_;
  const BankGeometry& g_;
  const Scene& scene_;
  const Moment& m_;
  const Theme& t_;
  const Fonts& f_;
  bool shared_;
  std::map<std::uint32_t, WordUse> uses_;
  std::vector<emulator::Provenance> contents_;
};

}  // namespace

const Moment* bankMoment(const Scene& scene) {
  return scene.ready() && scene.access ? &*scene.access : nullptr;
}

Selection bankSelection(const Scene& scene, std::uint32_t word) {
  Selection selection;
  const analysis::Moment* m = bankMoment(scene);
  if (m == nullptr) return selection;
  const auto& array = scene.recording->trace.arrays[m->instruction.array];
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const bool active = (m->instruction.mask >> lane & 1u) != 0;
    if (active && word >= m->addresses[lane] && word < m->addresses[lane] + m->width) {
      selection.thread = m->warp * emulator::kWarpSize + lane;
      break;
    }
  }
  if (array.space == emulator::Space::Shared) {
    // A row may show words of the neighbouring array as well.
    for (std::uint32_t a = emulator::kFirstShared; a < scene.recording->trace.arrays.size(); ++a) {
      const auto& candidate = scene.recording->trace.arrays[a];
      if (word >= candidate.base && word < candidate.base + candidate.elements) {
        selection.word = analysis::SharedWord{a, word - candidate.base};
      }
    }
  } else {
    selection.element = analysis::Element{static_cast<analysis::Matrix>(m->instruction.array),
                                          word / array.columns, word % array.columns};
  }
  return selection;
}

BankFrame BankFrame::of(const QRectF& whole, const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.body).height();
  const QRectF inner = whole.adjusted(line * 0.7, line * 0.3, -line * 0.7, -line * 0.3);
  BankFrame f;
  f.header =
      QRectF(inner.left(), inner.top(), inner.width(), QFontMetricsF(fonts.title).height() * 1.3);
  f.footer = QRectF(inner.left(), inner.bottom() - line * 1.3, inner.width(), line * 1.3);
  f.canvas = QRectF(inner.left(), f.header.bottom(), inner.width(),
                    std::max(1.0, f.footer.top() - f.header.bottom()));
  return f;
}

BankGeometry bankGeometry(const Scene& scene, const BankFrame& frame, const Fonts& fonts) {
  const Moment* m = bankMoment(scene);
  if (m == nullptr) return {};
  const QFontMetricsF small(fonts.small);
  const auto& trace = scene.recording->trace;
  const bool shared = emulator::isShared(m->instruction.kind);
  BankInput input;
  input.canvas = frame.canvas;
  input.text = small.height() * 1.15;
  input.leftLabel = small.horizontalAdvance(QStringLiteral("wavefront 12"));
  input.rightLabel = 2;
  input.words = shared ? (trace.sharedBytes / 4) : trace.arrays[m->instruction.array].elements;
  // A quiet neighbourhood around the touched words, as far as there is room for it.
  constexpr double kQuietRows = 8;
  const double room = frame.canvas.height() / (1.5 * input.text) - m->served.count - 2;
  const auto least = static_cast<std::uint32_t>(std::clamp(room, 2.0, kQuietRows));
  input.rows = BankGeometry::rowsOf(*m, input.words, shared ? least : 1);
  input.strips = shared ? m->served.count : 0;
  return BankGeometry(input);
}

void paintBanks(QPainter& painter, const BankFrame& frame, const BankGeometry& geometry,
                const Scene& scene, const Theme& theme, const Fonts& fonts) {
  const Moment* m = bankMoment(scene);
  if (m == nullptr) {
    painter.setFont(fonts.body);
    painter.setPen(theme.faint);
    painter.drawText(frame.canvas, Qt::AlignCenter, text("This warp has not touched memory yet."));
    return;
  }
  BankPainter(painter, frame, geometry, scene, *m, theme, fonts).paint();
}

}  // namespace tileloom
