// SPDX-License-Identifier: GPL-3.0-or-later
// Reads JSON from outside: text is parsed within bounds, and members of an object are read by name,
// type and bounds. The first complaint is kept as one sentence without a full stop; after it,
// reading continues with harmless values, so that a caller checks once, at the end:
//
//   const auto json = parseJsonObject(line, kRecordBounds);
//   if (!json) return tl::unexpected(json.error());
//   JsonReader reader(*json);
//   Rates rates;
//   rates.device = reader.text("device", 200);
//   rates.sms = reader.integer("sms", 1, 10000);
//   if (!reader.good()) return tl::unexpected(reader.complaint());
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

// Limits of a text. Copying and destroying a value recurses, so that a deep one could overflow the
// stack.
struct JsonBounds {
  std::size_t bytes = 0;
  int depth = 16;                   // nesting of arrays and objects; ours need five
  std::size_t values = 128 * 1024;  // numbers, texts, arrays, objects, …
};

// A line of a file: a run, a tuning event, rates, ceilings, the header of a listing.
inline constexpr JsonBounds kRecordBounds{.bytes = 64 * 1024};
// A line between the window and its worker, in either direction, or a whole session.
inline constexpr JsonBounds kMessageBounds{.bytes = 1024 * 1024};

inline constexpr std::string_view kNoJsonObject = "this is not a JSON object";

// The error is one sentence without a full stop.
tl::expected<nlohmann::json, std::string> parseJson(std::string_view text,
                                                    const JsonBounds& bounds);
// The error is kNoJsonObject for anything else.
tl::expected<nlohmann::json, std::string> parseJsonObject(std::string_view text,
                                                          const JsonBounds& bounds);

// How a complaint names a member, and what counts as one.
struct JsonWording {
  std::string before = "\"";               // "the session's \"held." and the like
  std::string after = "\"";                // "\" of a device"
  std::string_view verb = "is not";        // or "must be": before the expectation
  std::string_view absent = "is missing";  // for a required member
  std::string whole = "this";              // the object itself
  bool nullIsAbsent = true;
  bool floatsMayBeWhole = false;  // 1024.0 counts as the whole number 1024
};

class JsonReader {
 public:
  enum class Need { Required, Optional };

  // What `object` lacks is taken from `common`, if that is given. Both must outlive the reader.
  explicit JsonReader(const nlohmann::json& object, JsonWording wording = {},
                      const nlohmann::json* common = nullptr);

  // nullptr if there is no such member; need() then complains.
  const nlohmann::json* find(std::string_view key) const;
  const nlohmann::json* need(std::string_view key);
  const nlohmann::json* member(std::string_view key, Need how);

  // A missing member is `usual`, or a complaint if there is no `usual`. A value that is returned
  // with a complaint is within the bounds as well.
  std::int64_t whole(std::string_view key, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> usual = std::nullopt);
  int integer(std::string_view key, int least, int most, std::optional<int> usual = std::nullopt);
  double number(std::string_view key, double least, double most,
                std::optional<double> usual = std::nullopt);
  // Any finite number, clamped to the bounds.
  double clamped(std::string_view key, double least, double most, double usual);
  // Of at most `longest` bytes and without control characters.
  std::string text(std::string_view key, std::size_t longest,
                   std::optional<std::string_view> usual = std::nullopt);
  bool flag(std::string_view key, std::optional<bool> usual = std::nullopt);
  // One of `allowed`.
  std::string word(std::string_view key, std::span<const std::string_view> allowed,
                   std::optional<std::string_view> usual = std::nullopt);
  // nullptr if it is missing or something else.
  const nlohmann::json* object(std::string_view key, Need how = Need::Required);
  // An empty list if it is missing or something else. `things`: "strings".
  const nlohmann::json& list(std::string_view key, std::size_t most, std::string_view things,
                             Need how = Need::Required);

  bool good() const { return complaint_.empty(); }
  const std::string& complaint() const { return complaint_; }
  // "... is not a whole number from 1 to 8", or "... must be ...".
  void complain(std::string_view key, std::string_view wanted);
  // A complaint in other words: "is empty".
  void say(std::string_view key, std::string_view ending);
  // A whole sentence, such as that of a member's reader.
  void take(std::string sentence);

 private:
  bool wholeIn(const nlohmann::json& value, std::int64_t least, std::int64_t most,
               std::int64_t& into) const;

  const nlohmann::json& object_;
  JsonWording wording_;
  const nlohmann::json* common_;
  std::string complaint_;
};

// The number as a double, if it is one within the bounds.
std::optional<double> jsonNumber(const nlohmann::json& value, double least, double most);

}  // namespace tileloom
