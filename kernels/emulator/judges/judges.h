// SPDX-License-Identifier: GPL-3.0-or-later
// The judges of a block, as any executor uses them: it calls allows() before what may not be
// possible, and see() for what has happened (events.h). Judges that do not use an event cost
// nothing: the compiler composes the calls.
//
//   Judges judges(subject, words);
//   judges.see(event::SharedStore{{at, array, index, 1, 1, word}, &value});
//   judges.faults();
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "kernels/emulator/judges/accesses.h"
#include "kernels/emulator/judges/accumulators.h"
#include "kernels/emulator/judges/barriers.h"
#include "kernels/emulator/judges/bounds.h"
#include "kernels/emulator/judges/deadlock.h"
#include "kernels/emulator/judges/fragments.h"
#include "kernels/emulator/judges/lanes.h"
#include "kernels/emulator/judges/leftovers.h"
#include "kernels/emulator/judges/partial_sums.h"
#include "kernels/emulator/judges/register_pool.h"

namespace tileloom::emulator::judges {

// Each of them gets every event that it has a function for, in this order.
template <class... Each>
class Panel {
 public:
  explicit Panel(Context& context) : judges_(Each(context)...) {}

  template <class Event>
  [[gnu::always_inline]] void see(const Event& e) {
    static_assert((usedBy<Event, Each> || ...), "no judge uses this event");
    (tell<Each>(e), ...);
  }
  template <class Event>
  [[gnu::always_inline]] bool allows(const Event& e) {
    static_assert((asksOf<Event, Each> || ...), "no judge answers this question");
    return (ask<Each>(e) && ...);
  }

  template <class Judge>
  const Judge& get() const {
    return std::get<Judge>(judges_);
  }

  template <class Event, class Judge>
  static constexpr bool usedBy = requires(Judge& judge, const Event& e) {
    judge.see(e);
  };
  template <class Event, class Judge>
  static constexpr bool asksOf = requires(Judge& judge, const Event& e) {
    judge.allows(e);
  };
  template <class Event>
  static constexpr bool usesEvent = (usedBy<Event, Each> || ...);

 private:
  template <class Judge, class Event>
  [[gnu::always_inline]] void tell(const Event& e) {
    if constexpr (usedBy<Event, Judge>) std::get<Judge>(judges_).see(e);
  }
  template <class Judge, class Event>
  [[gnu::always_inline]] bool ask(const Event& e) {
    if constexpr (asksOf<Event, Judge>) return std::get<Judge>(judges_).allows(e);
    return true;
  }

  std::tuple<Each...> judges_;
};

// The registration: a judge is a class with a constructor of a Context& (docs/adding/judge.md).
using EveryJudge = Panel<Bounds, Barriers, Accesses, Accumulators, Fragments, RegisterPool,
                         PartialSums, Leftovers, Lanes, Deadlock>;

class Judges {
  template <class Event>
  static constexpr bool orders = requires(Happens& h, const Event& e) {
    h.see(e);
  };
  template <class Event>
  static constexpr bool isRequest = requires(Requests& r, const Event& e) {
    r.see(e);
  };

 public:
  template <class Event>
  static constexpr bool usesEvent =
      orders<Event> || isRequest<Event> || EveryJudge::usesEvent<Event>;

  // `words`: the shadow of shared memory, which is cleared; it may be a buffer that is kept from
  // one block to the next.
  Judges(const Subject& subject, std::vector<ShadowWord>& words)
      : context_(subject, words), panel_(context_) {}

  // The blocks of a cluster, by rank; before the first event. Their threads are numbered together.
  static void join(std::span<Judges* const> blocks) {
    std::vector<Context*> cluster;
    std::vector<Happens*> clocks;
    for (Judges* const block : blocks) {
      cluster.push_back(&block->context_);
      clocks.push_back(&block->context_.happens);
    }
    for (std::uint32_t rank = 0; rank < blocks.size(); ++rank) {
      Context& context = blocks[rank]->context_;
      context.cluster = cluster;
      context.place = {rank, rank * context.subject.threads};
      context.happens.join(clocks);
    }
  }

  // The happens-before order and the requests are up to date when a judge sees the event.
  template <class Event>
  [[gnu::always_inline]] void see(const Event& e) {
    static_assert(usesEvent<Event>, "nothing uses this event");
    if constexpr (orders<Event>) context_.happens.see(e);
    if constexpr (isRequest<Event>) context_.requests.see(e);
    if constexpr (EveryJudge::usesEvent<Event>) panel_.see(e);
  }
  template <class Event>
  [[gnu::always_inline]] bool allows(const Event& e) {
    return panel_.allows(e);
  }

  // One of the judges, for what it has counted.
  template <class Judge>
  const Judge& get() const {
    return panel_.template get<Judge>();
  }
  const FaultLog& faults() const { return context_.faults; }
  const Requests& requests() const { return context_.requests; }
  // For faults of the executor itself, such as a lack of memory.
  Context& context() { return context_; }

 private:
  Context context_;
  EveryJudge panel_;
};

}  // namespace tileloom::emulator::judges
