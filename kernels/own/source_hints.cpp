// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/source_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace tileloom::own {
namespace {

constexpr std::size_t kMostText = std::size_t{4} << 20, kMostThreads = 8;
using Sides = std::array<std::string, 3>;

bool isWord(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// With spaces instead of comments.
std::string withoutComments(std::string_view text) {
  std::string made(text);
  for (std::size_t at = 0; at + 1 < made.size(); ++at) {
    if (made[at] != '/' || (made[at + 1] != '/' && made[at + 1] != '*')) continue;
    const bool line = made[at + 1] == '/';
    std::size_t end = made.find(line ? "\n" : "*/", at + 2);
    end = end == made.npos ? made.size() : end + (line ? 0 : 2);
    std::fill(made.begin() + static_cast<std::ptrdiff_t>(at),
              made.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end - 1;
  }
  return made;
}

// The word that ends before `at`, spaces left out.
std::string_view wordBefore(std::string_view text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  std::size_t begin = at;
  while (begin > 0 && isWord(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

// The place of the bracket that closes the one at `open`; npos: none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == '}' || text[at] == ']') --depth;
    if (depth == 0) return at;
  }
  return text.npos;
}

// The parts between commas that are in no brackets.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::string_view("(<{[").find(text[at]) != std::string_view::npos) ++depth;
    if (std::string_view(")>}]").find(text[at]) != std::string_view::npos) --depth;
    if (text[at] != ',' || depth != 0) continue;
    all.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (const auto last = trimmed(text.substr(begin)); !last.empty() || !all.empty())
    all.push_back(last);
  return all;
}

struct Declared {
  std::string_view name, parameters;
};

// The kernels that a text without comments declares.
std::vector<Declared> declaredIn(std::string_view text) {
  constexpr std::string_view kWord = "__global__";
  std::vector<Declared> all;
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at)) {
    at += kWord.size();
    // Brackets of __launch_bounds__ and of attributes are before those of the parameters.
    for (std::size_t open = text.find_first_of("(;{", at);
         open != text.npos && text[open] == '(';) {
      const std::size_t close = closing(text, open);
      if (close == text.npos) return all;
      const std::string_view name = wordBefore(text, open);
      if (!name.starts_with("__")) {
        if (!name.empty()) all.push_back({name, text.substr(open + 1, close - open - 1)});
        break;
      }
      open = text.find_first_of("(;{", close);
    }
  }
  return all;
}

// "d_A" and "matA" are A: small letters without words that say where it is.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view word : {"device", "dev", "matrix", "mat", "gmem", "global", "ptr"}) {
    const std::size_t at = plain.find(word);
    if (at != plain.npos && plain.size() > word.size()) plain.erase(at, word.size());
  }
  if (plain.size() == 2 && (plain[0] == 'd' || plain[0] == 'g')) plain.erase(0, 1);
  return plain;
}

// Empty: unknown, such as that of a template.
std::string formatOf(std::string_view declaration) {
  const auto has = [&](std::string_view word) {
    return declaration.find(word) != declaration.npos;
  };
  if (has("bfloat16")) return "bf16";
  if (has("half")) return "f16";
  if (has("float")) return "f32";
  return has("double") ? "f64" : "";
}

std::optional<Parameter> parameterOf(std::string_view declaration) {
  declaration = trimmed(declaration.substr(0, declaration.find('=')));
  const bool pointer = declaration.find_first_of("*[") != declaration.npos;
  declaration = trimmed(declaration.substr(0, declaration.find('[')));
  const std::string name = plainName(wordBefore(declaration, declaration.size()));
  Parameter made;
  if (pointer) {
    made.kind = Parameter::Kind::Matrix;
    made.type = formatOf(declaration);
    if (name != "a" && name != "b" && name != "c") return std::nullopt;
    made.name = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return made;
  }
  static const std::map<std::string_view, const char*, std::less<>> kWhole = {
      {"m", "M"},      {"n", "N"},       {"k", "K"},       {"lda", "K"},     {"ldb", "N"},
      {"ldc", "N"},    {"stridea", "K"}, {"strideb", "N"}, {"stridec", "N"}, {"wa", "K"},
      {"wb", "N"},     {"ha", "M"},      {"hb", "K"},      {"wc", "N"},      {"hc", "M"},
      {"widtha", "K"}, {"widthb", "N"},  {"heighta", "M"}};
  if (name == "alpha" || name == "beta") {
    made.kind = name == "alpha" ? Parameter::Kind::Alpha : Parameter::Kind::Beta;
    return made;
  }
  const auto found = kWhole.find(name);
  if (found == kWhole.end()) return std::nullopt;
  made.text = found->second;
  return made;
}

