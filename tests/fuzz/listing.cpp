// SPDX-License-Identifier: GPL-3.0-or-later
// A listing of SASS, as a disassembler prints it and as recordings keep it: an accepted one is in
// order, can be shown and analysed, and reads back as the same.
#include "kernels/sass/listing.h"

#include <nlohmann/json.hpp>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/mix.h"
#include "kernels/sass/recorded.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using sass::Instruction;
using sass::Listing;
using sass::MachineCode;

// For a source with a token on each line, of the maximal length.
const CodePlaces kLines{std::vector<int>(sass::kMostLines, 1)};

void requireInstruction(const Instruction& i) {
  requirePlain(i.text());
  require(!i.opcode.empty(), "an instruction has an opcode");
  require(i.line >= 0 && i.line <= sass::kMostLines, "a line has a number");
  require(!i.live || (*i.live >= 0 && *i.live <= 1024), "live registers are a count");
  for (const sass::Operand& operand : i.registers)
    require(operand.reg >= -1 && operand.reg <= 255, "a register has a number");
}

void requireAnalysed(const Listing& listing) {
  const sass::Loop loop = sass::mainLoop(listing);
  require(loop.range.begin < loop.range.end && loop.range.end <= listing.instructions.size(),
          "a loop lies within its listing");
  const sass::LoopCost cost = sass::loopCost(listing, loop.range, {});
  require(cost.ffmas >= 0 && cost.lost() >= 0 && cost.share() <= 1, "a loop has its cost");
  require(sass::mixOf(listing, loop.range).total == cost.instructions, "a mix is of all its range");
}

void requireListing(const Listing& listing) {
  requirePlain(listing.kernel);
  for (std::size_t n = 0; n < listing.instructions.size(); ++n) {
    requireInstruction(listing.instructions[n]);
    require(listing.at(listing.instructions[n].address) == n, "instructions are in their order");
  }
  if (listing.instructions.empty()) return;
  requireAnalysed(listing);
  const auto again = sass::parseCode(sass::codeText(listing, kLines), kLines);
  require(again && again->instructions.size() == listing.instructions.size(),
          "a listing reads back with the same length");
  for (std::size_t n = 0; n < listing.instructions.size(); ++n) {
    const Instruction &a = listing.instructions[n], &b = again->instructions[n];
    require(
        a.text() == b.text() && a.live == b.live && a.line == b.line && a.registers == b.registers,
        "an instruction reads back as the same");
  }
  require(sass::codeText(*again, kLines) == sass::codeText(listing, kLines),
          "code is written in the same way");
}

void requireRecorded(const MachineCode& code) {
  requireListing(code.listing);
  requirePlainTexts(sass::headerJson(code));
  const auto again = sass::findListing(sass::recordText(code), code, code.arch);
  require(again && sass::recordText(*again) == sass::recordText(code),
          "a recorded listing reads back as the same");
}

}  // namespace

void attack(std::string_view bytes) {
  if (const auto listing = sass::parseListing(bytes)) {
    requireListing(*listing);
  } else {
    requireSentence(listing.error().text);
  }
  if (const auto code = sass::parseCode(bytes, kLines)) {
    requireListing(*code);
  } else {
    requireSentence(code.error());
  }
  const Stage& stage = *stageWithId("naive");
  for (const char* arch : {"sm_86", "sm_90"}) {
    if (const auto found = sass::findListing(bytes, standardSubject(stage), arch))
      requireRecorded(*found);
  }
}

}  // namespace tileloom::fuzz
