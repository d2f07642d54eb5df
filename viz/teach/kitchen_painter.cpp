// SPDX-License-Identifier: GPL-3.0-or-later
// One SM as a kitchen: four stations, each with its teams.
#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/teach/teach_parts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

using namespace teach;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Kitchen)
};

constexpr int kStations = Architecture::kPartitions;

// A warp on the SM: its block, and its number in that block.
struct Team {
  int block = 0, warp = 0;
};

// The teams of one station, those of the shown block first, assigned by number. NVIDIA does not
// document which scheduler a warp gets.
std::vector<Team> teamsAt(const TeachData& data, int station) {
  std::vector<Team> teams;
  const int warps = data.derived.warps;
  for (int block = 0; block < std::max(1, data.blocks); ++block) {
    for (int warp = 0; warp < warps; ++warp) {
      if ((block * warps + warp) % kStations == station) teams.push_back({block, warp});
    }
  }
  return teams;
}

// The first of several texts, each shorter than the one before, that fits; else the last one.
QString firstThatFits(const QStringList& texts, const QFontMetricsF& metrics, double width) {
  const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
  const auto found = std::ranges::find_if(texts, fits);
  return found == texts.end() ? texts.back() : *found;
}

QStringList namesOf(const Team& team) {
  if (team.block == 0)
    return {Words::tr("team %1 = warp %1").arg(team.warp), Words::tr("warp %1").arg(team.warp)};
  return {Words::tr("block %1's warp %2").arg(team.block + 1).arg(team.warp),
          Words::tr("%1: warp %2").arg(team.block + 1).arg(team.warp)};
}

// A card of the shown block: words, and a picture of what the team owns beside or below them.
class CardPainter {
 public:
  CardPainter(QPainter& p, const TeachData& data, const Team& team, const Theme& theme,
              const Fonts& fonts)
      : p_(p),
        data_(data),
        theme_(theme),
        fonts_(fonts),
        small_(fonts.small),
        body_(fonts.body),
        warp_(static_cast<std::uint32_t>(team.warp)),
        names_(namesOf(team)),
        owned_(ownedText(data, warp_)) {}

  void paint(const QRectF& box) {
    const QRectF in = box.adjusted(6, 5, -6, -5);
    // Words keep their width if possible; the picture gets the rest.
    const double wide =
        std::max(body_.horizontalAdvance(names_.front()), small_.horizontalAdvance(cooks_.front()));
    QRectF beside = in;
    beside.setWidth(std::min(0.45 * in.width(), std::max(0.2 * in.width(), in.width() - wide - 8)));
    QRectF below = in;
    below.setTop(in.top() + heightOfWords(in.width()) + 6);
    if (sizeIn(below) > sizeIn(beside)) {
      paintOwned(p_, below, data_, warp_, std::nullopt, theme_);
      return words(QRectF(in.topLeft(), QPointF(in.right(), below.top())));
    }
    const QRectF place = paintOwned(p_, beside, data_, warp_, std::nullopt, theme_);
    words(QRectF(QPointF(place.right() + 8, in.top()), in.bottomRight()));
  }

 private:
  double head() const { return body_.height() + small_.height(); }
  double heightOfOwned(double width) const {
    return small_.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, owned_).height();
  }
  double heightOfWords(double width) const { return head() + heightOfOwned(width); }

  // The size of an element of C in a picture in this box.
  double sizeIn(const QRectF& box) const {
    const auto& c = data_.recording->map.c;
    if (c.rows <= 0 || c.columns <= 0) return 0;
    return std::min(box.width() / double(c.columns), box.height() / double(c.rows));
  }

  void words(const QRectF& box) {
    const double line = small_.height();
    QRectF row(box.left(), box.top(), box.width(), body_.height());
    paintLine(p_, row, Qt::AlignLeft, firstThatFits(names_, body_, box.width()), fonts_.body,
              theme_.text);
    row = QRectF(box.left(), row.bottom(), box.width(), line);
    paintLine(p_, row, Qt::AlignLeft, firstThatFits(cooks_, small_, box.width()), fonts_.small,
              theme_.soft);
    row = QRectF(box.left(), row.bottom(), box.width(), box.bottom() - row.bottom());
    if (row.height() + 1 < heightOfOwned(box.width())) {
      if (row.height() >= line)
        paintLine(p_, row, Qt::AlignLeft, owned_, fonts_.small, theme_.soft);
      return;
    }
    p_.setFont(fonts_.small);
    p_.setPen(theme_.soft);
    p_.drawText(row, Qt::AlignLeft | Qt::TextWordWrap | Qt::TextDontClip, owned_);
  }

  QPainter& p_;
  const TeachData& data_;
  const Theme& theme_;
  const Fonts& fonts_;
  QFontMetricsF small_, body_;
  std::uint32_t warp_;
  QStringList names_, cooks_{Words::tr("32 cooks = threads"), Words::tr("32 threads")};
  QString owned_;
};

void paintTeam(QPainter& p, const QRectF& box, const TeachData& data, const Team& team,
               const Theme& theme, const Fonts& fonts) {
  const bool ours = team.block == 0;
  const auto warp = static_cast<std::uint32_t>(team.warp);
  const QColor hue = theme.warp(warp);
  const bool watched = ours && warp == data.warp;
  p.setBrush(ours ? QBrush(Theme::mix(theme.panel, hue, 0.25)) : QBrush(Qt::NoBrush));
  p.setPen(QPen(ours ? hue : theme.line, watched ? 2.5 : 1, ours ? Qt::SolidLine : Qt::DashLine));
  p.drawRoundedRect(box, 6, 6);
  const QFontMetricsF small(fonts.small);
  if (ours && box.height() >= 2.4 * small.height())
    return CardPainter(p, data, team, theme, fonts).paint(box);
  paintLine(p, box.adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
            firstThatFits(namesOf(team), small, box.width() - 16), fonts.small,
            ours ? theme.text : theme.soft);
}