// Macros and constants that are whole numbers.
Names constantsOf(std::string_view text) {
  Names names;
  const auto take = [&](std::string_view name, std::string_view value) {
    if (!isName(name)) return;
    if (const auto number = evaluate(trimmed(value), names)) names[std::string(name)] = *number;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view kDefine = "#define ";
    if (line.starts_with(kDefine)) {
      line = trimmed(line.substr(kDefine.size()));
      const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
      take(line.substr(0, space), line.substr(space));
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos || line.find("const") == line.npos) continue;
    take(wordBefore(line, equals), line.substr(equals + 1, line.find(';') - equals - 1));
  }
  return names;
}

class Threads {
 public:
  explicit Threads(std::string_view text) : text_(text), names_(constantsOf(text)) {}

  // Of "256", "dim3(16, 16)", or a variable with one of these.
  std::optional<Sides> of(std::string_view value, int depth = 0) const {
    value = trimmed(value);
    if (const auto number = evaluate(value, names_))
      return Sides{fmt::format("{}", *number), "1", "1"};
    constexpr std::string_view kType = "dim3";
    if (value.starts_with(kType)) {
      const std::size_t open = value.find_first_of("({");
      const std::size_t close = open == value.npos ? open : closing(value, open);
      if (close == value.npos) return std::nullopt;
      return sides(value.substr(open + 1, close - open - 1));
    }
    if (!isName(value) || depth > 2) return std::nullopt;
    return variable(value, depth);
  }

 private:
  std::optional<Sides> sides(std::string_view list) const {
    Sides made = {"1", "1", "1"};
    const auto values = parts(list);
    if (values.empty() || values.size() > made.size()) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = evaluate(values[i], names_);
      if (!number) return std::nullopt;
      made[i] = fmt::format("{}", *number);
    }
    return made;
  }
  // "dim3 name(16, 16)", "dim3 name = dim3(16, 16)", "int name = 256".
  std::optional<Sides> variable(std::string_view name, int depth) const {
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at > 0 && isWord(text_[at - 1])) || (end < text_.size() && isWord(text_[end]))) continue;
      const std::string_view rest = trimmed(text_.substr(end, 200));
      if (rest.empty()) continue;
      if (wordBefore(text_, at) == "dim3" && (rest[0] == '(' || rest[0] == '{')) {
        const std::size_t close = closing(rest, 0);
        if (close != rest.npos) return sides(rest.substr(1, close - 1));
      }
      if (rest[0] == '=' && rest.substr(0, 2) != "==")
        if (auto made = of(rest.substr(1, rest.find(';') - 1), depth + 1)) return made;
    }
    return std::nullopt;
  }

  std::string_view text_;
  Names names_;
};

// The place of the "<" of "name<…>" that ends before `at`; `at` if no ">" is there.
std::size_t beforeArguments(std::string_view text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  if (at == 0 || text[at - 1] != '>') return at;
  int depth = 0;
  for (std::size_t i = at; i > 0; --i) {
    if (text[i - 1] == '>') ++depth;
    if (text[i - 1] == '<' && --depth == 0) return i - 1;
  }
  return at;
}

std::vector<Sides> threadsOf(std::string_view text, std::string_view kernel) {
  const Threads threads(text);
  std::vector<Sides> all;
  for (std::size_t at = text.find("<<<"); at != text.npos; at = text.find("<<<", at + 3)) {
    if (wordBefore(text, beforeArguments(text, at)) != kernel) continue;
    const std::size_t end = text.find(">>>", at);
    if (end == text.npos) break;
    const auto values = parts(text.substr(at + 3, end - at - 3));
    if (values.size() < 2 || all.size() >= kMostThreads) continue;
    const auto made = threads.of(values[1]);
    if (made && std::ranges::find(all, *made) == all.end()) all.push_back(*made);
  }
  return all;
}

}  // namespace

std::vector<std::string> kernelsIn(std::string_view text) {
  std::vector<std::string> names;
  if (text.size() > kMostText) return names;
  const std::string plain = withoutComments(text);
  for (const Declared& declared : declaredIn(plain))
    if (std::ranges::find(names, declared.name) == names.end()) names.emplace_back(declared.name);
  return names;
}

std::string_view baseName(std::string_view title) {
  title = title.substr(0, title.find('<'));
  const std::size_t colon = title.rfind(':');
  return colon == title.npos ? title : title.substr(colon + 1);
}

SourceHints hintsFrom(std::string_view text, std::string_view kernel, std::size_t parameters) {
  SourceHints hints;
  if (kernel.empty() || text.size() > kMostText) return hints;
  const std::string plain = withoutComments(text);
  for (const Declared& declared : declaredIn(plain)) {
    if (declared.name != kernel || !hints.parameters.empty()) continue;
    const auto list = parts(declared.parameters);
    if (list.size() != parameters) continue;
    for (const std::string_view each : list) {
      auto parameter = parameterOf(each);
      if (!parameter) {
        hints.parameters.clear();
        break;
      }
      hints.parameters.push_back(std::move(*parameter));
    }
  }
  hints.threads = threadsOf(plain, kernel);
  return hints;
}

}  // namespace tileloom::own
