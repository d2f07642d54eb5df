// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/why_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/limit_json.h"
#include "kernels/model/why/why_text.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/k_tile_words.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using model::NextTile;
using model::RankedCost;
using model::WhyMoved;
using model::WhySlow;

// "BK=32: less of it, speed x1.01"
std::string parameterText(const WhySlow& why, const RankedCost& cost) {
  if (!cost.neighbour) return "-";
  const NextTile& next = why.neighbours[*cost.neighbour];
  double share = 0;
  for (const model::CostChange& change : next.move.changes) {
    if (change.cost == cost.cost) share = change.share;
  }
  return fmt::format("{}={}: {} of it, speed x{:.2f}{}", name(next.parameter), next.value,
                     share < 0 ? "less" : "more", next.speedRatio(),
                     next.runRatio ? fmt::format(" {}", next.runRatio->verb()) : " predicted");
}

std::string costTable(const WhySlow& why) {
  Table table({{"what costs time", Align::Left},
               {"share"},
               {"", Align::Left},
               {"cycles"},
               {"pipe busy"},
               {"line"},
               {"the step of one parameter that changes it most", Align::Left}});
  for (const RankedCost& cost : why.costs) {
    table.add({std::string(name(cost.cost)), percentText(cost.share),
               std::string(model::name(cost.source)), wholeText(cost.cycles),
               cost.busyShare ? percentText(*cost.busyShare) : "-",
               cost.line > 0 ? std::to_string(cost.line) : "-", parameterText(why, cost)});
  }
  return table.text();
}

// The largest costs in words, with their lines and figures.
std::string costWords(const WhySlow& why) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (const RankedCost& cost : std::span(why.costs).first(std::min(kMost, why.costs.size()))) {
    text += fmt::format("\n{}\n", sentence(why, cost));
    for (const std::string& more : {model::busySentence(cost), model::countedSentence(cost.cost)}) {
      if (!more.empty()) text += fmt::format("    {}\n", more);
    }
    if (cost.line > 0)
      text += fmt::format("    line {}: {}\n", cost.line, shortSourceLine(*why.rung(), cost.line));
    for (const model::Figure& figure : cost.figures) {
      text += fmt::format("    {}", figureText(figure));
      const auto other = model::find(cost.predictedFigures, figure.id);
      text += other ? fmt::format(", {}\n", figureText(*other)) : "\n";
    }
  }
  return text;
}

// Counted stall reasons of the warps, beside the prediction of the cost that each belongs to.
std::string stallTable(const WhySlow& why) {
  Table table({{"what warps waited for (counted)", Align::Left},
               {"of their time"},
               {"belongs to", Align::Left},
               {"predicted"}});
  for (const model::Stall& stall : why.stalls) {
    const auto cost = std::ranges::find(why.costs, stall.cost, &RankedCost::cost);
    table.add({std::string(stall.name), percentText(stall.share), std::string(name(stall.cost)),
               cost == why.costs.end() ? "-" : percentText(cost->share)});
  }
  return table.text();
}

std::string neighbourTable(const WhySlow& why) {
  Table table({{"parameter", Align::Left},
               {"from"},
               {"to"},
               {"speed"},
               {"predicted"},
               {"because of", Align::Left},
               {"registers"},
               {"", Align::Left}});
  for (const NextTile& next : why.neighbours) {
    table.add(
        {std::string(name(next.parameter)), std::to_string(next.from), std::to_string(next.value),
         next.runRatio ? fmt::format("x{:.2f} {}", next.runRatio->speed, next.runRatio->verb())
                       : "-",
         fmt::format("x{:.2f}", next.move.speedRatio),
         next.move.hasCause() ? std::string(name(next.move.cause)) : "-",
         std::to_string(next.facts.registers), std::string(model::name(next.facts.source))});
  }
  return table.text();
}

std::string movedText(const WhyMoved& moved) {
  const Stage& stage = *moved.to.rung();
  std::string text = fmt::format(
      "\nFrom {}\nto   {}\n\n{:.2f} times the speed (predicted){}. {}\n",
      tileText(stage, moved.from.tile), tileText(stage, moved.to.tile), moved.move.speedRatio,
      moved.runRatio
          ? fmt::format(", {:.2f} times ({})", moved.runRatio->speed, moved.runRatio->verb())
          : "",
      causeSentence(moved));
  if (moved.line > 0)
    text += fmt::format("    line {}: {}\n", moved.line, shortSourceLine(stage, moved.line));
  for (const model::FigureChange& change : moved.figures)
    text += fmt::format("    {}\n", sentence(change));
  constexpr double kLeast = 0.0005;
  const auto isShown = [](const model::CostChange& c) { return std::abs(c.share) >= kLeast; };
  if (std::ranges::none_of(moved.move.changes, isShown)) return text;
  Table table({{"what changed", Align::Left}, {"of the time"}});
  for (const model::CostChange& change : moved.move.changes) {
    if (!isShown(change)) continue;
    table.add({std::string(name(change.cost)), fmt::format("{:+.1f} %", 100 * change.share)});
  }
  return fmt::format("{}\n{}", text, table.text());
}

