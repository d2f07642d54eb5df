// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/export.h"
#include "kernels/base/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tileloom::timeline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view nameOf(analysis::Matrix m) {
  return m == analysis::Matrix::A ? "A" : m == analysis::Matrix::B ? "B" : "C";
}

bool moves(Work work) {
  return work == Work::Load || work == Work::Copy || work == Work::Fill ||
         work == Work::Fragments || work == Work::Box || work == Work::Flight ||
         work == Work::Store || work == Work::BoxStore;
}

std::string_view nameOf(On on) {
  switch (on) {
    case On::Fragments:
      return "fragments";
    case On::Memory:
      return "global memory";
    case On::Copies:
      return "copies";
    case On::Warps:
      return "other warps";
    case On::Phase:
      return "an mbarrier phase";
    case On::Products:
      return "wgmma";
    case On::TensorCore:
      return "the tensor core";
    case On::Result:
      return "a result";
    case On::Boxes:
      return "TMA stores to read C";
    case On::Nothing:
      break;
  }
  return "nothing";
}

std::string_view nameOf(Work work) {
  switch (work) {
    case Work::Load:
      return "load";
    case Work::Copy:
      return "copy";
    case Work::Fill:
      return "fill";
    case Work::Fragments:
      return "fragments";
    case Work::Multiply:
      return "multiply-adds";
    case Work::Mma:
      return "mma";
    case Work::Product:
      return "wgmma";
    case Work::Store:
      return "store";
    case Work::Barrier:
      return "__syncthreads";
    case Work::CommitCopies:
      return "commit copies";
    case Work::WaitCopies:
      return "wait copies";
    case Work::StartBarrier:
      return "start barrier";
    case Work::Expect:
      return "expect bytes";
    case Work::Meet:
      return "meet";
    case Work::Arrive:
      return "arrive";
    case Work::Box:
      return "TMA load";
    case Work::WaitBarrier:
      return "wait barrier";
    case Work::CommitProducts:
      return "commit wgmma";
    case Work::WaitProducts:
      return "wait wgmma";
    case Work::BoxStore:
      return "TMA store";
    case Work::CommitBoxes:
      return "commit TMA stores";
    case Work::WaitBoxes:
      return "wait TMA stores";
    case Work::Convert:
      return "convert sums";
    case Work::Fence:
      return "fence";
    case Work::Wait:
      return "waits";
    case Work::Flight:
      return "in flight:";
    case Work::Between:
      return "at work";
  }
  return "";
}

// The store of C names its block tile.
bool isC(const Span& span) {
  return span.work == Work::Flight && span.matrix == analysis::Matrix::C;
}

Json argsOf(const Span& span, std::uint32_t tilesPerWalk) {
  Json args = Json::object();
  if (isC(span)) {
    args["tile"] = span.kTile;
  } else if (span.kTile != emulator::kNoTile) {
    if (tilesPerWalk > 0) args["tile"] = span.kTile / tilesPerWalk;
    args["k_tile"] = tilesPerWalk > 0 ? span.kTile % tilesPerWalk : span.kTile;
  }
  if (span.dot != emulator::kNoDot) args["k"] = span.dot;
  if (span.line > 0) args["line"] = span.line;
  if (span.first != kNone) {
    args["first_instruction"] = span.first;
    args["instructions"] = span.count;
  }
  return args;
}

void addProcess(Json& events, const Timeline& timeline, int process, const std::string& name) {
  events.push_back(
      {{"ph", "M"}, {"name", "process_name"}, {"pid", process}, {"args", {{"name", name}}}});
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    const Lane& lane = timeline.lanes[i];
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", process},
                      {"tid", i},
                      {"args", {{"name", laneTitle(lane)}}}});
    events.push_back({{"ph", "M"},
                      {"name", "thread_sort_index"},
                      {"pid", process},
                      {"tid", i},
                      {"args", {{"sort_index", i}}}});
    for (const Span& span : lane.spans) {
      events.push_back({{"ph", "X"},
                        {"name", spanTitle(span)},
                        {"cat", span.work == Work::Wait ? "wait" : "work"},
                        {"pid", process},
                        {"tid", i},
                        {"ts", span.begin},
                        {"dur", span.end - span.begin},
                        {"args", argsOf(span, timeline.tilesPerWalk)}});
    }
  }
}

}  // namespace

