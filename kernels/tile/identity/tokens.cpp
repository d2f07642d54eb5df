// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/identity/tokens.h"

#include <algorithm>
#include <array>

namespace tileloom {
namespace {

using Kind = Token::Kind;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool beginsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool isOfName(char c) {
  return beginsName(c) || isDigit(c);
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// The longest first. CUDA adds <<< and >>>.
constexpr std::array<std::string_view, 35> kPunctuators = {
    "%:%:", "<<<", ">>>", "<<=", ">>=", "<=>", "...", "->*", "::", "->", ".*", "++",
    "--",   "<<",  ">>",  "<=",  ">=",  "==",  "!=",  "&&",  "||", "+=", "-=", "*=",
    "/=",   "%=",  "&=",  "|=",  "^=",  "##",  "<%",  "%>",  "<:", ":>", "%:"};

constexpr char kEnd = '\0';

// The characters of a text, without line continuations.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    join();
  }

  bool atEnd() const { return at_ >= text_.size(); }
  int line() const { return line_; }
  char now() const { return atEnd() ? kEnd : text_[at_]; }

  char take() {
    const char c = now();
    step();
    join();
    return c;
  }
  // In a raw string a continuation is text. join() follows its end.
  char takeRaw() {
    const char c = now();
    step();
    return c;
  }
  void join() {
    while (at_ + 1 < text_.size() && text_[at_] == '\\') {
      if (text_[at_ + 1] == '\n') {
        at_ += 2;
      } else if (text_.substr(at_ + 1).starts_with("\r\n")) {
        at_ += 3;
      } else {
        return;
      }
      ++line_;
    }
  }

  char after(int characters) const {
    Cursor there = *this;
    for (int i = 0; i < characters; ++i) there.take();
    return there.now();
  }
  bool startsWith(std::string_view what) const {
    Cursor there = *this;
    return std::ranges::all_of(what, [&there](char c) { return there.take() == c; });
  }

