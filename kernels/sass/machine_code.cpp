// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/tile/words.h"

namespace tileloom::sass {
namespace {

using nlohmann::json;

constexpr int kMostRegisters = 1024;
constexpr std::size_t kLongestText = 200;
constexpr int kMany = 1 << 30;

// Members of the header; remembers the first that is wrong.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  std::string text(const char* key) {
    const auto value = object_.find(key);
    if (value == object_.end() || !value->is_string() ||
        value->get_ref<const std::string&>().size() > kLongestText) {
      complain(key);
      return {};
    }
    return value->get<std::string>();
  }
  int integer(const char* key, int least, int most) {
    const auto value = object_.find(key);
    if (value == object_.end() || !value->is_number_integer() ||
        value->get<std::int64_t>() < least || value->get<std::int64_t>() > most) {
      complain(key);
      return least;
    }
    return value->get<int>();
  }
  void complain(const char* key) {
    if (error_.empty()) error_ = fmt::format("\"{}\" of a listing is missing or wrong", key);
  }
  const std::string& error() const { return error_; }

 private:
  const json& object_;
  std::string error_;
};

}  // namespace

json headerJson(const MachineCode& c) {
  json tile = json::object();
  for (const KnobSpec& spec : c.stage->knobs)
    tile[std::string(name(spec.knob))] = c.tile[spec.knob];
  return {{"schema", kListingSchema},
          {"stage", c.stage->id},
          {"tile", std::move(tile)},
          {"arch", c.arch},
          {"nvrtc", c.nvrtc},
          {"source_hash", c.sourceHash},
          {"tool", c.tool},
          {"when", c.when},
          {"registers", c.registers},
          {"spill_bytes", c.spillBytes},
          {"kernel", c.listing.kernel},
          {"instructions", c.listing.instructions.size()}};
}

tl::expected<MachineCode, std::string> machineCodeFrom(const json& header, std::string_view code) {
  if (!header.is_object()) return tl::unexpected(std::string("a listing's header is no object"));
  Fields fields(header);
  if (fields.text("schema") != kListingSchema) fields.complain("schema");
  MachineCode c;
  const std::string id = fields.text("stage");
  const Stage* stage = stageWithId(id);
  if (stage == nullptr) {
    fields.complain("stage");
    return tl::unexpected(fields.error());
  }
  c.stage = stage;
  const json tile = header.value("tile", json());
  for (const KnobSpec& spec : stage->knobs) {
    const auto value = tile.is_object() ? tile.find(std::string(name(spec.knob))) : tile.end();
    if (!tile.is_object() || value == tile.end() || !value->is_number_integer()) {
      fields.complain("tile");
      break;
    }
    c.tile[spec.knob] = value->get<int>();
  }
  c.arch = fields.text("arch");
  c.nvrtc = fields.text("nvrtc");
  c.sourceHash = fields.text("source_hash");
  c.tool = fields.text("tool");
  c.when = fields.text("when");
  c.registers = fields.integer("registers", -1, kMostRegisters);
  c.spillBytes = fields.integer("spill_bytes", 0, kMany);
  const std::string kernel = fields.text("kernel");
  const int count = fields.integer("instructions", 1, kMany);
  if (!fields.error().empty()) return tl::unexpected(fields.error());
  auto listing = parseCode(code);
  if (!listing) return tl::unexpected(listing.error());
  if (listing->instructions.size() != static_cast<std::size_t>(count)) {
    return tl::unexpected(fmt::format("a listing of {} instructions should have {}",
                                      listing->instructions.size(), count));
  }
  c.listing = std::move(*listing);
  c.listing.kernel = kernel;
  return c;
}

std::string codeText(const Listing& listing) {
  std::string text;
  for (const Instruction& i : listing.instructions) {
    if (i.live) text += fmt::format("{} ", *i.live);
    text += i.text();
    text += '\n';
  }
  return text;
}

tl::expected<Listing, std::string> parseCode(std::string_view text) {
  Listing listing;
  std::uint32_t address = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    int live = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), live);
    const bool counted = error == std::errc();
    if (counted) line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
    auto instruction = parseInstruction(line);
    if (!instruction || (counted && (live < 0 || live > kMostRegisters))) {
      return tl::unexpected(
          fmt::format("line {} of a listing is no instruction", listing.instructions.size() + 1));
    }
    instruction->address = address;
    if (counted) instruction->live = live;
    address += 16;
    listing.instructions.push_back(std::move(*instruction));
  }
  return listing;
}

std::string recordText(const MachineCode& code) {
  return headerJson(code).dump() + "\n" + codeText(code.listing);
}

}  // namespace tileloom::sass