std::string laneTitle(const Lane& lane) {
  switch (lane.kind) {
    case LaneKind::Flight:
      return fmt::format("{} in flight, {}", nameOf(lane.matrix), lane.number + 1);
    case LaneKind::TensorCore:
      return "tensor core";
    case LaneKind::Leaving:
      return "C leaves";
    case LaneKind::Warp:
      return lane.role.empty() ? fmt::format("warp {}", lane.number)
                               : fmt::format("warp {} ({})", lane.number, lane.role);
  }
  return {};
}

std::string spanTitle(const Span& span) {
  if (span.work == Work::Wait) return fmt::format("waits for {}", nameOf(span.on));
  if (moves(span.work)) return fmt::format("{} {}", nameOf(span.work), nameOf(span.matrix));
  return std::string(nameOf(span.work));
}

std::string chromeTrace(const Timeline& timeline, const std::string& name, const Timeline* measured,
                        const std::string& caption) {
  Json events = Json::array();
  addProcess(events, timeline, 0, name + ", predicted; 1 us is 1 SM cycle");
  if (measured != nullptr) addProcess(events, *measured, 1, name + ", " + caption);
  // What ended a wait: an arrow, whose ends are bound to existing spans.
  std::size_t number = 0;
  for (const Arrow& arrow : timeline.arrows) {
    for (const bool end : {false, true}) {
      Json event{{"ph", end ? "f" : "s"},
                 {"name", "wakes"},
                 {"cat", "wakes"},
                 {"id", number},
                 {"pid", 0},
                 {"tid", end ? arrow.toLane : arrow.fromLane},
                 {"ts", end ? arrow.to : arrow.from}};
      if (end) event["bp"] = "e";
      events.push_back(std::move(event));
    }
    ++number;
  }
  Json other = {{"origin", measured != nullptr ? "predicted and measured" : "predicted"},
                {"cycles_per_k_tile", timeline.cyclesPerTile},
                {"blocks_per_sm", timeline.blocks}};
  const Json all = {{"traceEvents", std::move(events)},
                    {"displayTimeUnit", "ns"},
                    {"otherData", std::move(other)}};
  return dumped(all) + "\n";
}

std::string spanTable(const Timeline& timeline) {
  std::string text = "lane,begin,end,what,k_tile,dot,line,first_instruction,instructions\n";
  const auto optional = [](std::uint32_t value, std::uint32_t none) {
    return value == none ? std::string() : fmt::format("{}", value);
  };
  const std::uint32_t each = timeline.tilesPerWalk;
  if (each > 0) text.insert(text.size() - 1, ",tile");
  for (const Lane& lane : timeline.lanes) {
    for (const Span& s : lane.spans) {
      const bool none = s.kTile == emulator::kNoTile || isC(s);
      const std::uint32_t kTile = none ? emulator::kNoTile : each == 0 ? s.kTile : s.kTile % each;
      text += fmt::format("\"{}\",{},{},{},{},{},{},{},{}", laneTitle(lane), s.begin, s.end,
                          spanTitle(s), optional(kTile, emulator::kNoTile),
                          optional(s.dot, emulator::kNoDot), s.line, optional(s.first, kNone),
                          s.first == kNone ? std::string() : fmt::format("{}", s.count));
      if (each > 0)
        text += ',' + (isC(s) ? fmt::format("{}", s.kTile)
                              : optional(none ? kNone : s.kTile / each, kNone));
      text += '\n';
    }
  }
  return text;
}

}  // namespace tileloom::timeline
