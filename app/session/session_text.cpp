// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <QByteArray>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/session/options.h"
#include "app/session/own_file.h"
#include "app/session/session_reader.h"
#include "kernels/base/json_text.h"

namespace tileloom {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// "tuning.form" is the member "form" of the object "tuning".
struct Path {
  std::string object;  // empty: the session itself
  std::string member;
};

Path pathOf(const Option& option) {
  const std::size_t dot = option.name.find('.');
  if (dot == std::string_view::npos) return {{}, std::string(option.name)};
  return {std::string(option.name.substr(0, dot)), std::string(option.name.substr(dot + 1))};
}

// An object is written only if one of its members differs from its default.
bool differsIn(const std::string& object, const Session& session) {
  return std::ranges::any_of(options(), [&](const Option& option) {
    return pathOf(option).object == object && !option.equal(session, Session());
  });
}

// What qCompress packed: its size in four bytes, and zlib's stream. The size is only a claim, and a
// few bytes could demand any amount of memory: at most the length of a session is unpacked.
std::optional<std::string> unpacked(const QByteArray& packed) {
  constexpr qsizetype kSizeBytes = 4;
  if (packed.size() <= kSizeBytes) return std::nullopt;
  std::string text(kMessageBounds.bytes, '\0');
  uLongf size = text.size();
  uLong used = static_cast<uLong>(packed.size() - kSizeBytes);
  const auto* from = reinterpret_cast<const Bytef*>(packed.constData() + kSizeBytes);
  const int result = ::uncompress2(reinterpret_cast<Bytef*>(text.data()), &size, from, &used);
  if (result != Z_OK || used != static_cast<uLong>(packed.size() - kSizeBytes)) return std::nullopt;
  text.resize(size);
  return text;
}

// The value of an option in a file, null if it is missing; or what is wrong with its object.
tl::expected<json, std::string> valueOf(const Option& option, const json& whole) {
  const auto [object, member] = pathOf(option);
  if (object.empty()) return whole.value(member, json());
  const json parent = whole.value(object, json());
  if (parent.is_null()) return json();
  if (!parent.is_object()) return tl::unexpected(mustBe(object, "an object"));
  return parent.value(member, json());
}

}  // namespace

bool operator==(const Session& a, const Session& b) {
  return std::ranges::all_of(options(), [&](const Option& option) { return option.equal(a, b); });
}

std::string sessionText(const Session& session) {
  ordered_json whole = {{"schema", kSessionSchema}};
  for (const Option* option : inOrder(&Option::file)) {
    const auto [object, member] = pathOf(*option);
    if (!option->file.always && option->equal(session, Session())) continue;
    if (!object.empty() && !differsIn(object, session)) continue;
    (object.empty() ? whole : whole[object])[member] = option->write(session);
  }
  return dumped(whole, 2) + "\n";
}

std::string commandLineOf(const Session& session, const Extent& block) {
  std::string line = "tileloom render window";
  for (const Option* option : inOrder(&Option::line)) {
    if (option->words.empty()) continue;
    if (!option->line.always && option->equal(session, Session())) continue;
    if (const auto value = option->print(session)) {
      line += fmt::format(" {}", option->words);
      if (!value->empty()) line += ' ' + *value;
    }
    if (option->words == kSizeOption) line += fmt::format(" --block {},{}", block.x, block.y);
  }
  return line + " --out view.png";
}

std::string sessionLink(const Session& session) {
  // Without white space, and in letters that programs do not change in transit.
  const std::string text = dumped(json::parse(sessionText(session)));
  const QByteArray packed = qCompress(QByteArray::fromStdString(text), 9);
  return std::string(kLinkScheme) +
         packed.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
             .toStdString();
}

tl::expected<Session, std::string> parseLink(std::string_view link) {
  const std::string broken = "this link is cut or changed: copy the whole of it";
  if (!link.starts_with(kLinkScheme))
    return tl::unexpected("this is not a link to a view: " + broken);
  link.remove_prefix(kLinkScheme.size());
  constexpr std::size_t kLongest = 1 << 16;
  if (link.size() > kLongest) return tl::unexpected(broken);
  const auto bytes = QByteArray::fromBase64Encoding(
      QByteArray(link.data(), static_cast<qsizetype>(link.size())),
      QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
  if (!bytes) return tl::unexpected(broken);
  const auto text = unpacked(bytes.decoded);
  return text ? parseSession(*text, SessionFrom::Link) : tl::unexpected(broken);
}

bool isSessionText(std::string_view text) {
  const std::string_view schema = kSessionSchema;
  return text.find(schema.substr(0, schema.find('/') + 1)) != text.npos;
}

tl::expected<Session, std::string> parseSession(std::string_view text, SessionFrom from) {
  const auto parsed = parseJsonObject(text, kMessageBounds);
  if (!parsed) {
    return tl::unexpected<std::string>(
        isSessionText(text)
            ? "this session is damaged: its JSON is cut or was changed, so open another copy"
            : "this is not a session: choose a file that Tileloom has saved");
  }
  const json& whole = *parsed;
  if (whole.value("schema", json()) != kSessionSchema) {
    return tl::unexpected(fmt::format(
        "this session's \"schema\" is not {}: it is not a session, or it is from a newer Tileloom",
        kSessionSchema));
  }
  if (const json named = whole.value("stage", json());
      from == SessionFrom::Link && named.is_string() && namesKernelFile(named.get<std::string>()))
    return tl::unexpected<std::string>(
        "this link is of a kernel in a file, which a link does not open: open the file itself");
  Session session;
  for (const Option& option : options()) {
    if (!option.required || !valueOf(option, whole).value_or(json()).is_null()) continue;
    return tl::unexpected(option.read(json(), session));
  }
  if (const auto wrong = readOptions(whole, session)) return tl::unexpected(wrong->second);
  return session;
}

std::optional<std::pair<std::string, std::string>> readOptions(const json& object,
                                                               Session& session) {
  for (const Option& option : options()) {
    const auto [parent, member] = pathOf(option);
    const auto value = valueOf(option, object);
    if (!value) return std::pair(parent, value.error());
    if (value->is_null()) continue;
    std::string wrong = option.read(*value, session);
    if (!wrong.empty())
      return std::pair(parent.empty() ? member : parent + "/" + member, std::move(wrong));
  }
  return std::nullopt;
}

std::string unknownOption(const json& object) {
  for (const auto& [key, value] : object.items()) {
    bool known = false;
    for (const Option& option : options()) {
      const Path path = pathOf(option);
      known = known || (path.object.empty() ? path.member : path.object) == key;
    }
    if (!known) return key;
    if (!value.is_object()) continue;
    for (const auto& [inner, unused] : value.items()) {
      bool grouped = false, found = false;
      for (const Option& option : options()) {
        const Path path = pathOf(option);
        grouped = grouped || path.object == key;
        found = found || (path.object == key && path.member == inner);
      }
      if (grouped && !found) return key + "/" + inner;
    }
  }
  return {};
}

}  // namespace tileloom