 private:
  void step() {
    if (atEnd()) return;
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : cursor_(text) {}

  Tokens read() {
    bool lineBegins = true;
    while (true) {
      skipBlanks();
      if (cursor_.atEnd()) return std::move(tokens_);
      if (cursor_.now() == '\n') {
        cursor_.take();
        lineBegins = true;
      } else if (lineBegins && cursor_.now() == '#') {
        readDirective();
      } else {
        readToken();
        lineBegins = false;
      }
    }
  }

 private:
  // White space and comments, up to the end of the line. A comment may continue over several lines.
  void skipBlanks() {
    while (!cursor_.atEnd()) {
      if (isBlank(cursor_.now())) {
        cursor_.take();
      } else if (cursor_.startsWith("//")) {
        while (!cursor_.atEnd() && cursor_.now() != '\n') cursor_.take();
      } else if (cursor_.startsWith("/*")) {
        cursor_.take(), cursor_.take();
        while (!cursor_.atEnd() && !cursor_.startsWith("*/")) cursor_.take();
        cursor_.take(), cursor_.take();
      } else {
        return;
      }
    }
  }

  // Whether anything other than the end of the line follows.
  bool lineGoesOn() {
    skipBlanks();
    return !cursor_.atEnd() && cursor_.now() != '\n';
  }

  void skipLine() {
    while (lineGoesOn()) cursor_.take();
  }

  void add(Kind kind, std::string text, int line) {
    tokens_.all.push_back({kind, std::move(text), line});
  }

  void readDirective() {
    const int line = cursor_.line();
    cursor_.take();
    if (!lineGoesOn()) return;  // a # alone is nothing
    const std::size_t begin = tokens_.all.size();
    add(Kind::Directive, "#", line);
    readToken();
    const std::string name = tokens_.all.back().text;
    if (name == "line" || isDigit(name.front())) {
      tokens_.all.resize(begin);
      return skipLine();
    }
    if (name == "error" || name == "warning") skipLine();
    if (name == "include" && lineGoesOn() && (cursor_.now() == '"' || cursor_.now() == '<')) {
      const char close = cursor_.now() == '"' ? '"' : '>';
      std::string file(1, cursor_.take());
      while (!cursor_.atEnd() && cursor_.now() != '\n' && cursor_.now() != close)
        file += cursor_.take();
      file += close;
      tokens_.all.resize(begin);
      add(Kind::Include, std::move(file), line);
      return skipLine();
    }
    if (name == "define" && lineGoesOn()) {
      readToken();
      // A parenthesis right after the name, without a blank, is a list of parameters.
      if (cursor_.now() == '(') tokens_.all.back().text += cursor_.take();
    }
    while (lineGoesOn()) readToken();
    const auto its = [&](std::size_t i) -> std::string_view { return tokens_.all[begin + i].text; };
    if (name == "pragma" && tokens_.all.size() - begin == 3 && its(2) == "once") {
      tokens_.all.resize(begin);
      tokens_.once = true;
      return;
    }
    add(Kind::DirectiveEnd, {}, cursor_.line());
  }

  void readToken() {
    const int line = cursor_.line();
    const char c = cursor_.now();
    std::string text;
    if (beginsName(c)) {
      takeName(text);
      const bool prefix = text == "u8" || text == "u" || text == "U" || text == "L";
      const bool raw = text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR";
      if (raw && cursor_.now() == '"') {
        takeRawString(text);
      } else if (prefix && (cursor_.now() == '"' || cursor_.now() == '\'')) {
        takeLiteral(text);
      }
    } else if (isDigit(c) || (c == '.' && isDigit(cursor_.after(1)))) {
      takeNumber(text);
    } else if (c == '"' || c == '\'') {
      takeLiteral(text);
    } else {
      takePunctuator(text);
    }
    add(Kind::Code, std::move(text), line);
  }

  void takeName(std::string& text) {
    while (isOfName(cursor_.now())) text += cursor_.take();
  }

  // A number as in the standard: `1'000`, `0x1p-3f`, and any letters that follow.
  void takeNumber(std::string& text) {
    while (true) {
      const char c = cursor_.now();
      const char last = text.empty() ? kEnd : text.back();
      const bool exponent = last == 'e' || last == 'E' || last == 'p' || last == 'P';
      const bool digit = isOfName(c) || c == '.' || ((c == '+' || c == '-') && exponent) ||
                         (c == '\'' && isOfName(cursor_.after(1)));
      if (!digit) return;
      text += cursor_.take();
    }
  }

  // A literal without its closing quotation mark ends with the line: such texts occur in branches
  // that are not compiled.
  void takeLiteral(std::string& text) {
    const char quote = cursor_.take();
    text += quote;
    while (!cursor_.atEnd() && cursor_.now() != '\n') {
      const char c = cursor_.take();
      text += c;
      if (c == quote) return takeName(text);  // a suffix
      if (c == '\\' && !cursor_.atEnd() && cursor_.now() != '\n') text += cursor_.take();
    }
  }

  // From the quotation mark on: R"delimiter(...)delimiter".
  void takeRawString(std::string& text) {
    std::string end = ")";
    text += cursor_.takeRaw();
    while (!cursor_.atEnd() && cursor_.now() != '(') {
      end += cursor_.now();
      text += cursor_.takeRaw();
    }
    end += '"';
    const std::size_t open = text.size();
    while (!cursor_.atEnd()) {
      text += cursor_.takeRaw();
      if (text.size() - open > end.size() && text.ends_with(end)) {
        cursor_.join();
        return takeName(text);
      }
    }
  }

  void takePunctuator(std::string& text) {
    for (const std::string_view each : kPunctuators) {
      if (each.front() != cursor_.now() || !cursor_.startsWith(each)) continue;
      // "<::" is "<" before "::", unless a third colon or ">" makes it "<:" after all.
      if (each == "<:" && cursor_.after(2) == ':' && cursor_.after(3) != ':' &&
          cursor_.after(3) != '>')
        break;
      for (std::size_t i = 0; i < each.size(); ++i) text += cursor_.take();
      return;
    }
    text += cursor_.take();
  }

  Cursor cursor_;
  Tokens tokens_;
};

}  // namespace

Tokens tokensOf(std::string_view text) {
  return Lexer(text).read();
}

}  // namespace tileloom
