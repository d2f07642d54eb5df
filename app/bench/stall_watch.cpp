// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/stall_watch.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QMetaObject>
#include <algorithm>
#include <fstream>
#include <utility>

namespace tileloom::app {

StallWatch::StallWatch(std::function<std::string()> doing)
    : m_schedule(fmt::format("/proc/self/task/{}/schedstat", ::syscall(SYS_gettid))),
      m_doing(std::move(doing)),
      m_asking([this](const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kPause(2);
        while (!stop.stop_requested()) {
          if (!m_open.exchange(true)) {
            const Moment asked = now();
            QMetaObject::invokeMethod(
                this, [this, asked] { answer(asked); }, Qt::QueuedConnection);
          }
          std::this_thread::sleep_for(kPause);
        }
      }) {}

StallWatch::~StallWatch() {
  m_asking.request_stop();
  m_asking.join();  // it asks this
}

// Without that file, as on systems other than Linux, all time counts as the thread's own.
StallWatch::Moment StallWatch::now() const {
  double computed = 0, waited = 0;  // nanoseconds
  std::ifstream(m_schedule) >> computed >> waited;
  return {Clock::now(), waited / 1e6};
}

void StallWatch::answer(const Moment& asked) {
  const Moment answered = now();
  const double all = std::chrono::duration<double, std::milli>(answered.time - asked.time).count();
  const double others = std::clamp(answered.others - asked.others, 0.0, all);
  ++m_asked;
  if (all >= kShort) m_stalls.push_back({all - others, others, m_doing()});
  m_open = false;
}

std::string StallWatch::text() const {
  constexpr double kLong = 50;
  if (m_stalls.empty()) return fmt::format("none of {} answers took {} ms", m_asked, kShort);
  const auto longest = std::ranges::max_element(m_stalls, {}, &Stall::ms);
  const auto delayed = std::ranges::max_element(m_stalls, {}, &Stall::others);
  return fmt::format(
      "longest {:.0f} ms ({}), {} of {} answers above {} ms; other programs had its processor for "
      "{:.0f} ms at the most",
      longest->ms, longest->doing,
      std::ranges::count_if(m_stalls, [](const Stall& s) { return s.ms > kLong; }), m_asked, kLong,
      delayed->others);
}

}  // namespace tileloom::app
