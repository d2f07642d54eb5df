// SPDX-License-Identifier: GPL-3.0-or-later
// The order of accesses by clocks (happens.h): the thread that reads or overwrites a word must be
// ordered after its last writer, and a writer after its readers, also where these are the async
// proxy's; and between threads and the async proxy there must be a fence.
#pragma once

#include "kernels/emulator/judges/context.h"
#include "kernels/emulator/judges/copies.h"

namespace tileloom::emulator::judges {

class Clocks {
 public:
  explicit Clocks(Context& context) : context_(context) {}

  void read(const event::Access& e);
  void write(const event::Access& e);
  void copy(const event::Access& e);
  void commit(std::uint32_t thread) { copies_.commit(thread, context_.subject.threads); }
  void wait(std::uint32_t thread, std::uint32_t newest);
  void settle(std::uint32_t thread);
  void request(const event::BoxRequested& e);
  void read(const event::AgentLoad& e) {
    Shadow& shadow = context_.shadow;
    ShadowWord& word = shadow.words[e.word];
    if (word.written != shadow.wellShown || word.written == 0) checkAgent(word.written, e);
    const std::uint32_t component = e.agent == event::Agent::Products
                                        ? context_.happens.productsComponent(e.at.warp())
                                        : context_.happens.storesComponent(e.at.warp());
    word.read =
        shadow.readers.with(word.read, (e.group + 1) << kThreadBits | Component::agent(component),
                            context_.happens.clock(e.at.thread));
  }

 private:
  // A word that is accessed.
  struct Word {
    const Origin& at;
    std::uint32_t array = 0;
    std::int64_t index = 0;
  };
  bool inFlight(std::uint32_t written) const { return copies_.any() && written >= kInFlight; }
  void checkRead(std::uint32_t written, const Word& word, const char* how);
  void checkAgent(std::uint32_t written, const event::AgentLoad& e);
  // Whether an access that was found correct shows that this word may be overwritten, too.
  bool isWell(const ShadowWord& word) const {
    const Shadow& shadow = context_.shadow;
    return (word.written == 0 || word.written == shadow.wellWritten) &&
           (word.read == 0 || word.read == shadow.wellRead);
  }
  // The word is in the shared memory of `in`; `byAgent`: a TMA load overwrites it.
  void checkOverwrite(const Context& in, const ShadowWord& shadow, const Word& word, bool byAgent);

  Context& context_;
  Copies copies_;
  std::uint32_t reported_ = 0;  // the stamp of the last fault's word: one fault for all such words
};

}  // namespace tileloom::emulator::judges
