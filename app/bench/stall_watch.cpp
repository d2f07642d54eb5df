// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/stall_watch.h"

#include <fmt/format.h>

#include <QMetaObject>
#include <algorithm>
#include <utility>

namespace tileloom::app {

StallWatch::StallWatch(std::function<std::string()> doing)
    : m_doing(std::move(doing)), m_asking([this](const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kPause(2);
        while (!stop.stop_requested()) {
          if (!m_open.exchange(true)) {
            const auto asked = Clock::now();
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

void StallWatch::answer(Clock::time_point asked) {
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
  ++m_asked;
  if (ms >= kShort) m_stalls.push_back({ms, m_doing()});
  m_open = false;
}

std::string StallWatch::text() const {
  constexpr double kLong = 50;
  if (m_stalls.empty()) return fmt::format("none of {} answers took {} ms", m_asked, kShort);
  const auto longest = std::ranges::max_element(m_stalls, {}, &Stall::ms);
  return fmt::format(
      "longest {:.0f} ms ({}), {} of {} answers above {} ms", longest->ms, longest->doing,
      std::ranges::count_if(m_stalls, [](const Stall& s) { return s.ms > kLong; }), m_asked, kLong);
}

}  // namespace tileloom::app
