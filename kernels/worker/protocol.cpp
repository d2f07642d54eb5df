// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/worker/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::worker {
namespace {

using nlohmann::json;

constexpr int kMaxDimension = 32768;
constexpr double kLongest = 10 * 60 * 1000.0;  // ms that a launch may be allowed
constexpr std::size_t kLongestText = 200;      // bytes: names and versions
constexpr std::size_t kLongestReason = 1000;   // characters
constexpr std::size_t kLongestList = 1024;

// "x" of compile's parameters: a message says null where it means null.
class Reader : public JsonReader {
 public:
  Reader(const json& object, const std::string& what)
      : JsonReader(object, {.after = "\" of " + what,
                            .absent = "is not there",
                            .whole = what,
                            .nullIsAbsent = false}) {}

  std::string text(const char* key, bool optional = false) {
    const json* value = find(key);
    if (value != nullptr && value->is_null()) return {};
    return JsonReader::text(key, kLongestText,
                            optional ? std::optional<std::string_view>("") : std::nullopt);
  }
  const json& list(const char* key) { return JsonReader::list(key, kLongestList, "values"); }
};

json tileJson(const Stage& stage, const TileShape& tile) {
  json object = json::object();
  for (const ParameterSpec& spec : stage.parameters)
    object[std::string(name(spec.parameter))] = tile[spec.parameter];
  return object;
}

std::vector<std::string_view> architectureNames() {
  std::vector<std::string_view> names;
  for (const Architecture& arch : architectures()) names.push_back(arch.name);
  return names;
}

// Only ids and tile parameters of the registry pass: no text of a message is passed on.
const Stage* readStageId(Reader& reader) {
  const Stage* stage = stageOfEitherLadder(reader.text("stage"));
  if (stage == nullptr) reader.complain("stage", "the id of a stage");
  return stage;
}

bool readTile(Reader& reader, const char* key, const json& parameters, const Stage& stage,
              TileShape& tile) {
  tile = TileShape();
  JsonReader sizes(parameters);
  for (const ParameterSpec& spec : stage.parameters) {
    tile[spec.parameter] = sizes.integer(name(spec.parameter), spec.min, spec.max);
    if (sizes.good()) continue;
    reader.complain(key, fmt::format("a tile of {}: {} is missing or not from {} to {}", stage.id,
                                     name(spec.parameter), spec.min, spec.max));
    return false;
  }
  return true;
}

// One of the stage's; absent: its usual one.
Format readFormat(Reader& reader, const Stage* stage) {
  if (stage == nullptr) return Format::Fp32;
  if (reader.find("arithmetic") == nullptr) return stage->usualFormat();
  const auto known = formatNamed(reader.text("arithmetic"));
  if (known && stage->calculatesIn(*known)) return *known;
  reader.complain("arithmetic", fmt::format("one that {} has: {}", stage->id,
                                            fmt::join(formatNames(*stage), " or ")));
  return stage->usualFormat();
}

// None after a complaint.
Subject readSubject(Reader& reader) {
  const Stage* stage = readStageId(reader);
  if (stage == nullptr) return {};
  TileShape tile;
  const json* parameters = reader.object("tile");
  if (parameters == nullptr || !readTile(reader, "tile", *parameters, *stage, tile)) return {};
  return {stage, tile, readFormat(reader, stage)};
}

// Messages that an older worker understands stay the same.
void addFormat(json& message, const Stage& stage, Format format) {
  if (format != stage.usualFormat()) message["arithmetic"] = rowOf(format).name;
}

Problem readProblem(Reader& reader) {
  return {reader.integer("m", 1, kMaxDimension), reader.integer("n", 1, kMaxDimension),
          reader.integer("k", 1, kMaxDimension)};
}

int readDevice(Reader& reader) {
  return reader.integer("device", 0, 1023, 0);
}

double readLimit(Reader& reader, double usual) {
  return reader.clamped("limit_ms", 1, kLongest, usual);
}

// Refuses parameters that another method uses and this one would ignore.
void refuse(Reader& reader, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (reader.find(key) != nullptr) reader.say(key, "is not used here: leave it out");
}

void refuseRounds(Reader& reader) {
  refuse(reader, {"min_rounds", "max_rounds", "spread", "budget_ms", "counters"});
}

Architecture readArchitecture(Reader& reader) {
  if (const auto known = architectureNamed(reader.text("arch"))) return *known;
  reader.complain("arch", fmt::format("one of {}", fmt::join(architectureNames(), ", ")));
  return {};
}

json deviceJson(const gpu::DeviceInfo& d) {
  return {{"index", d.index},
          {"name", d.name},
          {"bus", d.bus},
          {"major", d.major},
          {"minor", d.minor},
          {"sms", d.sms},
          {"warps_per_sm", d.warpsPerSm},
          {"blocks_per_sm", d.blocksPerSm},
          {"registers_per_sm", d.registersPerSm},
          {"shared_per_sm", d.sharedPerSm},
          {"shared_per_block", d.sharedPerBlock},
          {"l2_bytes", d.l2Bytes},
          {"memory_bytes", d.memoryBytes},
          {"clock_mhz", d.clockMHz}};
}

Parsed<gpu::DeviceInfo> deviceFrom(const json& value) {
  constexpr int kMany = 1 << 30;
  Reader r(value, "a device");
  gpu::DeviceInfo d;
  d.index = r.integer("index", 0, 1023);
  d.name = r.text("name");
  d.bus = r.text("bus");
  d.major = r.integer("major", 1, 99);
  d.minor = r.integer("minor", 0, 9);
  d.sms = r.integer("sms", 1, 10000);
  d.warpsPerSm = r.integer("warps_per_sm", 1, 1024);
  d.blocksPerSm = r.integer("blocks_per_sm", 1, 1024);
  d.registersPerSm = r.integer("registers_per_sm", 1, kMany);
  d.sharedPerSm = r.integer("shared_per_sm", 1, kMany);
  d.sharedPerBlock = r.integer("shared_per_block", 1, kMany);
  d.l2Bytes = r.integer("l2_bytes", 0, kMany);
  d.memoryBytes = static_cast<std::uint64_t>(r.number("memory_bytes", 0, 1e15));
  d.clockMHz = r.integer("clock_mhz", 0, 100000);
  if (!r.good()) return tl::unexpected(r.complaint());
  return d;
}

}  // namespace

