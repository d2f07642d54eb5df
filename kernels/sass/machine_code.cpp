// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "kernels/base/base64.h"
#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/read_subject.h"
#include "kernels/tile/words.h"

namespace tileloom::sass {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kLongestCubin = 60 * 1024;  // as text, so that a header stays a short line
constexpr int kMany = 1 << 30;
constexpr char kPlaceMark = '@';  // "98@466 FFMA …"; not followed by a digit in a predicate

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// Parses and removes a number at the front. std::nullopt: the text does not begin with a number
// that an int can hold.
std::optional<int> takeNumber(std::string_view& text) {
  int value = 0;
  if (text.empty() || !isDigit(text.front())) return std::nullopt;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return value;
}

// `lineOf` returns the line of today's source for a number after the mark.
template <class LineOf>
tl::expected<Listing, std::string> parse(std::string_view text, LineOf lineOf) {
  Listing listing;
  std::uint32_t address = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<int> live = takeNumber(line);
    int source = 0;
    if (line.size() > 1 && line.front() == kPlaceMark && isDigit(line[1])) {
      line.remove_prefix(1);
      source = takeNumber(line).value_or(-1);
    }
    auto instruction = parseInstruction(line);
    if (!instruction || live.value_or(0) > kMostRegisters || source < 0 || source > kMostLines) {
      return tl::unexpected(fmt::format("line {} of a listing is not an instruction",
                                        listing.instructions.size() + 1));
    }
    instruction->address = address;
    instruction->live = live;
    instruction->line = source > 0 ? lineOf(source) : 0;
    address += 16;
    listing.instructions.push_back(std::move(*instruction));
  }
  return listing;
}

// Of the first version, whose lines are those of the compiled text. For an unknown text they stay
// the same: the listing is stale.
tl::expected<Listing, std::string> parseFirstCode(std::string_view text, const Stage& stage,
                                                  const json& header) {
  const auto named = header.find("source_hash");
  const TextKey* key = named != header.end() && named->is_string()
                           ? textKeyNamed(stage.id, named->get_ref<const std::string&>())
                           : nullptr;
  return parse(text, [&](int line) {
    return key != nullptr ? placesIn(stage).lineOf(key->places.placeOf(line)) : line;
  });
}

}  // namespace

json headerJson(const MachineCode& c) {
  json tile = json::object();
  for (const ParameterSpec& spec : c.rung()->parameters)
    tile[std::string(name(spec.parameter))] = c.tile[spec.parameter];
  json header = {{"schema", kListingSchema},
                 {"stage", c.rung()->id},
                 {"tile", std::move(tile)},
                 {"arithmetic", rowOf(c.format).name},
                 {"arch", c.arch},
                 {"nvrtc", c.nvrtc},
                 {"fingerprint", c.fingerprint},
                 {"tool", c.tool},
                 {"when", c.when},
                 {"registers", c.registers},
                 {"spill_bytes", c.spillBytes},
                 {"kernel", c.listing.kernel},
                 {"instructions", c.listing.instructions.size()}};
  if (c.format == Format::Fp32) header.erase("arithmetic");
  if (c.rewritten) header["rewritten"] = true;
  if (!c.untouched.empty()) header["untouched_cubin"] = toBase64(c.untouched);
  if (!c.whyNotRewritten.empty()) header["not_rewritten"] = c.whyNotRewritten;
  return header;
}

tl::expected<MachineCode, std::string> machineCodeFrom(const json& header, std::string_view code) {
  if (!header.is_object())
    return tl::unexpected(std::string("a listing's header is not an object"));
  const JsonWording wording = {.after = "\" of a listing"};
  JsonReader reader(header, wording);
  const auto text = [&reader](const char* key) { return reader.text(key, kLongestText); };
  const std::string schema = text("schema");
  if (schema != kListingSchema && schema != kFirstListingSchema)
    reader.complain("schema", kListingSchema);
  MachineCode c;
  const auto subject = readSubject(reader, "a listing's");
  if (!subject) return tl::unexpected(reader.complaint());
  c.subject() = *subject;
  c.arch = text("arch");
  c.nvrtc = text("nvrtc");
  c.fingerprint = fingerprintFrom(reader, c.rung()->id);
  c.tool = text("tool");
  c.when = text("when");
  c.registers = reader.integer("registers", -1, kMostRegisters);
  c.spillBytes = reader.integer("spill_bytes", 0, kMany);
  c.rewritten = reader.flag("rewritten", false);
  c.whyNotRewritten = reader.text("not_rewritten", kLongestText, "");
  if (auto untouched = fromBase64(reader.text("untouched_cubin", kLongestCubin, ""))) {
    c.untouched = std::move(*untouched);
  } else {
    reader.complain("untouched_cubin", "a file in base64");
  }
  const std::string kernel = text("kernel");
  const int count = reader.integer("instructions", 1, kMany);
  if (!reader.good()) return tl::unexpected(reader.complaint());
  auto listing = schema == kListingSchema ? parseCode(code, placesIn(*c.rung()))
                                          : parseFirstCode(code, *c.rung(), header);
  if (!listing) return tl::unexpected(listing.error());
  if (listing->instructions.size() != static_cast<std::size_t>(count)) {
    return tl::unexpected(fmt::format("a listing of {} instructions should have {}",
                                      listing->instructions.size(), count));
  }
  c.listing = std::move(*listing);
  c.listing.kernel = kernel;
  return c;
}

std::string codeText(const Listing& listing, const CodePlaces& places) {
  std::string text;
  for (const Instruction& i : listing.instructions) {
    const int place = places.placeOf(i.line);
    if (i.live) text += fmt::format("{}", *i.live);
    if (place > 0) text += fmt::format("{}{}", kPlaceMark, place);
    if (i.live || place > 0) text += ' ';
    text += i.text();
    text += '\n';
  }
  return text;
}

tl::expected<Listing, std::string> parseCode(std::string_view text, const CodePlaces& places) {
  return parse(text, [&places](int place) { return places.lineOf(place); });
}

std::string recordText(const MachineCode& code) {
  return dumped(headerJson(code)) + "\n" + codeText(code.listing, placesIn(*code.rung()));
}

}  // namespace tileloom::sass
