// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/options.h"

#include <algorithm>
#include <array>

#include "app/commands/common/stage_options.h"
#include "app/session/loop_version.h"
#include "app/session/option_types.h"
#include "app/session/own_file.h"
#include "app/session/page_ids.h"
#include "app/session/session.h"
#include "kernels/emulator/trace.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kMatrices = {"A", "B", "C"};
constexpr int kMostSteps = 1 << 28;
// A device may be one that this machine has never seen.
constexpr std::size_t kLongestDevice = 200;
constexpr std::size_t kLongestWord = 40;

ordered_json tileJson(const Stage& stage, const TileShape& tile) {
  ordered_json parameters = ordered_json::object();
  for (const ParameterSpec& spec : stage.parameters)
    parameters[std::string(name(spec.parameter))] = tile[spec.parameter];
  return parameters;
}

std::string readTile(const Stage& stage, const json& parameters, const std::string& path,
                     TileShape& into) {
  if (!parameters.is_object()) return mustBe(path, "an object");
  SessionReader reader(parameters, path);
  into = stage.standardTile();
  for (const ParameterSpec& spec : stage.parameters) {
    into[spec.parameter] = static_cast<int>(reader.number(
        std::string(name(spec.parameter)), {spec.min, spec.max}, into[spec.parameter]));
  }
  return reader.complaint();
}

ordered_json selectionJson(const Selection& s) {
  ordered_json held = ordered_json::object();
  if (s.thread) held["thread"] = *s.thread;
  if (s.element) {
    held["element"] = {{"matrix", kMatrices[static_cast<std::size_t>(s.element->matrix)]},
                       {"row", s.element->row},
                       {"column", s.element->column}};
  }
  if (s.word) held["word"] = {{"array", s.word->array}, {"index", s.word->index}};
  return held;
}

std::string readSelection(const json& held, const std::string& path, Selection& into) {
  if (!held.is_object()) return mustBe(path, "an object");
  SessionReader reader(held, path);
  into = {};
  if (reader.find("thread") != nullptr)
    into.thread = static_cast<std::uint32_t>(reader.number("thread", {0, 1023}, 0));
  if (const json* element = reader.object("element")) {
    SessionReader inner(*element, path + ".element");
    const std::size_t matrix = inner.place("matrix", kMatrices);
    into.element = analysis::Element{static_cast<analysis::Matrix>(matrix),
                                     inner.number("row", {}, 0), inner.number("column", {}, 0)};
    reader.take(inner.complaint());
  }
  if (const json* word = reader.object("word")) {
    SessionReader inner(*word, path + ".word");
    into.word = analysis::SharedWord{static_cast<std::uint32_t>(inner.number("array", {0, 255}, 0)),
                                     static_cast<std::uint32_t>(inner.number("index", {}, 0))};
    reader.take(inner.complaint());
  }
  return reader.complaint();
}

Option stageRow() {
  Option o{.name = "stage",
           .words = "--stage",
           .valueName = "STAGE",
           .help = app::kStageHelp,
           .file = {1, true},
           .line = {1, true},
           .required = true,
           .usual = "warptiled",
           .example = R"("naive")"};
  const auto set = [](Session& s, const Stage& stage) {
    s.state.stage = &stage;
    s.state.tile = stage.standardTile();
  };
  // A kernel of the user is named by its file.
  const auto setOwn = [set](Session& s, const std::string& file) -> std::string {
    auto kernel = ownKernelFrom(file);
    if (!kernel) return kernel.error();
    s.own = std::move(*kernel);
    s.state.problem = s.own->usualProblem();
    set(s, s.own->stage());
    return {};
  };
  o.equal = [](const Session& a, const Session& b) {
    return a.state.stage == b.state.stage && a.ownFile == b.ownFile;
  };
  const auto name = [](const Session& s) {
    return s.own                ? s.own->input().path
           : !s.ownFile.empty() ? s.ownFile
                                : std::string(s.state.stage->id);
  };
  o.write = [name](const Session& s) { return ordered_json(name(s)); };
  o.read = [set](const json& value, Session& s) -> std::string {
    if (!value.is_string()) return mustBe("stage", "the name of a stage");
    if (namesKernelFile(value.get<std::string>())) {
      s.ownFile = value.get<std::string>();
      set(s, openingStage());  // until it is open
      return {};
    }
    const auto stage = app::parseStage(value.get<std::string>());
    if (!stage) return stage.error();
    set(s, **stage);
    return {};
  };
  o.print = [name](const Session& s) { return name(s); };
  o.take = [set, setOwn](const std::string& text, Session& s) -> std::string {
    if (namesKernelFile(text)) return setOwn(s, text);
    const auto chosen = app::chosenStage({text, std::nullopt, std::nullopt}, "render");
    if (!chosen) return chosen.error();
    set(s, *chosen->rung());
    return {};
  };
  return o;
}

