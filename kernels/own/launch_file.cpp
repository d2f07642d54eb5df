// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/launch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"

namespace tileloom::own {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestText = 4'096, kMostParameters = 4'096, kMostNames = 64;
constexpr std::int64_t kMostSize = 1'000'000, kMostValue = 1'000'000'000;
constexpr double kMostFactor = 1e30;
constexpr std::array<std::string_view, 10> kKeys = {
    "tileloom_launch", "kernel", "sizes", "values", "grid",
    "threads",         "shared", "alpha", "beta",   "parameters"};
constexpr std::array<std::string_view, 4> kMatrices = {"A", "B", "C", "D"};
constexpr std::array<std::string_view, 4> kTypes = {"f64", "f32", "f16", "bf16"};
constexpr std::array<std::string_view, 12> kBufferTypes = {
    "f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"};
constexpr std::array<std::string_view, 4> kContents = {"zero", "one", "index", "random"};
constexpr std::array<std::string_view, 2> kLayouts = {"row", "column"};

std::string listOf(std::span<const std::string_view> words) {
  std::string all;
  for (const std::string_view each : words) all += (all.empty() ? "" : ", ") + std::string(each);
  return all;
}

// A complaint if the object has another key.
std::string otherKey(const nlohmann::json& object, std::span<const std::string_view> keys) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(keys, key) == keys.end())
      return fmt::format("the key \"{}\" is not known: choose from {}", quotable(key),
                         listOf(keys));
  return {};
}

// An expression is a text or a whole number.
std::string expressionOf(JsonReader& reader, std::string_view key, std::string_view usual) {
  const nlohmann::json* const value = reader.find(key);
  if (value != nullptr && value->is_number_integer())
    return fmt::format("{}", value->get<std::int64_t>());
  return reader.text(key, kLongestText, usual);
}

std::vector<std::string> expressionsOf(JsonReader& reader, std::string_view key, std::size_t most) {
  std::vector<std::string> all;
  for (const nlohmann::json& each :
       reader.list(key, most, "expressions", JsonReader::Need::Optional)) {
    if (each.is_number_integer())
      all.push_back(fmt::format("{}", each.get<std::int64_t>()));
    else if (each.is_string())
      all.push_back(each.get<std::string>());
    else
      reader.complain(key, "a list of expressions: write [\"cdiv(N, 64)\", \"2\"]");
  }
  return all;
}

void readExtent(JsonReader& reader, std::string_view key, std::array<std::string, 3>& into) {
  const auto all = expressionsOf(reader, key, into.size());
  std::ranges::copy(all, into.begin());
}

void readNames(JsonReader& reader, std::string_view key, std::int64_t least, std::int64_t most,
               Names& into) {
  const nlohmann::json* const object = reader.object(key, JsonReader::Need::Optional);
  if (object == nullptr) return;
  if (object->size() > kMostNames)
    return reader.complain(key, fmt::format("an object of at most {} names", kMostNames));
  JsonReader values(*object);
  for (const auto& [name, value] : object->items()) {
    if (!isName(name))
      return reader.take(fmt::format("\"{}\" is not a name of \"{}\": write letters and digits",
                                     quotable(name), key));
    into[name] = values.whole(name, least, most);
  }
  if (!values.good()) reader.take(values.complaint());
}

void readMap(JsonReader& reader, Parameter& made) {
  constexpr std::size_t kMostSides = 5;
  made.box = expressionsOf(reader, "box", kMostSides);
  made.swizzle = expressionOf(reader, "swizzle", "0");
  made.pointed = reader.flag("pointed", false);
  if (made.box.empty()) {
    made.swizzle.clear();
    if (made.pointed) reader.say("pointed", "needs a box: a pointer to a tensor map has one");
  }
}