json toJson(const WorkerInfo& i) {
  json devices = json::array();
  for (const auto& d : i.devices) devices.push_back(deviceJson(d));
  return {{"protocol", kProtocol}, {"version", i.version},
          {"nvrtc", i.nvrtc},      {"architectures", i.architectures},
          {"cublas", i.cublas},    {"cublaslt", i.cublasLt},
          {"driver", i.driver},    {"driver_version", i.driverVersion},
          {"devices", devices},    {"missing", i.missing}};
}

Parsed<WorkerInfo> workerInfoFrom(const json& value) {
  Reader r(value, "the worker's hello");
  const int protocol = r.integer("protocol", 0, 1 << 20);
  if (r.good() && protocol != kProtocol) {
    return tl::unexpected(
        fmt::format("the worker speaks protocol {} and this window {}: install the same version of "
                    "Tileloom on both",
                    protocol, kProtocol));
  }
  WorkerInfo i;
  i.version = r.text("version");
  i.nvrtc = r.text("nvrtc");
  i.cublas = r.text("cublas");
  i.cublasLt = r.text("cublaslt");
  i.driver = r.text("driver");
  i.driverVersion = r.text("driver_version", true);
  for (const json& a : r.list("architectures")) {
    constexpr int kMost = 1000;  // 90 is sm_90
    if (!a.is_number_integer() || a < 1 || a > kMost)
      return tl::unexpected(std::string(
          "the worker's hello names an architecture that is not a whole number from 1 to 1000"));
    i.architectures.push_back(a.get<int>());
  }
  for (const json& d : r.list("devices")) {
    auto device = deviceFrom(d);
    if (!device) return tl::unexpected(device.error());
    i.devices.push_back(std::move(*device));
  }
  for (const json& m : r.list("missing")) {
    if (m.is_string()) i.missing.push_back(reasonText(m.get_ref<const std::string&>()));
  }
  if (!r.good()) return tl::unexpected(r.complaint());
  return i;
}

