// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/json_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "kernels/base/plain_text.h"

namespace tileloom {
namespace {

int lineAt(std::string_view text, std::size_t position) {
  const auto before = text.substr(0, std::min(position, text.size()));
  return 1 + static_cast<int>(std::ranges::count(before, '\n'));
}

// Walks over a valid text without building values.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {
    // Some editors begin a file with a byte-order mark.
    if (text.starts_with("\xEF\xBB\xBF")) at_ = 3;
    skipSpace();
  }

  std::size_t position() const { return at_; }

  // Goes to the value of this member or this element of the present value, and says whether there
  // is one; else it stays.
  bool enter(std::string_view token) {
    const std::size_t here = at_;
    const bool found = peek() == '{' ? enterMember(token) : peek() == '[' && enterElement(token);
    if (!found) at_ = here;
    return found;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipSpace() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  std::string_view takeText() {
    const std::size_t begin = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(begin, at_ - begin);
  }

  void skipValue() {
    int open = 0;
    do {
      switch (peek()) {
        case '"':
          takeText();
          break;
        case '{':
        case '[':
          ++open;
          ++at_;
          break;
        case '}':
        case ']':
          --open;
          ++at_;
          break;
        case ',':
        case ':':
          ++at_;
          break;
        default:
          at_ = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
      }
      skipSpace();
    } while (open > 0 && at_ < text_.size());
  }

  bool enterMember(std::string_view token) {
    ++at_;
    skipSpace();
    while (peek() == '"') {
      const std::string_view raw = takeText();
      const auto name = nlohmann::json::parse(raw, nullptr, false);
      skipSpace();
      ++at_;  // the colon
      skipSpace();
      if (name.is_string() && name.get_ref<const std::string&>() == token) return true;
      skipValue();
      if (peek() == ',') ++at_;
      skipSpace();
    }
    return false;
  }

  bool enterElement(std::string_view token) {
    std::size_t wanted = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), wanted);
    if (error != std::errc() || end != token.data() + token.size()) return false;
    ++at_;
    skipSpace();
    for (std::size_t i = 0; peek() != ']' && at_ < text_.size(); ++i) {
      if (i == wanted) return true;
      skipValue();
      if (peek() == ',') ++at_;
      skipSpace();
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// "~1" means a slash and "~0" a tilde.
std::string unescaped(std::string_view token) {
  std::string plain;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    plain += !escape ? token[i] : token[++i] == '1' ? '/' : '~';
  }
  return plain;
}

}  // namespace

std::string memberOf(std::string_view pointer, std::string_view name) {
  std::string whole = std::string(pointer) + '/';
  for (const char c : name) {
    if (c == '~')
      whole += "~0";
    else if (c == '/')
      whole += "~1";
    else
      whole += c;
  }
  return whole;
}

int lineOf(std::string_view json, std::string_view pointer) {
  Walker walker(json);
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (!walker.enter(unescaped(pointer.substr(0, end)))) break;
    pointer.remove_prefix(end);
  }
  return lineAt(json, walker.position());
}

std::optional<JsonError> syntaxError(std::string_view json) {
  try {
    const auto value = nlohmann::json::parse(json);
    return std::nullopt;
  } catch (const nlohmann::json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while …"
    const std::string_view all = error.what();
    const std::size_t words = all.find(": ");
    const std::string_view tail = words == all.npos ? all : all.substr(words + 2);
    // "…; last read: '…'; expected …": what was read may be a page long, and the line shows where.
    const std::size_t read = std::min(tail.find("; last read: "), tail.size());
    const std::size_t expected = std::min(tail.rfind("; expected "), tail.size());
    std::string said(tail.substr(0, read));
    constexpr std::size_t kLongest = 80;  // of the parser's own words
    if (expected > read && tail.size() - expected < kLongest) said += tail.substr(expected);
    return JsonError{lineAt(json, error.byte == 0 ? 0 : error.byte - 1), quotable(said, 200)};
  } catch (const nlohmann::json::out_of_range& error) {
    // "[json.exception.out_of_range.406] number overflow parsing '1e999'"
    const std::string_view all = error.what();
    const std::size_t begin = all.find('\''), end = all.rfind('\'');
    const std::string_view number = begin < end ? all.substr(begin + 1, end - begin - 1) : "";
    return JsonError{lineAt(json, std::min(json.find(number), json.size())),
                     "a number there is too large"};
  }
}

}  // namespace tileloom