Option tileRow() {
  Option o{.name = "tile",
           .words = "--tile",
           .valueName = "PARAMETER=N,...",
           .help = app::kTileHelp,
           .file = {2, true},
           .line = {2, true},
           .example = R"({"BK": 8})"};
  o.equal = [](const Session& a, const Session& b) { return a.state.tile == b.state.tile; };
  o.write = [](const Session& s) { return tileJson(*s.state.stage, s.state.tile); };
  o.read = [](const json& value, Session& s) {
    return readTile(*s.state.stage, value, "tile", s.state.tile);
  };
  o.print = [](const Session& s) { return app::tileText(*s.state.stage, s.state.tile); };
  o.take = [](const std::string& text, Session& s) -> std::string {
    const auto tile = app::parseTile(*s.state.stage, text);
    if (!tile) return tile.error();
    s.state.tile = *tile;
    return {};
  };
  return o;
}

// One choice for all 16-bit rungs: a session at an FP32 rung keeps it, and a command line that
// names one there is refused.
Option formatRow() {
  Option o{.name = "arithmetic",
           .words = "--arithmetic",
           .valueName = "NAME",
           .help = "element format of a tensor rung: bf16 or fp16 (default: bf16)",
           .file = {26},
           .line = {22},
           .example = R"("fp16")"};
  const auto chosen = [](const std::string& text, Session& s) -> std::string {
    const Stage& stage = *s.state.stage;
    const auto choice = app::chosenStage({std::string(stage.id), std::nullopt, text}, "render");
    if (!choice) return choice.error();
    if (choice->format != Format::Fp32) s.state.halves = choice->format;
    return {};
  };
  o.kind = Option::Kind::Value;
  o.equal = [](const Session& a, const Session& b) { return a.state.halves == b.state.halves; };
  o.write = [](const Session& s) { return ordered_json(rowOf(s.state.halves).name); };
  o.read = [chosen](const json& value, Session& s) -> std::string {
    if (!value.is_string()) return mustBe("arithmetic", "bf16 or fp16");
    const auto& text = value.get_ref<const std::string&>();
    if (s.state.stage->ladder == Ladder::Tensor) return chosen(text, s);
    const auto known = formatNamed(text);
    if (!known) return known.error();
    if (*known != Format::Fp32) s.state.halves = *known;
    return {};
  };
  o.print = [](const Session& s) -> std::optional<std::string> {
    if (s.state.format() == s.state.stage->usualFormat()) return std::nullopt;
    return std::string(rowOf(s.state.halves).name);
  };
  o.take = chosen;
  return o;
}

// The command line names only a lane of the watched warp, no other selection.
Option heldRow() {
  Option o{.name = "held",
           .words = "--lane",
           .valueName = "0-31",
           .help = "selected lane",
           .file = {8, true},
           .line = {6},
           .example = R"({"thread": 5})"};
  o.equal = [](const Session& a, const Session& b) { return a.state.held == b.state.held; };
  o.write = [](const Session& s) { return selectionJson(s.state.held); };
  o.read = [](const json& value, Session& s) { return readSelection(value, "held", s.state.held); };
  o.print = [](const Session& s) -> std::optional<std::string> {
    const auto& thread = s.state.held.thread;
    if (!thread || *thread / emulator::kWarpSize != s.state.warp) return std::nullopt;
    return fmt::format("{}", *thread % emulator::kWarpSize);
  };
  o.take = [](const std::string& text, Session& s) -> std::string {
    const auto lane = app::parseNumber("--lane", text, 0, emulator::kWarpSize - 1);
    if (!lane) return lane.error();
    s.state.held = {};
    s.state.held.thread = s.state.warp * emulator::kWarpSize + static_cast<std::uint32_t>(*lane);
    return {};
  };
  return o;
}

