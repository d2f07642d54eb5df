// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/size_service.h"

#include <new>

namespace tileloom {
namespace {

constexpr int kRestMs = 150;  // for which the tile parameters must rest before anything is computed

}  // namespace

SizeService::SizeService(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &SizeService::begin);
}

SizeService::~SizeService() {
  forget();
  m_pool.waitForDone();
}

void SizeService::ask(Question question) {
  if (m_latest == question) return;
  m_latest = question;
  m_next = std::move(question);
  if (m_cancelled) *m_cancelled = true;
  if (!m_busy) m_rest.start();
}

void SizeService::forget() {
  m_next.reset();
  m_latest.reset();
  if (m_cancelled) *m_cancelled = true;
  m_rest.stop();
}

void SizeService::begin() {
  if (!m_next || m_busy) return;
  m_busy = true;
  m_cancelled = std::make_shared<std::atomic<bool>>(false);
  m_pool.start([this, question = *std::exchange(m_next, std::nullopt), cancelled = m_cancelled] {
    Answer points;
    try {
      points = std::make_shared<const std::vector<model::SizePoint>>(
          model::sizeCurve(*question.rung(), question.tile, question.sizes, question.shape,
                           question.rates, [cancelled] { return cancelled->load(); }));
    } catch (const std::bad_alloc&) {
      points = nullptr;  // the window goes on without it
    }
    m_answers.give([this, question, points, cancelled] {
      m_busy = false;
      if (!*cancelled && points != nullptr) emit answered(question, points);
      if (m_next) m_rest.start();
    });
  });
}

}  // namespace tileloom
