// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/loop_timing.h"

#include <algorithm>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

const QString kLoop = QStringLiteral("loop");  // tag

bool isOf(const runs::LoopTimes& times, const Subject& subject) {
  return times.rung() == subject.rung() && times.tile == subject.tile;
}

}  // namespace

LoopTiming::LoopTiming(WorkerClient& client, QObject* parent) : QObject(parent), m_client(client) {}

void LoopTiming::measure(const Subject& subject) {
  if (m_measuring) return;
  worker::LoopRequest request;
  request.subject() = subject;
  m_trouble.clear();
  m_measuring = true;
  m_client.measureLoop(request, kLoop, this, [this, subject](const Result<runs::LoopTimes>& times) {
    m_measuring = false;
    m_trouble = take(subject, times);
    emit changed();
  });
  emit changed();
}

// Returns why there is no result.
QString LoopTiming::take(const Subject& asked, const Result<runs::LoopTimes>& times) {
  if (!times) return tr("Nothing was measured: %1.").arg(toQString(times.error().text));
  // The answer may be of another kernel.
  if (!isOf(*times, asked))
    return tr("Nothing was measured: the worker answered with another kernel.");
  std::erase_if(m_measured, [&](const runs::LoopTimes& each) { return isOf(each, asked); });
  m_measured.push_back(*times);
  return {};
}

std::optional<runs::LoopTimes> LoopTiming::of(const Subject& subject) const {
  const auto measured = std::ranges::find_if(
      m_measured, [&](const runs::LoopTimes& each) { return isOf(each, subject); });
  if (measured != m_measured.end()) return *measured;
  return runs::recordedLoopTimes(subject);
}

}  // namespace tileloom
