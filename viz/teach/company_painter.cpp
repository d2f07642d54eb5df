// SPDX-License-Identifier: GPL-3.0-or-later
// A launch as a company: departments, teams and workers are blocks, warps and threads, each with
// its own patch of C.
#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/teach/teach_parts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

using namespace teach;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Company)
};

constexpr int kLanes = 32, kMostTeams = 8;

// A straight tree: down from the parent's foot, across, and down to each child's head.
void join(QPainter& p, const QPointF& parent, const std::vector<QPointF>& children,
          const Theme& theme) {
  p.setPen(QPen(theme.faint, 1.5));
  const double middle = (parent.y() + children.front().y()) / 2;
  p.drawLine(parent, QPointF(parent.x(), middle));
  for (const QPointF& child : children) {
    p.drawLine(QPointF(parent.x(), middle), QPointF(child.x(), middle));
    p.drawLine(QPointF(child.x(), middle), child);
  }
}

struct Card {
  QRectF box;
  QString title, line, second;
  bool dashed = false, chosen = false;
  QString brief = {};  // instead of the title where that has no room
};

// Its words are to the right of the map.
void paintCard(QPainter& p, const Card& card, const TeachData& data,
               std::optional<std::uint32_t> warp, std::optional<std::uint32_t> thread,
               const Theme& theme, const Fonts& fonts) {
  p.setBrush(theme.panel);
  p.setPen(QPen(card.chosen ? theme.accent : theme.line, card.chosen ? 2 : 1,
                card.dashed ? Qt::DashLine : Qt::SolidLine));
  p.drawRoundedRect(card.box, 8, 8);
  const QRectF inner = card.box.adjusted(8, 8, -8, -8);
  const double line = QFontMetricsF(fonts.small).height();
  const bool beside = inner.width() > 2 * inner.height();
  const QRectF room = beside ? QRectF(inner.left(), inner.top(), inner.height(), inner.height())
                             : QRectF(inner.left(), inner.top() + 2 * line + 4, inner.width(),
                                      std::max(0.0, inner.height() - 2 * line - 4));
  const QRectF map = paintOwned(p, room, data, warp, thread, theme);
  QRectF words = beside
                     ? QRectF(map.right() + 12, inner.top(), inner.right() - map.right() - 12, line)
                     : QRectF(inner.left(), inner.top(), inner.width(), line);
  const bool narrow = QFontMetricsF(fonts.small).horizontalAdvance(card.title) > words.width();
  paintLine(p, words, Qt::AlignLeft, narrow && !card.brief.isEmpty() ? card.brief : card.title,
            fonts.small, theme.text);
  for (const QString& text : {card.line, card.second}) {
    words.translate(0, line + 2);
    if (words.bottom() > (beside ? inner.bottom() : room.top())) break;
    paintLine(p, words, Qt::AlignLeft, text, fonts.small, theme.soft);
  }
}

}  // namespace