Option tilesRow() {
  Option o{.name = "tiles", .file = {9, true}, .example = R"({"naive": {"BLOCKSIZE": 16}})"};
  o.equal = [](const Session& a, const Session& b) { return a.tiles == b.tiles; };
  o.write = [](const Session& s) {
    ordered_json all = ordered_json::object();
    for (const auto& [stage, tile] : s.tiles) all[std::string(stage->id)] = tileJson(*stage, tile);
    return all;
  };
  o.read = [](const json& value, Session& s) -> std::string {
    if (!value.is_object()) return mustBe("tiles", "an object");
    for (const auto& [key, parameters] : value.items()) {
      const auto stage = app::parseStage(key);
      if (!stage) continue;  // a rung of a newer Tileloom
      const std::string wrong = readTile(**stage, parameters, "tiles." + key, s.tiles[*stage]);
      if (!wrong.empty()) return wrong;
    }
    return {};
  };
  return o;
}

std::string listed(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Option> table() {
  constexpr int kWarps = 32;
  constexpr int kLastPatternStep = static_cast<int>(own::kMostPatternSteps) - 1;
  std::vector<Option> rows = {
      stageRow(),
      tileRow(),
      row(
          {.name = "size",
           .words = kSizeOption,
           .valueName = "MxNxK",
           .help = "size of the problem, or one number for a cube",
           .file = {3, true},
           .line = {3, true},
           .showsUsual = true,
           .example = R"("1024x512x256")"},
          [](auto& s) -> auto& { return s.state.problem; },
          Parsed<Problem>{[](const Problem& p) { return toString(p); }, app::parseSize,
                          "a text such as \"1024x1024x1024\""}),
      row(
          {.name = "row", .file = {4, true}, .example = "640"},
          [](auto& s) -> auto& { return s.state.row; }, Numbers{}),
      row(
          {.name = "column", .file = {5, true}, .example = "128"},
          [](auto& s) -> auto& { return s.state.column; }, Numbers{}),
      row(
          {.name = "instruction",
           .words = kStepOption,
           .valueName = "INSTRUCTION",
           .help = "instruction of the warp, from 0 (default: a wasteful access)",
           .file = {7, true},
           .line = {5, true},
           .example = "40"},
          [](auto& s) -> auto& { return s.state.index; },
          Numbers{kStepOption, {}, {0, kMostSteps}}),
      row(
          {.name = "warp",
           .words = "--warp",
           .valueName = "N",
           .help = "warp to watch",
           .file = {6, true},
           .line = {4, true},
           .showsUsual = true,
           .example = "3"},
          [](auto& s) -> auto& { return s.state.warp; },
          Numbers{"--warp", {0, kWarps - 1}, {0, kWarps - 1}}),
      formatRow(),
      heldRow(),
      tilesRow(),
      row(
          {.name = "tab",
           .words = "--tab",
           .valueName = "TAB",
           .help = fmt::format("of the window: {}", listed(kTabIds)),
           .file = {10, true},
           .line = {9, true},
           .showsUsual = true,
           .example = R"("instructions")"},
          [](auto& s) -> auto& { return s.tab; },
          Names{kTabIds, "there is no tab \"{}\": choose one of {}"}),
      row(
          {.name = "roofline",
           .words = "--level",
           .valueName = "LEVEL",
           .help = fmt::format("of the roofline: {}", listed(kRooflineLevelNames)),
           .file = {18},
           .line = {11},
           .showsUsual = true,
           .example = R"("l2")"},
          [](auto& s) -> auto& { return s.level; },
          Names{kRooflineLevelNames, "there is no level \"{}\" of the roofline: choose one of {}"}),
      row(
          {.name = "tuning.form",
           .words = "--form",
           .valueName = "FORM",
           .help = fmt::format("of the tuning tab: {}", listed(kTuningFormNames)),
           .file = {19, true},
           .line = {12},
           .showsUsual = true,
           .example = R"("list")"},
          [](auto& s) -> auto& { return s.tuning.form; },
          Names{kTuningFormNames, "there is no form \"{}\" of the tuning tab: choose one of {}"}),
      row(
          {.name = "tuning.axes",
           .words = "--axes",
           .valueName = "PARAMETER,PARAMETER",
           .help =
               "of the tuning map: tile parameters of its rows and its columns (default: BM,BN)",
           .file = {21},
           .line = {13},
           .example = R"("WN,TM")"},
          [](auto& s) -> auto& { return s.tuning.axes; },
          Parsed<MapAxes>{axesText, parseAxes, "two tile parameters, such as \"BM,BN\""}),
      row(
          {.name = "tuning.others",
           .words = "--others",
           .valueName = "HOW",
           .help =
               fmt::format("values of the map's other tile parameters: {}", listed(kOthersNames)),
           .file = {20, true},
           .line = {14},
           .showsUsual = true,
           .example = R"("best")"},
          [](auto& s) -> auto& { return s.tuning.others; },
          Names{kOthersNames, "--others \"{}\" is unknown: choose one of {}"}),
      row(
          {.name = "tuning.device",
           .words = "--on",
           .valueName = "DEVICE",
           .help = "of the tuning tab: device whose runs are shown, by a part of its name "
                   "(default: the one with the most)",
           .file = {22},
           .line = {15},
           .example = R"("H100 80GB")"},
          [](auto& s) -> auto& { return s.tuning.device; }, Text{kLongestDevice}),
      row(
          {.name = "tuning.beside",
           .words = "--and-on",
           .valueName = "DEVICE",
           .help = "of the tuning tab: a second device beside it",
           .file = {23},
           .line = {16},
           .example = R"("H200")"},
          [](auto& s) -> auto& { return s.tuning.beside; }, Text{kLongestDevice}),
      row(
          {.name = "sizes",
           .words = "--up-to",
           .valueName = "SIZE",
           .help = fmt::format("of the chart of speed over size, its largest size: {}",
                               listed(kSizeSpanNames)),
           .file = {25},
           .line = {21},
           .showsUsual = true,
           .example = R"("4096")"},
          [](auto& s) -> auto& { return s.sizes; },
          Names{kSizeSpanNames, "--up-to \"{}\" is not a largest size: choose one of {}"}),
      row(
          {.name = "zoom",
           .words = "--zoom",
           .valueName = "LEVEL",
           .help = fmt::format("of the loom: {}", listed(kZoomNames)),
           .file = {11, true},
           .line = {8, true},
           .showsUsual = true,
           .example = R"("thread")"},
          [](auto& s) -> auto& { return s.zoom; },
          Names{kZoomNames, "there is no zoom \"{}\": choose one of {}"}),
      row(
          {.name = "baseline",
           .words = "--beside",
           .valueName = "STAGE[:TILE]",
           .help = "for the window: the baseline to compare with, such as vectorized or "
                   "warptiled:WNITER=1",
           .file = {17},
           .line = {7},
           .example = R"("warptiled:WNITER=2")"},
          [](auto& s) -> auto& { return s.state.pinned; },
          Parsed<Subject>{pinnedText, parsePinned,
                          "a text such as \"vectorized\" or \"warptiled:WNITER=2\""}),
      row(
          {.name = "ladder panel",
           .words = "--without",
           .valueName = "PART",
           .help = "for the window: a part to leave out: ladder, tile or time; of the timeline: "
                   "measured (may be given several times)",
           .mark = kLadderPanel,
           .file = {14, true},
           .line = {18},
           .example = "false"},
          [](auto& s) -> auto& { return s.ladderPanel; }, Switch{kLadderPanel}),
      row(
          {.name = "tile panel",
           .words = "--without",
           .mark = kTilePanel,
           .file = {15, true},
           .line = {19},
           .example = "false"},
          [](auto& s) -> auto& { return s.tilePanel; }, Switch{kTilePanel}),
      row(
          {.name = "time strip",
           .words = "--without",
           .mark = kTimeStrip,
           .file = {29},
           .line = {25},
           .example = "false"},
          [](auto& s) -> auto& { return s.timeStrip; }, Switch{kTimeStrip}),
      row(
          {.name = "timeline.measured",
           .words = "--without",
           .mark = kMeasuredLanes,
           .file = {30},
           .line = {26},
           .example = "false"},
          [](auto& s) -> auto& { return s.timeline.measured; }, Switch{kMeasuredLanes}),
      row(
          {.name = "lower half",
           .words = "--lower",
           .valueName = "PERCENT",
           .help = fmt::format("for the window: height of the pages below the loom, 0 (folded) "
                               "to {}",
                               kMostLower),
           .file = {24},
           .line = {20},
           .showsUsual = true,
           .example = "45"},
          [](auto& s) -> auto& { return s.lower; },
          Numbers{"--lower", {0, kMostLower}, {0, kMostLower}}),
      row(
          {.name = "pace", .file = {16, true}, .example = R"("8 s per K tile")"},
          [](auto& s) -> auto& { return s.pace; },
          Names{kPaceNames, "there is no pace \"{}\": choose one of {}"}),
      row(
          {.name = "theme",
           .words = "--theme",
           .valueName = "THEME",
           .help = listed(kLookNames),
           .file = {12, true},
           .line = {10, true},
           .showsUsual = true,
           .example = R"("contrast")"},
          [](auto& s) -> auto& { return s.theme; },
          Names{kLookNames, "there is no theme \"{}\": choose one of {}"}),
      row(
          {.name = "text",
           .words = "--text",
           .valueName = "PERCENT",
           .help = "size of the text, 100 to 300",
           .file = {13, true},
           .line = {17},
           .showsUsual = true,
           .usual = std::to_string(kUsualText),
           .example = "175"},
          [](auto& s) -> auto& { return s.text; },
          ChosenNumber{{"--text", {kUsualText, kMostText}, {kUsualText, kMostText}}, kUsualText}),
      row(
          {.name = "timeline.delay",
           .words = "--delay",
           .valueName = "CYCLES",
           .help = fmt::format("of the timeline: cycles added to the latency of memory, 0 to {}",
                               kMostDelay),
           .file = {27},
           .line = {23},
           .showsUsual = true,
           .example = "500"},
          [](auto& s) -> auto& { return s.timeline.delay; },
          Numbers{"--delay", {0, kMostDelay}, {0, kMostDelay}}),
      row(
          {.name = "timeline.varies",
           .words = "--varies",
           .valueName = "CYCLES",
           .help = fmt::format("of the timeline: cycles by which memory varies, 0 to {}: up to "
                               "this many more, drawn for each K tile of A and of B",
                               kMostVaries),
           .file = {32},
           .line = {28},
           .showsUsual = true,
           .example = "1500"},
          [](auto& s) -> auto& { return s.timeline.varies; },
          Numbers{"--varies", {0, kMostVaries}, {0, kMostVaries}}),
      row(
          {.name = "timeline.cycles",
           .words = "--cycles",
           .valueName = "FROM:TO",
           .help = "of the timeline: the cycles that are shown (default: the first K tiles)",
           .file = {28},
           .line = {24},
           .example = R"("1200:4800")"},
          [](auto& s) -> auto& { return s.timeline.span; },
          Parsed<CycleSpan>{cyclesText, parseCycles, "a text such as \"0:12000\""}),
      row(
          {.name = "timeline.between tiles",
           .words = "--between-tiles",
           .help = "of the timeline: the change between two tiles of C of a persistent kernel (T10 "
                   "to T13)",
           .file = {31},
           .line = {27},
           .example = "true"},
          [](auto& s) -> auto& { return s.timeline.betweenTiles; }, Flag{}),
      row(
          {.name = "waits.without",
           .words = "--remove",
           .valueName = "WHAT",
           .help = "of the waits: the arrival to remove, such as empty (arrivals there), "
                   "full:boxes or registers",
           .file = {30},
           .line = {26},
           .example = R"("empty")"},
          [](auto& s) -> auto& { return s.without; }, Text{kLongestWord}),
      row(
          {.name = "loop.without",
           .words = "--without-changes",
           .valueName = "WHAT",
           .help = "of the rewritten loop: changes to leave out, such as order,loads,barrier; "
                   "pairs assigns lanes the other way",
           .file = {33},
           .line = {29},
           .example = R"("loads")"},
          [](auto& s) -> auto& { return s.loop; },
          Parsed<rewrite::Version>{versionWords, parseVersion,
                                   "a list of order, loads, barrier and pairs"}),
      row(
          {.name = "layout.array",
           .words = "--array",
           .valueName = "NAME",
           .help = "of the layout tab: the shared array, such as As (default: that of the access)",
           .file = {25},
           .line = {21},
           .example = R"("Bs")"},
          [](auto& s) -> auto& { return s.layout.array; }, Text{kLongestWord}),
      row(
          {.name = "layout.as",
           .words = "--layout",
           .valueName = "LAYOUT",
           .help = "of the layout tab: recorded, plain, pad:P (words per row) or swizzle:B,M,S",
           .file = {26},
           .line = {22},
           .showsUsual = true,
           .example = R"("swizzle:3,2,5")"},
          [](auto& s) -> auto& { return s.layout.layout; },
          Parsed<analysis::ArrayLayout>{
              [](const analysis::ArrayLayout& layout) { return layoutText(layout); },
              analysis::parseLayout, "a layout such as \"plain\", \"pad:4\" or \"swizzle:3,2,5\""}),
      row(
          {.name = "access.pattern",
           .words = "--pattern",
           .valueName = "PATTERN",
           .help = "of the page Pattern: an expression, a CuTe layout or a list, as tileloom "
                   "access reads it",
           .file = {34},
           .line = {30},
           .example = R"("lane -> lane * 33")"},
          [](auto& s) -> auto& { return s.pattern.text; }, Text{own::kLongestPattern}),
      row(
          {.name = "access.kind",
           .words = "--access",
           .valueName = "KIND",
           .help = fmt::format("of the page Pattern: {}", listed(own::kPatternKindNames)),
           .file = {35},
           .line = {31},
           .showsUsual = true,
           .example = R"("store")"},
          [](auto& s) -> auto& { return s.pattern.kind; },
          Names{own::kPatternKindNames, "--access \"{}\" is unknown: choose one of {}"}),
      row(
          {.name = "access.memory",
           .words = "--memory",
           .valueName = "MEMORY",
           .help = "of the page Pattern: shared or global",
           .file = {36},
           .line = {32},
           .showsUsual = true,
           .example = R"("global")"},
          [](auto& s) -> auto& { return s.pattern.memory; },
          Names{own::kPatternMemoryNames, "--memory \"{}\" is unknown: choose one of {}"}),
      row(
          {.name = "access.bytes",
           .words = "--bytes",
           .valueName = "N",
           .help = "of the page Pattern: bytes per lane",
           .file = {37},
           .line = {33},
           .showsUsual = true,
           .example = "16"},
          [](auto& s) -> auto& { return s.pattern.bytes; }, Numbers{"--bytes", {1, 16}, {1, 16}}),
      row(
          {.name = "access.element",
           .words = "--element",
           .valueName = "N",
           .help = "of the page Pattern: bytes of an element; 0: the usual ones",
           .file = {38},
           .line = {34},
           .showsUsual = true,
           .example = "2"},
          [](auto& s) -> auto& { return s.pattern.element; },
          Numbers{"--element", {0, 16}, {0, 16}}),
      row(
          {.name = "access.pad",
           .words = "--pad",
           .valueName = "ROW,PAD",
           .help = "of the page Pattern: PAD elements after each ROW elements",
           .file = {39},
           .line = {35},
           .example = R"("32,1")"},
          [](auto& s) -> auto& { return s.pattern.padding; }, Text{kLongestWord}),
      row(
          {.name = "access.swizzle",
           .words = "--swizzle",
           .valueName = "SWIZZLE",
           .help = "of the page Pattern: a swizzle as CuTe writes it, Swizzle<3,3,3>",
           .file = {40},
           .line = {36},
           .example = R"("Swizzle<3,3,3>")"},
          [](auto& s) -> auto& { return s.pattern.swizzle; }, Text{kLongestWord}),
      row(
          {.name = "access.unit",
           .words = "--swizzle-of",
           .valueName = "UNIT",
           .help = fmt::format("of the page Pattern: what the swizzle counts: {}",
                               listed(own::kSwizzleUnitNames)),
           .file = {41},
           .line = {37},
           .showsUsual = true,
           .example = R"("bytes")"},
          [](auto& s) -> auto& { return s.pattern.unit; },
          Names{own::kSwizzleUnitNames, "--swizzle-of \"{}\" is unknown: choose one of {}"}),
      row(
          {.name = "access.warp",
           .words = "--pattern-warp",
           .valueName = "N",
           .help = "of the page Pattern: the warp that is shown",
           .file = {42},
           .line = {38},
           .showsUsual = true,
           .example = "3"},
          [](auto& s) -> auto& { return s.pattern.warp; },
          Numbers{"--pattern-warp", {0, kWarps - 1}, {0, kWarps - 1}}),
      row(
          {.name = "access.step",
           .words = "--pattern-step",
           .valueName = "N",
           .help = "of the page Pattern: the step that is shown",
           .file = {43},
           .line = {39},
           .showsUsual = true,
           .example = "2"},
          [](auto& s) -> auto& { return s.pattern.step; },
          Numbers{"--pattern-step", {0, kLastPatternStep}, {0, kLastPatternStep}}),
  };
  for (Option& o : rows) {
    if (o.showsUsual && o.usual.empty()) o.usual = *o.print(Session());
  }
  return rows;
}

}  // namespace

std::span<const Option> options() {
  static const std::vector<Option> rows = table();
  return rows;
}

std::vector<const Option*> inOrder(Option::Place Option::*place) {
  std::vector<const Option*> rows;
  for (const Option& o : options()) rows.push_back(&o);
  std::ranges::stable_sort(rows, {}, [place](const Option* o) { return (o->*place).order; });
  return rows;
}

}  // namespace tileloom
