// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/clocks.h"

#include <fmt/format.h>

#include <utility>

namespace tileloom::emulator::judges {
namespace {

const char* requestOf(event::Agent agent) {
  return agent == event::Agent::Products ? "issues a wgmma that reads" : "issues a TMA store of";
}

// "which warp 1 multiplies in line 48", and why it may not be complete.
std::string groupText(const Context& in, std::uint32_t warp, std::uint32_t group) {
  const std::vector<ProductRecord>& products = in.requests.products[warp];
  const auto its = std::ranges::find(products, group, &ProductRecord::group);
  return fmt::format(
      "which warp {} multiplies{}: for this thread, group {} of these wgmma instructions is still "
      "in "
      "flight",
      warp, in.lineText(its != products.end() ? its->line : 0), group);
}

// "which the TMA store of line 120 reads", and why the read may still be in flight.
std::string storeText(const Context& in, std::uint32_t warp, std::uint32_t group) {
  const auto& stores = in.requests.boxStores;
  const auto its = std::ranges::find_if(stores, [&](const BoxStoreRecord& store) {
    return store.box.warp == warp && store.group == group;
  });
  return fmt::format(
      "which the TMA store{} reads: for this thread ({}), group {} of these stores may still be in "
      "flight",
      in.lineText(its != stores.end() ? its->box.line : 0, "of"),
      in.named("wait_boxes", "cp.async.bulk.wait_group"), group);
}

}  // namespace

void Clocks::read(const event::Access& e) {
  const std::uint32_t stamp = context_.happens.stamp(e.at.thread);
  for (std::uint32_t w = 0; w < e.words; ++w) {
    ShadowWord& word = context_.shadow.words[e.word + w];
    checkRead(word.written, {e.at, e.array, e.index + w * e.parts}, "reads");
    word.read = context_.shadow.readers.with(word.read, stamp, context_.happens.clock(e.at.thread));
  }
}

void Clocks::write(const event::Access& e) {
  const std::uint32_t stamp = context_.happens.stamp(e.at.thread);
  for (std::uint32_t w = 0; w < e.words; ++w) {
    ShadowWord& word = context_.shadow.words[e.word + w];
    checkOverwrite(context_, word, {e.at, e.array, e.index + w * e.parts}, false);
    word.written = stamp, word.read = 0;
  }
}

void Clocks::copy(const event::Access& e) {
  for (std::uint32_t w = 0; w < e.words; ++w) {
    ShadowWord& word = context_.shadow.words[e.word + w];
    checkOverwrite(context_, word, {e.at, e.array, e.index + w * e.parts}, false);
    word.written = kInFlight | context_.who(e.at.thread), word.read = 0;
    copies_.issue(e.at.thread, context_.subject.threads, e.word + w);
  }
}

void Clocks::wait(std::uint32_t thread, std::uint32_t newest) {
  const std::uint32_t stamp = copies_.any() ? context_.happens.stamp(thread) : 0;
  copies_.wait(thread, newest,
               [&](std::uint32_t word) { context_.shadow.words[word].written = stamp; });
}

void Clocks::settle(std::uint32_t thread) {
  const std::uint32_t stamp = copies_.any() ? context_.happens.stamp(thread) : 0;
  copies_.settle(thread, [&](std::uint32_t word) { context_.shadow.words[word].written = stamp; });
}

void Clocks::request(const event::BoxRequested& e) {
  const BoxRecord& box = *e.box;
  Context& to = *context_.peer(e.rank);
  // The stamps that were found correct are those of one shared memory.
  if (&to != &context_) context_.shadow.wellWritten = context_.shadow.wellRead = 0;
  const std::uint32_t stamp =
      (box.phase + 1) << kThreadBits | Component::agent(to.happens.barrierComponent(box.barrier));
  const bool machine = context_.subject.wordBytes != 0;
  const std::uint32_t unit = machine ? context_.subject.wordBytes : 4;
  const std::uint32_t first = context_.array(box.array).base * 4;
  ShadowWord* const words = to.shadow.words.data();
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    for (std::uint32_t at = 0; at < box.columns * 2; at += unit) {
      // The elements of a record have two bytes.
      const std::uint32_t byte = box.byteOf(row, at / 2) + at % 2;
      ShadowWord& word = words[byte / unit];
      if (!isWell(word))
        checkOverwrite(to, word, {e.at, box.array, machine ? byte / unit : (byte - first) / 2},
                       true);
      word.written = stamp, word.read = 0;
    }
  }
  if (&to != &context_) context_.shadow.wellWritten = context_.shadow.wellRead = 0;
}