json toJson(const CompileFacts& f) {
  return {{"registers", f.resources.registers},
          {"spill_stores", f.resources.spillStores},
          {"spill_loads", f.resources.spillLoads},
          {"stack", f.resources.stackBytes},
          {"remarks", f.remarks},
          {"static_shared", f.resources.staticShared},
          {"dynamic_shared", f.dynamicShared},
          {"loop_instructions", f.loop.instructions},
          {"loop_ffmas", f.loop.ffmas},
          {"loop_hmmas", f.loop.hmmas},
          {"loop_hgmmas", f.loop.hgmmas},
          {"rewritten", f.rewritten},
          {"not_rewritten", f.whyNotRewritten},
          {"arch", f.arch},
          {"nvrtc", f.nvrtc},
          {"fingerprint", f.fingerprint},
          {"ms", f.milliseconds},
          {"cached", f.cached}};
}

Parsed<CompileFacts> compileFactsFrom(const json& value) {
  constexpr int kMany = 1 << 30;
  Reader r(value, "the worker's answer");
  CompileFacts f;
  f.resources.registers = r.integer("registers", -1, 1024);
  f.resources.spillStores = r.integer("spill_stores", 0, kMany);
  f.resources.spillLoads = r.integer("spill_loads", 0, kMany);
  f.resources.stackBytes = r.integer("stack", 0, kMany);
  f.resources.staticShared = r.integer("static_shared", 0, kMany);
  f.dynamicShared = r.integer("dynamic_shared", 0, kMany);
  f.loop.instructions = r.integer("loop_instructions", 0, kMany);
  f.loop.ffmas = r.integer("loop_ffmas", 0, f.loop.instructions);
  f.loop.hmmas = r.integer("loop_hmmas", 0, f.loop.instructions, 0);
  f.loop.hgmmas = r.integer("loop_hgmmas", 0, f.loop.instructions, 0);
  for (const json& remark :
       r.JsonReader::list("remarks", kMostRemarks, "strings", JsonReader::Need::Optional)) {
    if (remark.is_string()) f.remarks.push_back(reasonText(remark.get_ref<const std::string&>()));
  }
  f.rewritten = r.flag("rewritten", false);
  f.whyNotRewritten = reasonText(r.text("not_rewritten", true));
  f.arch = r.text("arch");
  f.nvrtc = r.text("nvrtc");
  f.fingerprint = r.text("fingerprint");
  f.milliseconds = r.number("ms", 0, 1e9);
  f.cached = r.flag("cached");
  if (!r.good()) return tl::unexpected(r.complaint());
  return f;
}

json toJson(const CompileRequest& q) {
  json message = {
      {"stage", q.rung()->id}, {"tile", tileJson(*q.rung(), q.tile)}, {"arch", q.arch.name}};
  addFormat(message, *q.rung(), q.format);
  return message;
}

Parsed<CompileRequest> compileRequestFrom(const json& params) {
  Reader r(params, "compile's parameters");
  CompileRequest q;
  q.subject() = readSubject(r);
  q.arch = readArchitecture(r);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const AheadRequest& q) {
  json tiles = json::array();
  for (const TileShape& tile : q.tiles) tiles.push_back(tileJson(*q.stage, tile));
  json message = {{"stage", q.stage->id}, {"tiles", std::move(tiles)}, {"arch", q.arch.name}};
  addFormat(message, *q.stage, q.format);
  return message;
}

