// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/listing.h"
#include "kernels/base/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "kernels/base/plain_text.h"

namespace tileloom::sass {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "-R4.reuse", "|R5|", "R8": the sign does not matter to the register file.
Operand operandOf(std::string_view text) {
  Operand operand;
  text = trimmed(text);
  const auto drop = text.find_first_not_of("-|~!");
  if (drop == std::string_view::npos) return operand;
  text.remove_prefix(drop);
  const auto end = text.find_first_of(".|");
  const std::string_view name = text.substr(0, end);
  if (name.size() < 2 || name.front() != 'R') return operand;
  if (const auto reg = number<std::uint8_t>(name.substr(1))) {
    operand.reg = *reg;
    operand.reuse = text.find(".reuse") != std::string_view::npos;
  }
  return operand;
}

// Behind the last comma. "R4 0x1a0" is a register and a distance: its sum is not known.
std::string_view lastOperand(std::string_view operands) {
  const auto comma = operands.rfind(',');
  return trimmed(comma == std::string_view::npos ? operands : operands.substr(comma + 1));
}

bool branches(std::string_view base) {
  return base == "BRA" || base == "CALL" || base == "JMP" || base == "BSSY";
}

// The lines of a disassembly, one after the other.
class Parser {
 public:
  Result<Listing> parse(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size() && !done_;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      take(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (listing_.instructions.empty()) {
      return fail(Trouble::Unsupported,
                  "the disassembler printed no readable instruction: use the one of the CUDA "
                  "Toolkit that compiles the kernels");
    }
    resolve();
    dropPadding(listing_);
    return std::move(listing_);
  }

 private:
  void take(std::string_view line) {
    const std::string_view content = trimmed(line);
    if (content.starts_with("/*")) return takeInstruction(content);
    if (content.starts_with("//## File \"")) return takeLine(content);
    if (content.starts_with(".section")) return begin(sectionKernel(content));
    if (content.starts_with("Function :")) return begin(trimmed(content.substr(10)));
    const std::string_view word = content.substr(0, content.find_first_of(" \t"));
    if (word.ends_with(':')) labels_[std::string(word.substr(0, word.size() - 1))] = next_;
  }

  // ".section .text.tuned,"ax",@progbits" -> "tuned"
  static std::string_view sectionKernel(std::string_view line) {
    const auto at = line.find(".text.");
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + 6);
    return line.substr(0, line.find_first_of(", \t"));
  }

  void begin(std::string_view kernel) {
    if (kernel.empty()) return;
    done_ = !listing_.instructions.empty();
    places_.clear();
    constexpr std::size_t kMostShown = 40;
    if (!done_) listing_.kernel = quotable(kernel, kMostShown);
  }

  // "//## File "/x/tuned.cuh", line 66 inlined at …", for the instructions that follow. An inlined
  // function has several such lines, the innermost first and the kernel's own last.
  void takeLine(std::string_view content) {
    if (!inPlaces_) places_.clear();
    inPlaces_ = true;
    constexpr std::string_view kFile = "//## File \"", kLine = "\", line ";
    content.remove_prefix(kFile.size());
    const auto at = content.find(kLine);
    if (at == std::string_view::npos) return;
    const std::string_view file = content.substr(0, at);
    content.remove_prefix(at + kLine.size());
    const auto line = number<int>(content.substr(0, content.find_first_not_of("0123456789")));
    places_.push_back({file, line && *line > 0 && *line <= kMostLines ? *line : 0});
  }

  // The innermost line of the kernel's own file: for a function in a header the line that calls it.
  int lineHere() const {
    if (places_.empty()) return 0;
    return std::ranges::find(places_, places_.back().file, &Place::file)->line;
  }

  // "/*0de0*/  FFMA R113, R31.reuse, R42, R8 ;  // |   98  |   1    |". The line that -hex puts
  // below an instruction has no semicolon outside its comment.
  void takeInstruction(std::string_view line) {
    const auto close = line.find("*/");
    const auto semicolon = line.find(';');
    if (close == std::string_view::npos || semicolon == std::string_view::npos || semicolon < close)
      return;
    const auto address = number<std::uint32_t>(trimmed(line.substr(2, close - 2)), 16);
    auto instruction = parseInstruction(line.substr(close + 2, semicolon - close - 2));
    if (!address || !instruction) return;
    done_ = !listing_.instructions.empty() && *address <= listing_.instructions.back().address;
    if (done_) return;  // another kernel
    instruction->address = *address;
    const auto comment = line.find("// |", semicolon);
    if (comment != std::string_view::npos) {
      const auto cell = line.substr(comment + 4);
      const auto count = trimmed(cell.substr(0, cell.find('|')));
      const auto live = count.empty() ? 0 : number<int>(count);
      if (live >= 0 && live <= kMostRegisters) instruction->live = live;
    }
    inPlaces_ = false;
    instruction->line = lineHere();
    next_ = *address + 16;
    listing_.instructions.push_back(std::move(*instruction));
  }

