// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/micro_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernels/sass/micro_code.h"

namespace tileloom::sass {
namespace {

constexpr int kCapability = 90;
constexpr std::size_t kClosing = 3;  // instructions of an iteration that are not slots
constexpr int kLoopPredicate = 0;

bool isFfma(const CodeWord& word) {
  constexpr std::uint64_t kFfma = 0x023;  // for all sources
  return word.bits(0, 9) == kFfma;
}

// The index of the branch that closes the loop.
std::optional<std::size_t> loopEnd(std::span<const CodeWord> words) {
  constexpr std::uint64_t kBranch = 0x947;
  constexpr auto kTurn = std::int64_t{MicroCase::kSlots + kClosing};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].bits(0, 12) == kBranch &&
        branchDistance(words[i], kCapability) == -kTurn * kCodeWordBytes &&
        i + 1 >= MicroCase::kSlots + kClosing)
      return i;
  return std::nullopt;
}

// Turns a placeholder before the loop into a move of what it reads to `reg`. std::nullopt: it reads
// no general register.
std::optional<Decoded> moveInstead(const CodeWord& placeholder, int reg) {
  const auto ffma = decode(placeholder, 0, kCapability);
  if (!ffma || ffma->operands[1].kind != OperandKind::Register) return std::nullopt;
  Decoded move = micro::move(reg, ffma->operands[1].number);
  move.control = ffma->control;
  constexpr int kStall = 13;  // long enough for any instruction that reads it
  move.control.stall = kStall;
  move.control.yield = true;
  return move;
}

tl::unexpected<std::string> unexpectedKernel(std::string_view what) {
  return tl::unexpected(fmt::format("the compiled kernel of micro_case.cu {}", what));
}

}  // namespace

std::string_view name(LaneAddresses addresses) {
  constexpr std::array<std::string_view, kLaneAddresses> kNames = {"one",     "pairs-1", "pairs-2",
                                                                   "pairs-4", "xor",     "own"};
  return kNames[static_cast<std::size_t>(addresses)];
}

std::array<std::uint32_t, 32> bytesOf(LaneAddresses addresses) {
  std::array<std::uint32_t, 32> bytes{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto bit = [lane](unsigned i) { return lane >> i & 1; };
    unsigned place = 0;
    switch (addresses) {
      case LaneAddresses::One:
        break;
      case LaneAddresses::Pairs1:
        place = lane / 2;
        break;
      case LaneAddresses::Pairs2:
        place = lane / 4 * 2 + lane % 2;
        break;
      case LaneAddresses::Pairs4:
        place = lane / 8 * 4 + lane % 4;
        break;
      case LaneAddresses::Xor:
        place = (bit(0) ^ bit(2)) | (bit(1) ^ bit(3)) << 1 | bit(4) << 2;
        break;
      case LaneAddresses::Own:
        place = lane;
        break;
    }
    bytes[lane] = 16 * place;
  }
  return bytes;
}

bool paired(LaneAddresses addresses) {
  return addresses == LaneAddresses::One || addresses == LaneAddresses::Pairs1 ||
         addresses == LaneAddresses::Pairs2;
}

std::vector<Decoded> turnOf(const MicroCase& which) {
  std::vector<Decoded> turn = {micro::isMoreThanOne(kLoopPredicate, micro::kTurnsRegister),
                               micro::countDown(micro::kTurnsRegister)};
  turn.insert(turn.end(), which.code.begin(), which.code.end());
  turn.push_back(micro::branchToStart(kLoopPredicate,
                                      static_cast<std::uint32_t>(turn.size() * kCodeWordBytes)));
  for (std::size_t i = 0; i + 1 < turn.size(); ++i)
    turn[i].address = static_cast<std::uint32_t>(i * kCodeWordBytes);
  return turn;
}

Listing listingOf(const MicroCase& which) {
  Listing listing;
  for (const Decoded& decoded : turnOf(which)) {
    Instruction instruction = parseInstruction(decoded.text()).value();
    instruction.address = decoded.address;
    listing.instructions.push_back(std::move(instruction));
  }
  return listing;
}

tl::expected<std::vector<char>, std::string> microCubin(std::span<const char> compiled,
                                                        const MicroCase& which) {
  auto cubin = readCubin(compiled);
  if (!cubin) return tl::unexpected(cubin.error());
  std::vector<CodeWord>& words = cubin->words;
  const auto end = loopEnd(words);
  if (!end) return unexpectedKernel("has no loop of the expected length");
  const std::size_t begin = *end + 1 - MicroCase::kSlots - kClosing;
  std::vector<std::size_t> placeholders;
  for (std::size_t i = 0; i < begin; ++i)
    if (isFfma(words[i])) placeholders.push_back(i);
  if (placeholders.size() != 2) return unexpectedKernel("has lost its placeholders");
  for (std::size_t i = 0; i < placeholders.size(); ++i) {
    auto move = moveInstead(words[placeholders[i]],
                            i == 0 ? micro::kAddressRegister : micro::kTurnsRegister);
    if (!move) return unexpectedKernel("has a placeholder that reads no register");
    const auto word = encode(*move);
    if (!word) return tl::unexpected(word.error());
    words[placeholders[i]] = *word;
  }
  const std::vector<Decoded> turn = turnOf(which);
  if (turn.size() != MicroCase::kSlots + kClosing)
    return tl::unexpected(fmt::format("the case {} has {} slots instead of {}", which.name,
                                      which.code.size(), MicroCase::kSlots));
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const auto word = encode(turn[i]);
    if (!word) return tl::unexpected(word.error());
    words[begin + i] = *word;
  }
  return withCode(compiled, words, micro::kRegisters);
}

}  // namespace tileloom::sass
