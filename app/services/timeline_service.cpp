// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/timeline_service.h"

#include <new>
#include <utility>

#include "kernels/timeline/program.h"

namespace tileloom {
namespace {

TimelineService::Answer answer(const TimelineService::Question& question) {
  emulator::TraceRequest request;
  request.stage = question.stage;
  request.tile = question.tile;
  request.problem = question.problem;
  request.block = question.block;
  request.arithmetic = question.arithmetic;
  request.kTiles = timeline::tilesWanted(*question.stage, question.tile);
  request.operands = false;
  try {
    emulator::Workspace workspace;
    return std::make_shared<const timeline::BlockProgram>(
        timeline::programOf(emulator::traceBlock(workspace, request)));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

TimelineService::TimelineService(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
}

TimelineService::~TimelineService() {
  m_next.reset();
  m_pool.waitForDone();
}

void TimelineService::ask(const Question& question) {
  if (m_latest == question) return;
  m_latest = question;
  m_next = question;
  begin();
}

void TimelineService::begin() {
  if (!m_next || m_busy) return;
  m_busy = true;
  m_pool.start([this, question = *std::exchange(m_next, std::nullopt)] {
    Answer program = answer(question);
    // The pool is waited for before this object goes.
    QMetaObject::invokeMethod(
        this,
        [this, question, program = std::move(program)] {
          m_busy = false;
          if (question == m_latest) emit answered(question, program);
          begin();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tileloom