tl::expected<Parameter, std::string> parameterFrom(const nlohmann::json& value) {
  Parameter made;
  if (value.is_number_integer()) {
    made.text = fmt::format("{}", value.get<std::int64_t>());
    return made;
  }
  if (value.is_string()) {
    made.text = value.get<std::string>();
    if (made.text.size() > kLongestText) return tl::unexpected(std::string("it is too long"));
    if (made.text == "alpha" || made.text == "beta") {
      made.kind = made.text == "alpha" ? Parameter::Kind::Alpha : Parameter::Kind::Beta;
      made.text.clear();
    }
    return made;
  }
  if (!value.is_object())
    return tl::unexpected(
        std::string("it is neither a text nor an object: write \"M\" or {\"matrix\": \"A\"}"));
  JsonReader reader(value);
  std::string other;
  if (reader.find("matrix") != nullptr) {
    static constexpr std::array<std::string_view, 7> kMatrixKeys = {
        "matrix", "type", "layout", "stride", "box", "swizzle", "pointed"};
    made.kind = Parameter::Kind::Matrix;
    made.name = reader.word("matrix", kMatrices);
    made.type = reader.word("type", kTypes, "f32");
    made.layout = reader.word("layout", kLayouts, "row") == "row" ? Layout::Row : Layout::Column;
    made.stride = expressionOf(reader, "stride", "");
    readMap(reader, made);
    other = otherKey(value, kMatrixKeys);
  } else if (reader.find("buffer") != nullptr) {
    static constexpr std::array<std::string_view, 4> kBufferKeys = {"buffer", "type", "elements",
                                                                    "content"};
    made.kind = Parameter::Kind::Buffer;
    made.name = reader.text("buffer", kLongestText);
    made.type = reader.word("type", kBufferTypes, "f32");
    made.elements = expressionOf(reader, "elements", "1");
    made.content = reader.word("content", kContents, "zero");
    if (!isName(made.name) || std::ranges::find(kMatrices, made.name) != kMatrices.end())
      reader.say("buffer", "needs a name of letters and digits that is not one of a matrix");
    other = otherKey(value, kBufferKeys);
  } else if (reader.find("real") != nullptr) {
    static constexpr std::array<std::string_view, 1> kRealKeys = {"real"};
    made.kind = Parameter::Kind::Real;
    made.text = fmt::format("{}", reader.number("real", -kMostFactor, kMostFactor));
    other = otherKey(value, kRealKeys);
  } else if (reader.find("bytes") != nullptr) {
    static constexpr std::array<std::string_view, 1> kBytesKeys = {"bytes"};
    made.kind = Parameter::Kind::Bytes;
    made.text = reader.text("bytes", kLongestText);
    other = otherKey(value, kBytesKeys);
  } else {
    return tl::unexpected(
        std::string("it has no \"matrix\", \"buffer\", \"real\" or \"bytes\": write one of these"));
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  if (!other.empty()) return tl::unexpected(std::move(other));
  return made;
}

Json jsonOf(const Parameter& p) {
  switch (p.kind) {
    case Parameter::Kind::Whole:
      return p.text;
    case Parameter::Kind::Alpha:
      return "alpha";
    case Parameter::Kind::Beta:
      return "beta";
    case Parameter::Kind::Real:
      return {{"real", std::strtod(p.text.c_str(), nullptr)}};
    case Parameter::Kind::Bytes:
      return {{"bytes", p.text}};
    case Parameter::Kind::Buffer:
      return {
          {"buffer", p.name}, {"type", p.type}, {"elements", p.elements}, {"content", p.content}};
    case Parameter::Kind::Matrix:
      break;
  }
  Json json = {
      {"matrix", p.name}, {"type", p.type}, {"layout", p.layout == Layout::Row ? "row" : "column"}};
  if (!p.stride.empty()) json["stride"] = p.stride;
  if (!p.box.empty()) {
    json["box"] = p.box;
    json["swizzle"] = p.swizzle;
    if (p.pointed) json["pointed"] = true;
  }
  return json;
}

}  // namespace

tl::expected<LaunchFile, std::string> launchFileFrom(std::string_view text) {
  const auto json = parseJsonObject(text, kRecordBounds);
  if (!json) return tl::unexpected(json.error());
  JsonReader reader(*json);
  const int version = reader.integer("tileloom_launch", 1, 1'000'000);
  if (!reader.good()) return tl::unexpected(reader.complaint());
  if (version > LaunchFile::kVersion)
    return tl::unexpected(
        fmt::format("the launch has version {}, and this program reads version {}: install a newer "
                    "one",
                    version, LaunchFile::kVersion));
  if (std::string other = otherKey(*json, kKeys); !other.empty())
    return tl::unexpected(std::move(other));
  LaunchFile file;
  file.kernel = reader.text("kernel", kLongestText, "");
  readNames(reader, "sizes", 1, kMostSize, file.sizes);
  readNames(reader, "values", -kMostValue, kMostValue, file.values);
  readExtent(reader, "grid", file.grid);
  readExtent(reader, "threads", file.threads);
  file.shared = expressionOf(reader, "shared", "0");
  file.alpha = reader.number("alpha", -kMostFactor, kMostFactor, 1.0);
  file.beta = reader.number("beta", -kMostFactor, kMostFactor, 0.0);
  std::size_t number = 0;
  for (const nlohmann::json& each : reader.list("parameters", kMostParameters, "parameters")) {
    auto made = parameterFrom(each);
    ++number;
    if (!made) {
      reader.take(fmt::format("parameter {}: {}", number, made.error()));
      break;
    }
    file.parameters.push_back(std::move(*made));
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  for (const auto& [name, value] : file.values)
    if (file.sizes.contains(name))
      return tl::unexpected(
          fmt::format("{} is both a size and a value: give the value another name", name));
  return file;
}

std::string textOf(const LaunchFile& file) {
  Json json = {{"tileloom_launch", LaunchFile::kVersion},
               {"kernel", file.kernel},
               {"sizes", file.sizes},
               {"values", file.values},
               {"grid", file.grid},
               {"threads", file.threads},
               {"shared", file.shared},
               {"alpha", file.alpha},
               {"beta", file.beta},
               {"parameters", Json::array()}};
  if (file.values.empty()) json["values"] = Json::object();
  for (const Parameter& each : file.parameters) json["parameters"].push_back(jsonOf(each));
  return dumped(json, 2) + "\n";
}

}  // namespace tileloom::own