Parsed<AheadRequest> aheadRequestFrom(const json& params) {
  Reader r(params, "ahead's parameters");
  AheadRequest q;
  q.stage = readStageId(r);
  for (const json& tile : r.list("tiles")) {
    if (q.stage == nullptr || q.tiles.size() >= AheadRequest::kMost) break;
    if (!tile.is_object()) r.complain("tiles", "a list of tiles");
    if (!r.good()) break;
    readTile(r, "tiles", tile, *q.stage, q.tiles.emplace_back());
  }
  q.arch = readArchitecture(r);
  q.format = readFormat(r, q.stage);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const AheadAnswer& a) {
  json compiled = json::array();
  for (const AheadAnswer::Compiled& c : a.compiled) {
    compiled.push_back({{"stage", c.rung()->id},
                        {"tile", tileJson(*c.rung(), c.tile)},
                        {"arch", c.arch.name},
                        {"failed", c.failed},
                        {"registers", c.registers},
                        {"spill_stores", c.spillStores},
                        {"spill_loads", c.spillLoads},
                        {"loop_instructions", c.loop.instructions},
                        {"loop_ffmas", c.loop.ffmas},
                        {"loop_hmmas", c.loop.hmmas},
                        {"loop_hgmmas", c.loop.hgmmas},
                        {"as_compiled", c.asCompiled}});
    addFormat(compiled.back(), *c.rung(), c.format);
  }
  return {{"processes", a.processes}, {"compiled", std::move(compiled)}};
}

Parsed<AheadAnswer> aheadAnswerFrom(const json& value) {
  constexpr int kMany = 1 << 30;
  Reader r(value, "the worker's answer");
  AheadAnswer a;
  a.processes = r.integer("processes", 0, kMany);
  for (const json& each : r.list("compiled")) {
    Reader one(each, "a compiled tile");
    AheadAnswer::Compiled& c = a.compiled.emplace_back();
    c.subject() = readSubject(one);
    c.arch = readArchitecture(one);
    c.failed = one.flag("failed");
    c.registers = one.integer("registers", -1, 1024);
    c.spillStores = one.integer("spill_stores", 0, kMany);
    c.spillLoads = one.integer("spill_loads", 0, kMany);
    c.loop.instructions = one.integer("loop_instructions", 0, kMany);
    c.loop.ffmas = one.integer("loop_ffmas", 0, kMany);
    c.loop.hmmas = one.integer("loop_hmmas", 0, kMany, 0);
    c.loop.hgmmas = one.integer("loop_hgmmas", 0, kMany, 0);
    c.asCompiled = one.flag("as_compiled", false);
    if (!one.good()) return tl::unexpected(one.complaint());
  }
  if (!r.good()) return tl::unexpected(r.complaint());
  return a;
}

json toJson(const MeasureRequest& q) {
  json message = {{"stage", q.rung()->id},
                  {"tile", tileJson(*q.rung(), q.tile)},
                  {"m", q.problem.m},
                  {"n", q.problem.n},
                  {"k", q.problem.k},
                  {"device", q.device},
                  {"min_rounds", q.options.minRounds},
                  {"max_rounds", q.options.maxRounds},
                  {"spread", q.options.spread},
                  {"budget_ms", q.options.budgetMs},
                  {"limit_ms", q.options.limitMs},
                  {"counters", q.counters}};
  addFormat(message, *q.rung(), q.format);
  return message;
}

