// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/identity/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "kernels/base/fnv.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/identity/tokens.h"

namespace tileloom {
namespace {

// The device files, which many kernels share: each is read once.
class Headers {
 public:
  explicit Headers(std::span<const SourceFile> files) : files_(files), read_(files.size()) {}

  // The number of the file that `quoted` names, if any.
  std::optional<std::size_t> find(std::string_view quoted) const {
    const std::string_view name = quoted.substr(1, quoted.size() - 2);
    const auto at = std::ranges::find(files_, name, &SourceFile::name);
    if (!quoted.starts_with('"') || at == files_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - files_.begin());
  }
  const Tokens& tokens(std::size_t file) {
    if (!read_[file]) read_[file] = tokensOf(files_[file].text);
    return *read_[file];
  }
  std::size_t size() const { return files_.size(); }

 private:
  std::span<const SourceFile> files_;
  std::vector<std::optional<Tokens>> read_;
};

class Hashing {
 public:
  explicit Hashing(Headers& headers) : headers_(headers), seen_(headers.size(), false) {}

  std::string of(const CodeText& code) {
    const Tokens own = tokensOf(code.source);
    add(own, 0);
    // A place counts the kernel's own tokens: if a token comes from a header instead, the places
    // after it change.
    hash_.add(static_cast<std::uint64_t>(std::ranges::count_if(own.all, &Token::counts)));
    add(code.assemblerOption);
    if (code.rewriter > 0) add(fmt::format("rewriter {}", code.rewriter));
    return hash_.text();
  }

 private:
  void add(std::string_view text) {
    using namespace std::string_view_literals;
    hash_.add(text);
    hash_.add("\0"sv);
  }

  void add(const Tokens& tokens, int depth) {
    using namespace std::string_view_literals;
    for (const Token& token : tokens.all) {
      switch (token.kind) {
        case Token::Kind::Code:
          add(token.text);
          break;
        case Token::Kind::Directive:
          add("\1"sv);
          break;
        case Token::Kind::DirectiveEnd:
          add("\2"sv);
          break;
        case Token::Kind::Include:
          include(token.text, depth);
          break;
      }
    }
  }

  void include(const std::string& name, int depth) {
    constexpr int kDeepest = 50;  // a header without `#pragma once` may include itself
    if (name.starts_with('<')) return add("#include " + name);
    const auto file = headers_.find(name);
    if (!file || seen_[*file] || depth > kDeepest) return;
    const Tokens& tokens = headers_.tokens(*file);
    seen_[*file] = tokens.once;
    add(tokens, depth + 1);
  }

  Headers& headers_;
  std::vector<bool> seen_;  // of each header with `#pragma once`
  Fnv hash_;
};

}  // namespace

CodeText codeTextOf(const Stage& stage) {
  return {sourceText(stage), deviceFiles(), assemblerOption(stage), stage.rewriter};
}

std::string fingerprintOf(const CodeText& code) {
  Headers headers(code.files);
  return Hashing(headers).of(code);
}

std::string fingerprintOf(const Stage& stage) {
  // All at once: they share their headers, and most are needed at the start of the program.
  static const std::map<const Stage*, std::string> all = [] {
    std::map<const Stage*, std::string> made;
    Headers headers(deviceFiles());
    for (const Stage* each : everyStage()) made[each] = Hashing(headers).of(codeTextOf(*each));
    return made;
  }();
  // A copy of a stage may have other options for the assembler.
  const auto known = all.find(&stage);
  return known != all.end() ? known->second : fingerprintOf(codeTextOf(stage));
}

bool isFingerprint(std::string_view text) {
  constexpr std::size_t kDigits = 16;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace tileloom
