// SPDX-License-Identifier: GPL-3.0-or-later
// The rewriter of main loops, given a damaged kernel: it refuses with a sentence, or its result
// passes its checks a second time. The input is the kernel's file, or, if it does not begin like
// one, changes to a small built-in kernel: two bytes for the instruction, one for the bit.
#include <fmt/format.h>

#include <vector>

#include "kernels/rewrite/control.h"
#include "kernels/rewrite/equality.h"
#include "kernels/rewrite/reuse.h"
#include "kernels/rewrite/rewrite.h"
#include "tests/fuzz/support.h"
#include "tests/rewrite/code.h"

namespace tileloom::fuzz {
namespace {

std::vector<char> changed(std::string_view bytes) {
  static const std::vector<char> small = test::cubinFixture("small");
  static const auto cubin = *sass::readCubin(small);
  auto words = cubin.words;
  constexpr std::size_t kChange = 3;
  const auto byte = [&bytes](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
  };
  for (std::size_t at = 0; at + kChange <= bytes.size(); at += kChange) {
    sass::CodeWord& word = words[(byte(at) << 8 | byte(at + 1)) % words.size()];
    const int bit = static_cast<int>(byte(at + 2) % 128);
    word.put(bit, 1, word.bits(bit, 1) ^ 1);
  }
  return *sass::withCode(small, words, 0);
}

}  // namespace

void attack(std::string_view bytes) {
  const std::vector<char> file =
      bytes.starts_with("\x7f") ? std::vector<char>(bytes.begin(), bytes.end()) : changed(bytes);
  const auto rewritten = rewrite::rewriteMainLoop(file);
  if (!rewritten) return requireSentence(rewritten.error());
  require(rewritten->registers <= rewrite::Request{}.registerLimit,
          "a kernel keeps to the limit of registers");
  const test::Judged judged = test::judgedOf(file, rewritten->cubin);
  for (const std::string& why : {rewrite::whyNotEqual(judged.old, judged.turn, judged.live),
                                 rewrite::whyTooEarly(judged.before, judged.turn, judged.behind),
                                 rewrite::whyStale(judged.turn)})
    require(why.empty(), fmt::format("a judge says of a kernel that was handed over: {}", why));
}

}  // namespace tileloom::fuzz