Json ratioJson(const std::optional<runs::RunRatio>& ratio) {
  return ratio ? Json(ratio->speed) : Json(nullptr);
}

Json originJson(const std::optional<runs::RunRatio>& ratio) {
  return ratio ? Json(name(ratio->origin)) : Json(nullptr);
}

Json figureJson(const model::Figure& figure) {
  return {{"name", model::key(figure.id)},
          {"value", figure.value},
          {"source", model::name(figure.source)}};
}

Json figuresJson(const std::vector<model::Figure>& figures) {
  Json list = Json::array();
  for (const model::Figure& figure : figures) list.push_back(figureJson(figure));
  return list;
}

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json lineJson(int line) {
  return line > 0 ? Json(line) : Json(nullptr);
}

Json costJson(const WhySlow& why, const RankedCost& cost) {
  Json parameter = nullptr;
  if (cost.neighbour) {
    const NextTile& next = why.neighbours[*cost.neighbour];
    parameter = {{"name", name(next.parameter)},
                 {"value", next.value},
                 {"speed_ratio", next.move.speedRatio},
                 {"measured_speed_ratio", ratioJson(next.runRatio)},
                 {"measured_speed_origin", originJson(next.runRatio)}};
  }
  return {{"cost", key(cost.cost)},
          {"share", cost.share},
          {"cycles", cost.cycles},
          {"busy_cycles", orNull(cost.busyCycles)},
          {"busy_share", orNull(cost.busyShare)},
          {"counted_as", model::countedAs(cost.cost)},
          {"source", model::name(cost.source)},
          {"predicted_share", orNull(cost.predictedShare)},
          {"line", lineJson(cost.line)},
          {"parameter", std::move(parameter)},
          {"figures", figuresJson(cost.figures)},
          {"predicted_figures", figuresJson(cost.predictedFigures)},
          {"sentence", sentence(why, cost)}};
}

// null: no cost changes the time enough to be a cause.
Json causeJson(const model::Move& move) {
  return move.hasCause() ? Json(key(move.cause)) : Json(nullptr);
}

Json neighbourJson(const NextTile& next) {
  return {{"parameter", name(next.parameter)},
          {"from", next.from},
          {"to", next.value},
          {"speed_ratio", next.move.speedRatio},
          {"measured_speed_ratio", ratioJson(next.runRatio)},
          {"measured_speed_origin", originJson(next.runRatio)},
          {"cause", causeJson(next.move)},
          {"registers", next.facts.registers},
          {"kernel", model::name(next.facts.source)}};
}

Json movedJson(const WhyMoved& moved) {
  Json changes = Json::array();
  for (const model::CostChange& change : moved.move.changes) {
    changes.push_back(
        {{"cost", key(change.cost)}, {"share", change.share}, {"cycles", change.cycles}});
  }
  Json figures = Json::array();
  for (const model::FigureChange& change : moved.figures) {
    figures.push_back({{"name", model::key(change.from.id)},
                       {"from", change.from.value},
                       {"to", change.to.value},
                       {"source", model::name(change.to.source)},
                       {"sentence", sentence(change)}});
  }
  return {{"from", tileJson(*moved.from.rung(), moved.from.tile)},
          {"to", tileJson(*moved.to.rung(), moved.to.tile)},
          {"speed_ratio", moved.move.speedRatio},
          {"measured_speed_ratio", ratioJson(moved.runRatio)},
          {"measured_speed_origin", originJson(moved.runRatio)},
          {"cause", causeJson(moved.move)},
          {"cause_makes_faster", moved.move.faster},
          {"cause_share", moved.move.causeShare},
          {"line", lineJson(moved.line)},
          {"source", model::name(moved.source)},
          {"sentence", causeSentence(moved)},
          {"figures", std::move(figures)},
          {"changes", std::move(changes)}};
}