  // "`(.L_x_0)" is an address, once all labels are known.
  void resolve() {
    for (Instruction& i : listing_.instructions) {
      const auto open = i.operands.find("`(");
      const auto close = i.operands.find(')', open == std::string::npos ? 0 : open);
      if (open == std::string::npos || close == std::string::npos) continue;
      const auto label = labels_.find(i.operands.substr(open + 2, close - open - 2));
      if (label == labels_.end()) continue;
      const bool alone = lastOperand(i.operands).starts_with('`');
      i.operands.replace(open, close + 1 - open, fmt::format("{:#x}", label->second));
      if (alone && branches(i.base())) i.target = label->second;
    }
  }

  Listing listing_;
  std::map<std::string, std::uint32_t> labels_;
  struct Place {
    std::string_view file;
    int line = 0;
  };
  std::vector<Place> places_;  // of the instruction, innermost first
  bool inPlaces_ = false;      // no instruction has followed them yet
  std::uint32_t next_ = 0;
  bool done_ = false;
};

}  // namespace

std::string_view Instruction::base() const {
  return std::string_view(opcode).substr(0, opcode.find('.'));
}

std::string Instruction::text() const {
  std::string all = predicate.empty() ? std::string() : fmt::format("@{} ", predicate);
  all += opcode;
  if (!operands.empty()) all += " " + operands;
  return all;
}

bool Listing::hasLive() const {
  return !instructions.empty() &&
         std::ranges::all_of(instructions, [](const auto& i) { return i.live.has_value(); });
}

bool Listing::hasLines() const {
  return std::ranges::any_of(instructions, [](const auto& i) { return i.line > 0; });
}

int Listing::mostLive() const {
  int most = 0;
  for (const Instruction& i : instructions) most = std::max(most, i.live.value_or(0));
  return most;
}

std::optional<std::size_t> Listing::at(std::uint32_t address) const {
  const auto found = std::ranges::lower_bound(instructions, address, {}, &Instruction::address);
  if (found == instructions.end() || found->address != address) return std::nullopt;
  return static_cast<std::size_t>(found - instructions.begin());
}

std::optional<Instruction> parseInstruction(std::string_view text) {
  Instruction i;
  text = trimmed(text);
  if (text.starts_with('@')) {
    const auto end = text.find(' ');
    if (end == std::string_view::npos) return std::nullopt;
    i.predicate = text.substr(1, end - 1);
    // In a recorded listing this is a place in the source (codeText).
    if (!i.predicate.empty() && i.predicate.front() >= '0' && i.predicate.front() <= '9')
      return std::nullopt;
    text = trimmed(text.substr(end));
  }
  const auto end = std::min(text.find(' '), text.size());
  i.opcode = text.substr(0, end);
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_';
  };
  if (i.opcode.empty() || i.opcode.front() < 'A' || i.opcode.front() > 'Z' ||
      !std::ranges::all_of(i.opcode, letter) || !isPlain(i.predicate) || !isPlain(text))
    return std::nullopt;
  i.operands = trimmed(text.substr(end));
  for (std::size_t begin = 0; begin < i.operands.size();) {
    const std::size_t comma = std::min(i.operands.find(',', begin), i.operands.size());
    i.registers.push_back(operandOf(std::string_view(i.operands).substr(begin, comma - begin)));
    begin = comma + 1;
  }
  // "BRA 0x1a0", "@P0 BRA.U UP0, 0x1a0"
  if (branches(i.base())) {
    const std::string_view last = lastOperand(i.operands);
    if (last.starts_with("0x")) i.target = number<std::uint32_t>(last.substr(2), 16);
  }
  return i;
}

Result<Listing> parseListing(std::string_view text) {
  return Parser().parse(text);
}

void dropPadding(Listing& listing) {
  auto& all = listing.instructions;
  const auto padding = [](const Instruction& i) {
    return i.base() == "NOP" || (i.base() == "BRA" && i.target == i.address);
  };
  while (all.size() > 1 && padding(all.back())) all.pop_back();
}

void takeLines(Listing& listing, const Listing& from) {
  auto& ours = listing.instructions;
  const auto& theirs = from.instructions;
  const bool same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                               [](const Instruction& a, const Instruction& b) {
                                 return a.address == b.address && a.opcode == b.opcode &&
                                        a.operands == b.operands;
                               });
  if (!same) return;
  for (std::size_t i = 0; i < ours.size(); ++i) ours[i].line = theirs[i].line;
}

void takeLines(Listing& listing, const Listing& from, std::span<const int> origins) {
  for (std::size_t i = 0; i < listing.instructions.size(); ++i) {
    const int origin = i < origins.size() ? origins[i] : -1;
    const bool known = origin >= 0 && static_cast<std::size_t>(origin) < from.instructions.size();
    listing.instructions[i].line =
        known ? from.instructions[static_cast<std::size_t>(origin)].line : 0;
  }
}

}  // namespace tileloom::sass
