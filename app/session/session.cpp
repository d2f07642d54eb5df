// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/commands/parse.h"
#include "app/session/page_ids.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_level.h"

namespace tileloom {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kMatrices = {"A", "B", "C"};
constexpr int kMost = std::numeric_limits<int>::max();

ordered_json tileJson(const Stage& stage, const TileShape& tile) {
  ordered_json knobs = ordered_json::object();
  for (const KnobSpec& spec : stage.knobs) knobs[std::string(name(spec.knob))] = tile[spec.knob];
  return knobs;
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

// Reads members of an object; the first complaint stays.
class Reader {
 public:
  explicit Reader(const json& object, std::string path = {})
      : object_(object), path_(std::move(path)) {}

  long long number(const char* key, long long least, long long most, long long usual) {
    const json* value = find(key);
    if (value == nullptr) return usual;
    if (value->is_number_integer()) {
      const bool huge = value->is_number_unsigned() &&
                        value->get<unsigned long long>() > static_cast<unsigned long long>(kMost);
      const long long n = huge ? least - 1 : value->get<long long>();
      if (n >= least && n <= most) return n;
    }
    complain(key, fmt::format("a whole number from {} to {}", least, most));
    return usual;
  }

  std::string word(const char* key, std::span<const std::string_view> allowed,
                   std::string_view usual) {
    const json* value = find(key);
    if (value == nullptr) return std::string(usual);
    if (value->is_string()) {
      const auto said = value->get<std::string>();
      for (const std::string_view each : allowed) {
        if (each == said) return said;
      }
    }
    complain(key, fmt::format("one of {}", fmt::join(allowed, ", ")));
    return std::string(usual);
  }

  // Of at most so many bytes; empty if it is not there.
  std::string text(const char* key, std::size_t longest) {
    const json* value = find(key);
    if (value == nullptr) return {};
    if (value->is_string() && value->get_ref<const std::string&>().size() <= longest)
      return value->get<std::string>();
    complain(key, fmt::format("a text of at most {} bytes", longest));
    return {};
  }

  bool flag(const char* key, bool usual) {
    const json* value = find(key);
    if (value == nullptr) return usual;
    if (!value->is_boolean()) {
      complain(key, "true or false");
      return usual;
    }
    return value->get<bool>();
  }

  // The member as an object; nothing if it is not there.
  const json* object(const char* key) {
    const json* value = find(key);
    if (value == nullptr || value->is_object()) return value;
    complain(key, "an object");
    return nullptr;
  }

  const json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  void complain(const std::string& key, const std::string& wanted) {
    if (complaint.empty())
      complaint =
          fmt::format("the session's \"{}{}\" must be {}", path_, app::quotable(key), wanted);
  }

  std::string complaint;

 private:
  const json& object_;
  std::string path_;
};

TileShape tileFrom(const Stage& stage, const json& knobs, const std::string& path,
                   std::string& complaint) {
  Reader reader(knobs, path);
  TileShape tile = stage.standardTile();
  for (const KnobSpec& spec : stage.knobs) {
    const std::string key(name(spec.knob));
    tile[spec.knob] =
        static_cast<int>(reader.number(key.c_str(), spec.min, spec.max, tile[spec.knob]));
  }
  if (complaint.empty()) complaint = reader.complaint;
  return tile;
}

Selection selectionFrom(const json& held, std::string& complaint) {
  Reader reader(held, "held.");
  Selection s;
  if (reader.find("thread") != nullptr)
    s.thread = static_cast<std::uint32_t>(reader.number("thread", 0, 1023, 0));
  if (const json* element = reader.object("element")) {
    Reader inner(*element, "held.element.");
    const std::string matrix = inner.word("matrix", kMatrices, "A");
    s.element =
        analysis::Element{static_cast<analysis::Matrix>(matrix[0] - 'A'),
                          inner.number("row", 0, kMost, 0), inner.number("column", 0, kMost, 0)};
    if (reader.complaint.empty()) reader.complaint = inner.complaint;
  }
  if (const json* word = reader.object("word")) {
    Reader inner(*word, "held.word.");
    s.word = analysis::SharedWord{static_cast<std::uint32_t>(inner.number("array", 0, 255, 0)),
                                  static_cast<std::uint32_t>(inner.number("index", 0, kMost, 0))};
    if (reader.complaint.empty()) reader.complaint = inner.complaint;
  }
  if (complaint.empty()) complaint = reader.complaint;
  return s;
}

// A device may be one that this machine has never seen.
constexpr std::size_t kLongestDevice = 200;

ordered_json tuningJson(const TuningChoice& t) {
  ordered_json made = {{"form", kTuningFormNames[static_cast<std::size_t>(t.form)]},
                       {"others", kOthersNames[static_cast<std::size_t>(t.others)]}};
  if (t.axes) made["axes"] = axesText(*t.axes);
  if (!t.device.empty()) made["device"] = t.device;
  if (!t.beside.empty()) made["beside"] = t.beside;
  return made;
}

TuningChoice tuningFrom(const json& object, std::string& complaint) {
  Reader reader(object, "tuning.");
  TuningChoice t;
  const auto numberOf = [&](const char* key, std::span<const std::string_view> names) {
    const std::string word = reader.word(key, names, names.front());
    return std::ranges::find(names, word) - names.begin();
  };
  t.form = static_cast<TuningForm>(numberOf("form", kTuningFormNames));
  t.others = static_cast<tuning::Others>(numberOf("others", kOthersNames));
  if (const json* said = reader.find("axes")) {
    const auto axes =
        said->is_string()
            ? parseAxes(said->get<std::string>())
            : tl::expected<MapAxes, std::string>(tl::unexpected<std::string>("no text"));
    if (axes) {
      t.axes = *axes;
    } else {
      reader.complain("axes", "two knobs, such as \"BM,BN\"");
    }
  }
  t.device = reader.text("device", kLongestDevice);
  t.beside = reader.text("beside", kLongestDevice);
  if (complaint.empty()) complaint = reader.complaint;
  return t;
}

}  // namespace

std::string sessionText(const Session& session) {
  const ViewState& s = session.state;
  ordered_json whole = {{"schema", kSessionSchema},
                        {"stage", s.stage->id},
                        {"tile", tileJson(*s.stage, s.tile)},
                        {"size", toString(s.problem)},
                        {"row", s.row},
                        {"column", s.column},
                        {"warp", s.warp},
                        {"instruction", s.index},
                        {"held", selectionJson(s.held)},
                        {"tiles", ordered_json::object()},
                        {"tab", session.tab},
                        {"zoom", session.zoom},
                        {"theme", session.theme},
                        {"text", session.text ? ordered_json(*session.text) : ordered_json()},
                        {"ladder panel", session.ladderPanel},
                        {"tile panel", session.tilePanel},
                        {"speed", session.speed}};
  if (s.pinned) whole["baseline"] = pinnedText(*s.pinned);
  if (session.level != RooflineLevel::Dram) whole["roofline"] = nameOf(session.level);
  if (!(session.tuning == TuningChoice())) whole["tuning"] = tuningJson(session.tuning);
  for (const auto& [stage, tile] : session.tiles)
    whole["tiles"][std::string(stage->id)] = tileJson(*stage, tile);
  return whole.dump(2) + "\n";
}

std::string commandLineOf(const Session& session, const Extent& block) {
  const ViewState& state = session.state;
  const Session usual;
  std::string line = fmt::format(
      "tileloom render window --stage {} --tile {} --size {} --block {},{} --warp {} --step {}",
      state.stage->id, app::tileText(*state.stage, state.tile), toString(state.problem), block.x,
      block.y, state.warp, state.index);
  if (state.held.thread && *state.held.thread / emulator::kWarpSize == state.warp)
    line += fmt::format(" --lane {}", *state.held.thread % emulator::kWarpSize);
  if (state.pinned) line += " --beside " + pinnedText(*state.pinned);
  line += fmt::format(" --zoom {} --tab {} --theme {}", session.zoom, session.tab, session.theme);
  if (session.level != usual.level) line += fmt::format(" --level {}", nameOf(session.level));
  line += optionsOf(session.tuning);
  if (session.text && *session.text != kUsualText) line += fmt::format(" --text {}", *session.text);
  if (!session.ladderPanel) line += fmt::format(" --without {}", kLadderPanel);
  if (!session.tilePanel) line += fmt::format(" --without {}", kTilePanel);
  line += " --out view.png";
  return line;
}

std::string sessionLink(const Session& session) {
  // Without white space, and in letters that no program changes on the way.
  const std::string text = json::parse(sessionText(session)).dump();
  const QByteArray packed = qCompress(QByteArray::fromStdString(text), 9);
  return std::string(kLinkScheme) +
         packed.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
             .toStdString();
}

tl::expected<Session, std::string> parseLink(std::string_view link) {
  const std::string broken = "this link is cut or changed: copy the whole of it";
  if (!link.starts_with(kLinkScheme)) return tl::unexpected("this is no link to a view: " + broken);
  link.remove_prefix(kLinkScheme.size());
  constexpr std::size_t kLongest = 1 << 16;
  const auto bytes = QByteArray::fromBase64Encoding(
      QByteArray(link.data(), static_cast<qsizetype>(std::min(link.size(), kLongest))),
      QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
  // The first four bytes tell the size of what is packed: nobody's memory is asked for gigabytes.
  if (!bytes || bytes.decoded.size() < 5 || bytes.decoded[0] != 0 || bytes.decoded[1] > 15)
    return tl::unexpected(broken);
  const QByteArray text = qUncompress(bytes.decoded);
  if (text.isEmpty()) return tl::unexpected(broken);
  return parseSession(text.toStdString());
}

tl::expected<Session, std::string> parseSession(std::string_view text) {
  const json whole = json::parse(text, nullptr, false);
  if (!whole.is_object())
    return tl::unexpected<std::string>("this is no session: choose a file that Tileloom has saved");
  Reader reader(whole);
  const json* schema = reader.find("schema");
  if (schema == nullptr || *schema != kSessionSchema) {
    return tl::unexpected(
        fmt::format("this session's \"schema\" is not {}: it is no session, or of a newer Tileloom",
                    kSessionSchema));
  }
  const json* id = reader.find("stage");
  if (id == nullptr || !id->is_string())
    return tl::unexpected<std::string>("the session's \"stage\" must be the name of a stage");
  const auto stage = app::parseStage(id->get<std::string>());
  if (!stage) return tl::unexpected(stage.error());

  Session session;
  ViewState& s = session.state;
  std::string complaint;
  s.stage = *stage;
  s.tile = s.stage->standardTile();
  if (const json* tile = reader.object("tile"))
    s.tile = tileFrom(*s.stage, *tile, "tile.", complaint);
  s.problem = kOpeningProblem;
  if (const json* size = reader.find("size")) {
    const auto parsed =
        size->is_string()
            ? app::parseSize(size->get<std::string>())
            : tl::expected<Problem, std::string>(tl::unexpected<std::string>("no text"));
    if (parsed) {
      s.problem = *parsed;
    } else {
      reader.complain("size", "a text such as \"1024x1024x1024\"");
    }
  }
  s.row = static_cast<int>(reader.number("row", 0, kMost, 0));
  s.column = static_cast<int>(reader.number("column", 0, kMost, 0));
  s.warp = static_cast<std::uint32_t>(reader.number("warp", 0, 31, 0));
  s.index = static_cast<std::uint32_t>(reader.number("instruction", 0, kMost, 0));
  if (const json* held = reader.object("held")) s.held = selectionFrom(*held, complaint);
  if (const json* baseline = reader.find("baseline")) {
    const auto pinned =
        baseline->is_string()
            ? parsePinned(baseline->get<std::string>())
            : tl::expected<Pinned, std::string>(tl::unexpected<std::string>("no text"));
    if (pinned) {
      s.pinned = *pinned;
    } else {
      reader.complain("baseline", "a text such as \"vectorized\" or \"warptiled:WNITER=2\"");
    }
  }
  if (const json* tiles = reader.object("tiles")) {
    for (const auto& [key, knobs] : tiles->items()) {
      const auto other = app::parseStage(key);
      if (!other) continue;  // a rung of a newer Tileloom
      if (!knobs.is_object()) {
        reader.complain("tiles." + key, "an object");
        continue;
      }
      session.tiles[*other] = tileFrom(**other, knobs, "tiles." + key + ".", complaint);
    }
  }
  session.tab = reader.word("tab", kTabIds, session.tab);
  session.zoom = reader.word("zoom", kZoomNames, session.zoom);
  session.theme = reader.word("theme", kLookNames, session.theme);
  if (reader.find("text") != nullptr)
    session.text = static_cast<int>(reader.number("text", kUsualText, kMostText, kUsualText));
  session.ladderPanel = reader.flag("ladder panel", session.ladderPanel);
  session.tilePanel = reader.flag("tile panel", session.tilePanel);
  if (const std::string level = reader.word("roofline", kRooflineLevelNames, ""); !level.empty())
    session.level = *rooflineLevelNamed(level);
  if (const json* tuning = reader.object("tuning")) session.tuning = tuningFrom(*tuning, complaint);
  session.speed = static_cast<int>(reader.number("speed", 1, 100000, session.speed));
  if (complaint.empty()) complaint = reader.complaint;
  if (!complaint.empty()) return tl::unexpected(complaint);
  return session;
}

}  // namespace tileloom
