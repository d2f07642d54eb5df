// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_moves.h"

#include <QCoreApplication>
#include <optional>

#include "kernels/tile/parameters.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HistoryWords)
};

const HistoryPoint& at(std::span<const HistoryPoint> points, int index) {
  return points[static_cast<std::size_t>(index)];
}

std::vector<Parameter> parametersBetween(const HistoryPoint& a, const HistoryPoint& b) {
  std::vector<Parameter> moved;
  for (const ParameterSpec& spec : b.rung()->parameters) {
    if (a.tile[spec.parameter] != b.tile[spec.parameter]) moved.push_back(spec.parameter);
  }
  return moved;
}

bool comparable(const HistoryPoint& a, const HistoryPoint& b) {
  return a.rung() != nullptr && a.rung() == b.rung() && a.problem == b.problem;
}

// The one tile parameter that this move changed. std::nullopt: it was another kind of move.
std::optional<Parameter> parameterOf(std::span<const HistoryPoint> points, int index) {
  if (index <= 0 || !comparable(at(points, index - 1), at(points, index))) return std::nullopt;
  const auto moved = parametersBetween(at(points, index - 1), at(points, index));
  return moved.size() == 1 ? std::optional(moved.front()) : std::nullopt;
}

QString parameterText(Parameter parameter, int value) {
  return QStringLiteral("%1 %2").arg(toQString(name(parameter))).arg(value);
}

}  // namespace

QString moveText(std::span<const HistoryPoint> points, int index) {
  const HistoryPoint& now = at(points, index);
  if (now.rung() == nullptr) return Words::tr("unknown");
  if (index == 0) return Words::tr("start");
  const HistoryPoint& before = at(points, index - 1);
  if (before.rung() != now.rung()) return Words::tr("rung %1").arg(figures::rungText(*now.rung()));
  if (!(before.problem == now.problem)) {
    const bool cube = now.problem.m == now.problem.n && now.problem.n == now.problem.k;
    return cube ? QString::number(now.problem.m) : QString::fromStdString(toString(now.problem));
  }
  const auto moved = parametersBetween(before, now);
  if (moved.empty()) return Words::tr("again");
  if (moved.size() > 1) return Words::tr("%1 parameters").arg(moved.size());
  return parameterText(moved.front(), now.tile[moved.front()]);
}

std::vector<MoveRun> moveRuns(std::span<const HistoryPoint> points, int first, int last) {
  std::vector<MoveRun> runs;
  std::optional<Parameter> turning;
  for (int i = first; i <= last; ++i) {
    const auto parameter = parameterOf(points, i);
    if (parameter && parameter == turning) {
      MoveRun& run = runs.back();
      run.last = i;
      run.full = QStringLiteral("%1 → %2")
                     .arg(moveText(points, run.first))
                     .arg(at(points, i).tile[*parameter]);
      continue;
    }
    const QString text = moveText(points, i);
    runs.push_back({i, i, text, parameter ? toQString(name(*parameter)) : text});
    turning = parameter;
  }
  return runs;
}

}  // namespace tileloom::charts
