// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/floor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/common/measuring.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/limit_json.h"
#include "kernels/model/limits/roofline.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {
namespace {

Json floorsJson(const model::Floors& floors) {
  Json list = Json::array();
  for (const model::Floor& floor : floors.all) {
    list.push_back({{"unit", std::string(key(floor.unit))},
                    {"cycles", floor.cycles()},
                    {"amount", floor.amount},
                    {"of", floor.what},
                    {"parts", floor.parts},
                    {"per_cycle", floor.perCycle},
                    {"rate_from", floor.from},
                    {"rate_measured", floor.measured}});
  }
  return list;
}

}  // namespace

FloorReport::FloorReport(const Stage& stage, Format format, const Problem& problem,
                         const Target& target, const KernelBook& book)
    : stage_(stage),
      format_(format),
      problem_(problem),
      arch_(target.arch),
      device_(target.device.empty() ? std::string(kReferenceDevice) : target.device),
      book_(book) {
  // If the user's file cannot be read, the shipped ceilings are used.
  if (auto kept = model::readCeilings(model::defaultCeilingFile())) kept_ = std::move(kept->all);
}

FloorReport::Bounds FloorReport::boundsOf(const TileShape& tile) const {
  emulator::Workspace workspace;
  const Subject subject{&stage_, tile, format_};
  const analysis::LoopTotals loop = analysis::traceLoop(workspace, subject, problem_);
  Bounds s;
  s.tile = tile;
  s.run = book_.run(subject, problem_, device_);
  if (s.run != nullptr && s.run->arch != arch_.name) s.run = nullptr;  // of another chip
  const model::Ceilings* ceilings = model::ceilingsOf(kept_, device_);
  if (ceilings != nullptr && ceilings->arch == arch_.name) s.device = ceilings->device;
  s.floors = model::floorsOf(stage_, tile, loop.totals, loop.kTiles, arch_, ceilings);
  s.limit = model::limitOf(
      {.subject = subject, .problem = problem_, .loop = loop, .arch = arch_, .ceilings = ceilings});
  if (ceilings != nullptr && ceilings->mmaGflops.known()) s.mmaGflops = ceilings->mmaGflops.median;
  if (s.run != nullptr && ceilings != nullptr)
    s.cycles = model::measuredCycles(stage_, *s.run, ceilings->sms);
  return s;
}

std::string FloorReport::subjectText(const Bounds& s) const {
  Table table({{"a K tile of a block", Align::Left},
               {"cycles of an SM"},
               {""},
               {"", Align::Left},
               {"per cycle"},
               {"", Align::Left}});
  std::string parts;
  for (const model::Floor& floor : s.floors.all) {
    table.add(
        {std::string(name(floor.unit)),
         fmt::format("{} {}", floor.measured ? "about" : "at least", wholeText(floor.cycles())),
         wholeText(floor.amount), floor.what,
         floor.perCycle < 100 && floor.measured ? fmt::format("{:.1f}", floor.perCycle)
                                                : wholeText(floor.perCycle),
         floor.from});
    // The same products are named once.
    const std::string line = fmt::format("  {}: {}\n", floor.what, floor.parts);
    if (!floor.parts.empty() && parts.find(line) == std::string::npos) parts += line;
  }
  std::string text = fmt::format("{}\n\n{}\n{}\n{}\n", tileText(stage_, s.tile), table.text(),
                                 parts, sentence(s.floors, s.limit));
  if (s.run == nullptr)
    return text + fmt::format("No run of this tile at this size in {} is known on {}.\n",
                              rowOf(format_).name, s.device.empty() ? arch_.name : s.device);
  text += fmt::format("{} on {}: {} GFLOP/s in {}",
                      s.run->origin == runs::Origin::Live ? "Measured" : "Recorded", s.run->device,
                      wholeText(s.run->gflops.median), rowOf(format_).name);
  if (s.cycles)
    text += fmt::format(
        ", {} cycles per K tile of a block on an SM at\n"
        "{} MHz (on average over the launch, with its start, its end and idle SMs)",
        wholeText(*s.cycles), s.run->smClockMHz);
  if (s.run->peakPercent > 0)
    text += fmt::format(",\n{:.1f} % of the tensor cores' peak at that clock", s.run->peakPercent);
  text += ".\n";
  // No tile of these rungs can make up for that.
  if (!stage_.features().warpgroupMma && s.mmaGflops > 0 && s.run->cublas.median > s.mmaGflops)
    text += fmt::format(
        "cuBLAS reached {} GFLOP/s beside it, more than the {} that mma.sync alone reaches: it "
        "multiplies with\nwgmma, an instruction of Hopper that this rung does not use.\n",
        wholeText(s.run->cublas.median), wholeText(s.mmaGflops));
  return text;
}

std::string FloorReport::text(const TileShape& tile, const std::optional<TileShape>& other) const {
  const Bounds subject = boundsOf(tile);
  std::string text = fmt::format(
      "{}\n"
      "at {} in {}, {}{}\n\n"
      "{} These lower bounds need none: amounts are counted in\n"
      "the trace, rates are documented (at least) or reached by a kernel on a device (about).\n\n"
      "{}",
      stageHeading(stage_), toString(problem_), rowOf(format_).name, arch_.name,
      subject.device.empty() ? "" : " on " + subject.device, model::noPredictionSentence(),
      subjectText(subject));
  if (other) text += fmt::format("\nagainst {}", subjectText(boundsOf(*other)));
  return text;
}

Json FloorReport::subjectJson(const Bounds& s) const {
  Json measured = nullptr;
  if (s.run != nullptr) {
    measured = {{"gflops", s.run->gflops.median},
                {"device", s.run->device},
                {"origin", std::string(name(s.run->origin))},
                {"sm_clock_mhz", s.run->smClockMHz},
                {"peak_percent", s.run->peakPercent},
                {"cycles_per_k_tile", s.cycles ? Json(*s.cycles) : Json(nullptr)}};
  }
  auto share = s.floors.tensorShare(s.floors.binding());
  if (share && s.limit) share = std::min(*share, s.limit->tensorShare);
  return {{"tile", tileJson(stage_, s.tile)},
          {"measured", std::move(measured)},
          {"lower_bounds", floorsJson(s.floors)},
          {"device", s.device.empty() ? Json(nullptr) : Json(s.device)},
          {"limit", limitJson(s.limit)},
          {"largest_lower_bound", std::string(key(s.floors.binding().unit))},
          {"tensor_share_at_most", share ? Json(*share) : Json(nullptr)}};
}

Json FloorReport::json(const TileShape& tile, const std::optional<TileShape>& other) const {
  Json json = {{"schema", "tileloom.why/1"},      {"stage", std::string(stage_.id)},
               {"rung", rungLabel(stage_)},       {"arithmetic", std::string(rowOf(format_).name)},
               {"arch", std::string(arch_.name)}, {"problem", problemJson(problem_)},
               {"predicted_gflops", nullptr},     {"no_prediction", model::noPredictionSentence()},
               {"costs", Json::array()}};
  json.update(subjectJson(boundsOf(tile)));
  json["against"] = other ? subjectJson(boundsOf(*other)) : Json(nullptr);
  return json;
}

}  // namespace tileloom::app