void paintCompany(QPainter& painter, const QRectF& canvas, const TeachData& data,
                  const Theme& theme, const Fonts& fonts) {
  if (data.recording == nullptr)
    return paintNothing(painter, canvas, Words::tr("Nothing is recorded yet."), theme, fonts);
  painter.setRenderHint(QPainter::Antialiasing);
  const Derived& d = data.derived;
  // The watched one is always shown.
  const int teams = std::min(d.warps, kMostTeams);
  const QString others = teams == d.warps
                             ? QString()
                             : Words::tr(" %1 of the %2 teams are shown.").arg(teams).arg(d.warps);
  const QRectF room = paintHead(
      painter, canvas,
      data.namesWarps
          ? Words::tr("Three levels: the block, its %1 warps, their 32 threads each").arg(d.warps)
          : Words::tr("This kernel names blocks and threads, but not the %1 warps between")
                .arg(d.warps),
      (data.namesWarps
           ? Words::tr(
                 "A department, its teams and their workers: the code gives each team a patch "
                 "of its own, as the hardware schedules whole teams.")
           : Words::tr("A department still has teams, because the hardware schedules warps. But "
                       "the code gives patches to workers; a team's patch is the sum of these.")) +
          others,
      theme, fonts);
  const double gap = 34, third = (room.height() - 2 * gap) / 3;
  // The department.
  const double words = QFontMetricsF(fonts.small).averageCharWidth() * 46;
  const double wide = std::min(room.width(), third + words);
  const QRectF head(room.center().x() - wide / 2, room.top(), wide, third);
  Card department{head, Words::tr("department = block, in a building = SM"),
                  Words::tr("%1 × %2 = %3 elements of C")
                      .arg(d.blockM)
                      .arg(d.blockN)
                      .arg(figures::grouped(double(d.blockM) * d.blockN)),
                  data.blocks > 1 ? Words::tr("%1 threads; %2 departments per building")
                                        .arg(figures::grouped(d.threads))
                                        .arg(data.blocks)
                                  : Words::tr("%1 threads").arg(figures::grouped(d.threads))};
  paintCard(painter, department, data, std::nullopt, std::nullopt, theme, fonts);
  // Its teams.
  const double width = (room.width() - (teams - 1) * 10) / teams;
  std::vector<QPointF> heads;
  QRectF watched;
  for (int i = 0; i < teams; ++i) {
    const auto warp = i == teams - 1 && static_cast<int>(data.warp) >= teams
                          ? data.warp
                          : static_cast<std::uint32_t>(i);
    Card team{QRectF(room.left() + i * (width + 10), head.bottom() + gap, width, third),
              Words::tr("team %1 = warp %1").arg(warp),
              ownedText(data, warp),
              QString(),
              !data.namesWarps,
              warp == data.warp};
    heads.emplace_back(team.box.center().x(), team.box.top());
    if (warp == data.warp) watched = team.box;
    paintCard(painter, team, data, warp, std::nullopt, theme, fonts);
  }
  join(painter, QPointF(head.center().x(), head.bottom()), heads, theme);
  if (watched.isNull()) return;
  // The workers of the watched team, and the desk of one of them.
  const QRectF low(room.left(), watched.bottom() + gap, room.width(), third);
  const double line = QFontMetricsF(fonts.small).height();
  const QRectF crowd(low.left(), low.top(), low.width() * 0.56, low.height());
  const double cell = std::min(crowd.width() / 16, (crowd.height() - line - 6) / 2);
  paintLine(
      painter, QRectF(crowd.left(), crowd.top(), crowd.width(), line), Qt::AlignLeft,
      Words::tr("the 32 workers of team %1 = threads; all do the same instruction").arg(data.warp),
      fonts.small, theme.text);
  const std::uint32_t shown = data.thread % kLanes;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const QRectF box(crowd.left() + (lane % 16) * cell + 1,
                     crowd.top() + line + 6 + (lane / 16) * cell + 1, cell - 2, cell - 2);
    painter.setPen(lane == shown ? QPen(theme.accent, 2) : Qt::NoPen);
    painter.setBrush(theme.lane(data.warp, lane));
    painter.drawRect(box);
    if (cell > 1.2 * line)
      paintLine(painter, box, Qt::AlignCenter, QString::number(lane), fonts.small,
                Theme::ink(theme.lane(data.warp, lane)));
  }
  Card worker{
      QRectF(crowd.right() + 20, low.top(), low.right() - crowd.right() - 20, low.height()),
      Words::tr("worker %1 = thread %1, seat %2 = lane %2").arg(data.thread).arg(shown),
      counted(d.results, Words::tr("sums 1 element of C"), Words::tr("sums %1 elements of C")),
      Words::tr("desk: %1 registers (%2)").arg(data.registers).arg(data.registersSource),
      false,
      true};
  paintCard(painter, worker, data, data.warp, data.thread, theme, fonts);
  join(painter, QPointF(watched.center().x(), watched.bottom()),
       {QPointF(crowd.left() + crowd.width() / 2, crowd.top())}, theme);
}

}  // namespace tileloom
