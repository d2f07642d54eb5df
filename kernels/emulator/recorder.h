// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the instructions of the lanes of one warp between two barriers and groups them by warp
// instruction. Lanes run one after another, so recording means appending to the stream of the
// running lane.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "kernels/emulator/code_word.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

// Receives each finished warp interval; the view is valid during the call only.
using IntervalSink = std::function<void(const WarpInterval&)>;

class Recorder {
 public:
  static constexpr std::uint32_t kMatrixElements = 8;  // per lane

  // `operands`: record the factors of every multiply-add. False: only count the multiply-adds.
  void begin(bool operands);
  void beginWarp(std::uint32_t warp);
  void beginLane(std::uint32_t lane);
  void continueLane(std::uint32_t lane);  // after its records since beginLane
  void endLane();
  void endWarp(std::uint32_t interval, const IntervalSink& sink);

  // Records an access of `Width` words and returns where the caller writes their provenances.
  template <std::uint32_t Width>
  std::uint32_t* memory(Kind kind, std::uint32_t array, int line, std::uint32_t index) {
    reserve(1 + Width);
    *code_++ = CodeWord(kind, Width, array, static_cast<std::uint32_t>(line));
    std::uint32_t* payload = word_;
    word_ = payload + 1 + Width;  // stored only once, because the next access reads it
    payload[0] = index;
    return payload + 1;
  }

  // The same in an array of 16-bit elements, each of which has a provenance: 2 * `words` of them.
  std::uint32_t* halves(Kind kind, std::uint32_t words, std::uint32_t array, int line,
                        std::uint32_t index) {
    reserve(1 + 2 * words);
    *code_++ = CodeWord(kind, words, array, static_cast<std::uint32_t>(line), kHalves);
    std::uint32_t* payload = word_;
    word_ = payload + 1 + 2 * words;
    payload[0] = index;
    return payload + 1;
  }

  // Records a MatrixLoad or MatrixStore and returns where the caller writes the provenances of 8
  // elements.
  std::uint32_t* matrices(Kind kind, bool turned, std::uint32_t array, int line,
                          std::uint32_t index) {
    reserve(1 + kMatrixElements);
    *code_++ = CodeWord(kind, kMatrixElements / kHalves, array, static_cast<std::uint32_t>(line),
                        kHalves, turned);
    std::uint32_t* payload = word_;
    word_ = payload + 1 + kMatrixElements;
    payload[0] = index;
    return payload + 1;
  }

  // Records an Mma and returns where the caller writes provenances of the lane's operands; nullptr
  // where operands are not recorded.
  std::uint32_t* mma(Mma which, int line) {
    const std::uint32_t operands = rowOf(which).laneOperands();
    reserve(operands);
    *code_++ =
        CodeWord(Kind::Mma, 0, static_cast<std::uint32_t>(which), static_cast<std::uint32_t>(line));
    if (!operands_) return nullptr;
    std::uint32_t* payload = word_;
    word_ += operands;
    return payload;
  }

  void fma(int line, Provenance a, Provenance b, Provenance sum) {
    reserve(3);
    *code_++ = CodeWord(Kind::Fma, 0, 0, static_cast<std::uint32_t>(line));
    if (operands_) {
      word_[0] = a.bits();
      word_[1] = b.bits();
      word_[2] = sum.bits();
      word_ += 3;
    }
  }

  // Records a Barrier, CopyCommit or CopyWait; `count` as in Instruction::width.
  void event(Kind kind, int line, std::uint32_t count = 0) {
    reserve(0);
    *code_++ = CodeWord(kind, count, 0, static_cast<std::uint32_t>(line));
  }

  // Records an instruction with a payload of up to two words; `array` as Instruction::array, and
  // `count`, of a Product only, as Instruction::width.
  void event(Kind kind, int line, std::uint32_t array, std::uint32_t count,
             std::initializer_list<std::uint32_t> payload) {
    reserve(2);
    *code_++ =
        CodeWord(kind, kind == Kind::Product ? count : 0, array, static_cast<std::uint32_t>(line));
    for (const std::uint32_t word : payload) *word_++ = word;
  }

  // `fence`: the assembler cannot merge accesses on different sides of this point.
  void position(std::uint32_t kTile, std::uint16_t dot, bool fence) {
    reserve(2);
    *code_++ = CodeWord(Kind::Position, 0, fence ? 1 : 0, 0);
    *word_++ = kTile;
    *word_++ = dot;
  }

 private:
  static constexpr std::uint32_t kHalves = 2;  // elements of 16 bits in a word

  std::uint32_t wordsOf(CodeWord code) const;
  Instruction decode(CodeWord code) const;

  void reserve(std::uint32_t words) {
    if (word_ + words > wordEnd_ || code_ == codeEnd_) grow(words);
  }
  void grow(std::uint32_t words);
  bool uniform() const;
  void groupUniform();
  void groupDivergent();

  bool operands_ = true;
  std::uint32_t warp_ = 0;
  std::uint32_t lane_ = 0;
  std::uint32_t active_ = 0;

  std::uint32_t wordCapacity_ = 0;  // per lane
  std::uint32_t codeCapacity_ = 0;
  std::unique_ptr<std::uint32_t[]> words_;  // 32 lanes side by side
  std::unique_ptr<CodeWord[]> codes_;
  std::uint32_t wordCount_[kWarpSize] = {};
  std::uint32_t codeCount_[kWarpSize] = {};
  std::uint32_t* word_ = nullptr;
  std::uint32_t* wordEnd_ = nullptr;
  CodeWord* code_ = nullptr;
  CodeWord* codeEnd_ = nullptr;

  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> laneOffsets_;
};

}  // namespace tileloom::emulator