void Clocks::checkRead(std::uint32_t written, const Word& word, const char* how) {
  if (written == context_.shadow.wellWritten && written != 0) return;
  const std::uint32_t who = written & kManyThreads;
  if (written == 0) {
    context_.reportElement(FaultKind::Unwritten, word.at, word.array, word.index, false);
  } else if (inFlight(written)) {
    context_.reportElement(FaultKind::NotArrived, word.at, word.array, word.index, false);
  } else if (who == context_.who(word.at.thread) ||
             context_.happens.clock(word.at.thread).knows(written)) {
    context_.shadow.wellWritten = written;
  } else if (who >= kFirstAgent) {
    if (std::exchange(reported_, written) == written) return;
    context_.report(FaultKind::NotArrived, word.at,
                    fmt::format("{} {}, of {}", how, context_.wordText(word.array, word.index),
                                context_.boxText(written, word.array, word.index)));
  } else {
    context_.reportElement(FaultKind::Race, word.at, word.array, word.index, false,
                           static_cast<int>(who - context_.place.firstThread));
  }
}

void Clocks::checkAgent(std::uint32_t written, const event::AgentLoad& e) {
  checkRead(written, {e.at, e.array, e.index}, requestOf(e.agent));
  // Stores of threads have to be made visible to the async proxy first.
  const std::uint32_t who = written & kManyThreads;
  if (written == 0 || inFlight(written)) return;
  const Clock& now = context_.happens.clock(e.at.thread);
  if (who >= kFirstAgent ? now.knows(written) : now.shows(written)) {
    context_.shadow.wellShown = written;
    return;
  }
  if (who >= kFirstAgent || std::exchange(reported_, written) == written) return;
  context_.report(FaultKind::NoFence, e.at,
                  fmt::format("{} {}, which {} has stored without {}", requestOf(e.agent),
                              context_.wordText(e.array, e.index), context_.threadText(who),
                              context_.named("fence_async()", "fence.proxy.async")));
}

void Clocks::checkOverwrite(const Context& in, const ShadowWord& shadow, const Word& word,
                            bool byAgent) {
  std::uint32_t &wellWritten = context_.shadow.wellWritten, &wellRead = context_.shadow.wellRead;
  const std::uint32_t written = shadow.written, read = shadow.read;
  if (isWell(shadow)) return;
  const bool writtenWell = written == 0 || written == wellWritten;
  const Clock& now = context_.happens.clock(word.at.thread);
  const std::uint32_t own = context_.who(word.at.thread);
  const auto place = [&] {
    return fmt::format(
        "{}{}", context_.wordText(word.array, word.index),
        &in == &context_ ? "" : fmt::format(" of the block with rank {}", in.place.rank));
  };
  const std::uint32_t writer = written & kManyThreads;
  if (!writtenWell && (inFlight(written) || (writer != own && !now.knows(written)))) {
    if (std::exchange(reported_, written) == written) return;
    if (writer < kFirstAgent && &in == &context_) {
      context_.reportElement(FaultKind::Race, word.at, word.array, word.index, true,
                             static_cast<int>(writer - context_.place.firstThread));
    } else if (writer < kFirstAgent) {
      context_.report(FaultKind::Race, word.at,
                      fmt::format("overwrites {}, which {} has stored with no barrier in between",
                                  place(), context_.threadText(writer)));
    } else {
      context_.report(FaultKind::Race, word.at,
                      fmt::format("overwrites {}, of {}", place(),
                                  in.boxText(written, word.array, word.index)));
    }
    return;
  }
  bool well = true;
  in.shadow.readers.forEach(read, [&](std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    if (!well || who == own || now.knows(stamp)) return;
    well = false;
    if (std::exchange(reported_, stamp) == stamp) return;
    if (who < kFirstAgent) {
      context_.report(FaultKind::Race, word.at,
                      fmt::format("overwrites {}, which {} reads with no barrier in between",
                                  place(), context_.threadText(who)));
      return;
    }
    const std::uint32_t component = Component::of(stamp), group = (stamp >> kThreadBits) - 1;
    const bool store = component >= Component::stores(0);
    const std::uint32_t warp =
        component - (store ? in.happens.storesComponent(0) : in.happens.productsComponent(0));
    context_.report(FaultKind::Race, word.at,
                    fmt::format("overwrites {}, {}", place(),
                                store ? storeText(in, warp, group) : groupText(in, warp, group)));
  });
  // A read that is over for all threads need not be over for TMA. In machine code of other people a
  // barrier is enough: CUTLASS has no fence there.
  if (context_.subject.wordBytes != 0) byAgent = false;
  in.shadow.readers.forEach(read, [&](std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    if (!well || !byAgent || who >= kFirstAgent || now.shows(stamp)) return;
    well = false;
    if (std::exchange(reported_, stamp) == stamp) return;
    context_.report(FaultKind::NoFence, word.at,
                    fmt::format("loads a box over {}, which {} has read without fence_async(): "
                                "that read may still be in flight",
                                place(), context_.threadText(who)));
  });
  if (well) wellWritten = written;
  if (well && byAgent) wellRead = read;  // an agent needs more than a thread does
}

}  // namespace tileloom::emulator::judges