QStringList shelfTexts(int used) {
  const QString these = figures::grouped(used),
                all = figures::grouped(Architecture::kRegistersPerPartition);
  return {Words::tr("shelf: %1 of %2 registers").arg(these, all),
          Words::tr("%1 of %2 registers").arg(these, all), Words::tr("%1 of %2").arg(these, all)};
}

}  // namespace

void paintKitchen(QPainter& painter, const QRectF& canvas, const TeachData& data,
                  const Theme& theme, const Fonts& fonts) {
  if (data.recording == nullptr)
    return paintNothing(painter, canvas, Words::tr("Nothing is recorded yet."), theme, fonts);
  painter.setRenderHint(QPainter::Antialiasing);
  const int blocks = std::max(1, data.blocks), warps = data.derived.warps;
  const QRectF room = paintHead(
      painter, canvas,
      Words::tr("One SM is a kitchen with %1 stations: it has room for %2 teams of 32 cooks")
          .arg(kStations)
          .arg(blocks * warps),
      Words::tr("A station is a warp scheduler: each cycle it gives one of its teams one "
                "instruction. A team is a warp. The SM has room for %1 of this kernel%2. Here "
                "teams are assigned by number; the hardware's rule is not documented.")
          .arg(blocks == 1 ? Words::tr("1 block") : Words::tr("%1 blocks").arg(blocks),
               data.limitedBy.isEmpty() ? QString()
                                        : Words::tr(", limited by %1").arg(data.limitedBy)),
      theme, fonts);
  const double line = QFontMetricsF(fonts.small).height();
  const double foot = 2 * line + 12, shelf = 2 * line + 4, gap = 12;
  const double width = (room.width() - (kStations - 1) * gap) / kStations;
  const QRectF stations(room.left(), room.top(), room.width(), room.height() - foot - 8);
  // Of one partition of the register file.
  const int perWarp = (data.registers * 32 + Architecture::kRegisterUnit - 1) /
                      Architecture::kRegisterUnit * Architecture::kRegisterUnit;
  for (int s = 0; s < kStations; ++s) {
    const QRectF box(stations.left() + s * (width + gap), stations.top(), width, stations.height());
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 8, 8);
    paintLine(painter, QRectF(box.left() + 10, box.top() + 6, width - 20, line), Qt::AlignLeft,
              firstThatFits(
                  {Words::tr("station %1 = scheduler %1").arg(s), Words::tr("scheduler %1").arg(s)},
                  QFontMetricsF(fonts.body), width - 20),
              fonts.body, theme.soft);
    const std::vector<Team> teams = teamsAt(data, s);
    const QRectF list(box.left() + 8, box.top() + line + 12, width - 16,
                      box.height() - line - shelf - 26);
    const auto ours = std::ranges::count(teams, 0, &Team::block);
    const auto others = static_cast<std::ptrdiff_t>(teams.size()) - ours;
    // Those of other blocks need a line each; the shown block's have the rest.
    const double low = line + 6;
    const double most =
        list.height() - static_cast<double>(std::min<std::ptrdiff_t>(others, 4)) * low;
    const double high =
        ours > 0 ? std::clamp(most / static_cast<double>(ours) - 6, low, 12 * line) : low;
    double y = list.top();
    std::size_t shown = 0;
    for (const Team& team : teams) {
      const double tall = team.block == 0 ? high : low - 4;
      const bool last = shown + 1 == teams.size();
      if (y + tall + (last ? 0 : low) > list.bottom()) break;
      paintTeam(painter, QRectF(list.left(), y, list.width(), tall), data, team, theme, fonts);
      y += tall + 6;
      ++shown;
    }
    if (shown < teams.size()) {
      paintLine(painter, QRectF(list.left(), y, list.width(), line), Qt::AlignLeft,
                Words::tr("and %1 more").arg(teams.size() - shown), fonts.small, theme.soft);
    }
    const int used = perWarp * static_cast<int>(teams.size());
    paintBar(painter, QRectF(box.left() + 10, box.bottom() - shelf - 8, width - 20, shelf),
             static_cast<double>(used) / Architecture::kRegistersPerPartition,
             firstThatFits(shelfTexts(used), QFontMetricsF(fonts.small), width - 20),
             theme.matrix(analysis::Matrix::C), theme, fonts);
  }
  const int shared = data.sharedBytes * blocks;
  paintBar(
      painter, QRectF(room.left(), room.bottom() - foot + 6, room.width(), foot - 10),
      data.sharedPerSm > 0 ? static_cast<double>(shared) / data.sharedPerSm : 0,
      Words::tr("the table that a block's teams share = shared memory: %1 of %2 KiB for %3 · "
                "%4 registers per thread (%5)")
          .arg(figures::grouped(shared / 1024.0, 1), figures::grouped(data.sharedPerSm / 1024.0, 0))
          .arg(counted(blocks, Words::tr("1 block"), Words::tr("%1 blocks")))
          .arg(data.registers)
          .arg(data.registersSource),
      theme.matrix(analysis::Matrix::A), theme, fonts);
}

}  // namespace tileloom