Parsed<MeasureRequest> measureRequestFrom(const json& params) {
  Reader r(params, "measure's parameters");
  const gpu::MeasureOptions usual;
  MeasureRequest q;
  q.subject() = readSubject(r);
  q.problem = readProblem(r);
  q.device = readDevice(r);
  q.options.minRounds = static_cast<int>(r.clamped("min_rounds", 1, 1000, usual.minRounds));
  q.options.maxRounds = static_cast<int>(r.clamped("max_rounds", 1, 100000, usual.maxRounds));
  q.options.spread = r.clamped("spread", 0, 1, usual.spread);
  q.options.budgetMs = r.clamped("budget_ms", 0, kLongest, usual.budgetMs);
  q.options.limitMs = readLimit(r, usual.limitMs);
  q.counters = r.flag("counters", false);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const SampleRequest& q) {
  json message = {{"stage", q.rung()->id}, {"tile", tileJson(*q.rung(), q.tile)},
                  {"m", q.problem.m},      {"n", q.problem.n},
                  {"k", q.problem.k},      {"device", q.device},
                  {"limit_ms", q.limitMs}};
  addFormat(message, *q.rung(), q.format);
  return message;
}

Parsed<SampleRequest> sampleRequestFrom(const json& params) {
  Reader r(params, "sample's parameters");
  SampleRequest q;
  q.subject() = readSubject(r);
  q.problem = readProblem(r);
  q.device = readDevice(r);
  q.limitMs = readLimit(r, q.limitMs);
  refuseRounds(r);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const LoopRequest& q) {
  return {{"stage", q.rung()->id},
          {"tile", tileJson(*q.rung(), q.tile)},
          {"device", q.device},
          {"limit_ms", q.limitMs}};
}

Parsed<LoopRequest> loopRequestFrom(const json& params) {
  Reader r(params, "loop's parameters");
  LoopRequest q;
  q.subject() = readSubject(r);
  q.device = readDevice(r);
  q.limitMs = readLimit(r, q.limitMs);
  if (q.rung() != nullptr && q.format != q.rung()->usualFormat())
    r.say("arithmetic", fmt::format("is {}, and loops are timed in {}: leave it out",
                                    rowOf(q.format).name, rowOf(q.rung()->usualFormat()).name));
  refuse(r, {"m", "n", "k"});
  refuseRounds(r);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const CeilingsRequest& q) {
  return {{"device", q.device}, {"limit_ms", q.limitMs}};
}

Parsed<CeilingsRequest> ceilingsRequestFrom(const json& params) {
  Reader r(params, "ceilings' parameters");
  CeilingsRequest q;
  q.device = readDevice(r);
  q.limitMs = readLimit(r, q.limitMs);
  if (!r.good()) return tl::unexpected(r.complaint());
  return q;
}

json toJson(const sass::MachineCode& code) {
  json all = sass::headerJson(code);
  all["code"] = sass::codeText(code.listing, placesIn(*code.rung()));
  return all;
}

Parsed<sass::MachineCode> machineCodeFrom(const json& value) {
  if (!value.is_object() || !value.contains("code") || !value["code"].is_string())
    return tl::unexpected(std::string("\"code\" of the worker's answer is not a string"));
  return sass::machineCodeFrom(value, value["code"].get_ref<const std::string&>());
}

json parseLine(std::string_view line) {
  auto message = parseJson(line, kMessageBounds);
  return message ? std::move(*message) : json(json::value_t::discarded);
}

std::string reasonText(std::string_view text) {
  return quotable(text, kLongestReason);
}

std::string requestLine(std::uint64_t id, std::string_view method, const json& params) {
  return dumped(json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

std::string resultLine(const json& id, const json& result) {
  return dumped(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

std::string errorLine(const json& id, int code, const std::string& message,
                      std::optional<Trouble> trouble) {
  json error = {{"code", code}, {"message", message}};
  if (trouble) error["data"] = {{"trouble", name(*trouble)}};
  return dumped(json{{"jsonrpc", "2.0"}, {"id", id}, {"error", error}});
}

std::string progressLine(const json& id, const json& run) {
  return dumped(
      json{{"jsonrpc", "2.0"}, {"method", "progress"}, {"params", {{"id", id}, {"run", run}}}});
}

}  // namespace tileloom::worker