// Changes of one parameter lead only to neighbours: a faster tile may be several changes away.
std::string fastestText(const WhySlow& why, const tuning::Fastest& fastest) {
  const std::string_view known =
      fastest.figure.kind == tuning::TileFigure::Kind::Live ? "measured" : "recorded";
  if (fastest.figure.tile == why.tile)
    return fmt::format("  no other of {} {} tiles is faster\n", grouped(fastest.tiles), known);
  const std::string ratio =
      why.run ? fmt::format(" (x{:.2f})", fastest.figure.gflops.median / why.run->gflops.median)
              : "";
  return fmt::format("  {} GFLOP/s{} {} for the fastest of {} tiles: {}\n",
                     wholeText(fastest.figure.gflops.median), ratio, known, grouped(fastest.tiles),
                     tileText(*why.rung(), fastest.figure.tile));
}

Json fastestJson(const WhySlow& why, const std::optional<tuning::Fastest>& fastest) {
  if (!fastest) return nullptr;
  return {{"tile", tileJson(*why.rung(), fastest->figure.tile)},
          {"gflops", fastest->figure.gflops.median},
          {"tiles", fastest->tiles}};
}

}  // namespace

std::string whyText(const WhySlow& why, const std::optional<WhyMoved>& moved,
                    const std::optional<tuning::Fastest>& fastest) {
  std::string text =
      fmt::format("{}\n{} at {}x{}x{}\n\n  {} GFLOP/s predicted for {}\n",
                  stageHeading(*why.rung()), tileText(*why.rung(), why.tile), why.problem.m,
                  why.problem.n, why.problem.k, speedNumber(why.prediction.gflops), why.device);
  if (why.run) {
    text += fmt::format("  {} GFLOP/s {} on {}{}\n", speedNumber(why.run->gflops.median),
                        runs::verb(why.run->origin), quotable(why.run->device),
                        why.counted ? ", with counters" : "");
  }
  if (fastest) text += fastestText(why, *fastest);
  text += fmt::format("\n{}\n\n{}\n{}\n{}", limitSentence(why), costTable(why), busySentence(why),
                      costWords(why));
  if (const std::string remark = kTileRemark(*why.rung(), why.tile); !remark.empty())
    text += "\n" + remark + "\n";
  if (!why.stalls.empty()) text += fmt::format("\n{}", stallTable(why));
  if (!why.neighbours.empty())
    text +=
        "\nOne step of one tile parameter, the others unchanged: speed over that of this tile, "
        "measured where both have runs, and predicted\n\n" +
        neighbourTable(why);
  if (moved) text += movedText(*moved);
  return text;
}

Json whyJson(const WhySlow& why, const std::optional<WhyMoved>& moved,
             const std::optional<tuning::Fastest>& fastest) {
  Json costs = Json::array();
  for (const RankedCost& cost : why.costs) costs.push_back(costJson(why, cost));
  Json stalls = Json::array();
  for (const model::Stall& stall : why.stalls) {
    stalls.push_back({{"reason", runs::specOf(stall.counter).key},
                      {"share", stall.share},
                      {"cost", key(stall.cost)}});
  }
  Json pipes = Json::array();
  for (std::size_t i = 0; i < model::kPipes; ++i) {
    pipes.push_back(
        {{"pipe", model::name(static_cast<model::Pipe>(i))}, {"busy_share", why.busy[i]}});
  }
  Json neighbours = Json::array();
  for (const NextTile& next : why.neighbours) neighbours.push_back(neighbourJson(next));
  Json measured = nullptr;
  if (why.run) {
    measured = {{"gflops", why.run->gflops.median},
                {"device", why.run->device},
                {"origin", name(why.run->origin)},
                {"counters", why.counted}};
  }
  return {{"schema", "tileloom.why/1"},
          {"stage", why.rung()->id},
          {"tile", tileJson(*why.rung(), why.tile)},
          {"problem", problemJson(why.problem)},
          {"device", why.device},
          {"predicted_gflops", why.prediction.gflops},
          {"measured", std::move(measured)},
          {"fastest", fastestJson(why, fastest)},
          {"kernel", model::name(why.facts.source)},
          {"limit", limitJson(why.limit)},
          {"costs", std::move(costs)},
          {"pipes", std::move(pipes)},
          {"figures", figuresJson(why.figures)},
          {"stalls", std::move(stalls)},
          {"neighbours", std::move(neighbours)},
          {"against", moved ? movedJson(*moved) : Json(nullptr)}};
}

}  // namespace tileloom::app
