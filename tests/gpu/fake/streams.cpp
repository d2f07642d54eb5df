// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver: streams and events.
#include "tests/gpu/fake/state.h"

using namespace tileloom::fake;

extern "C" {

int cuStreamCreate(cu::Stream* stream, unsigned) {
  ENTER(cuStreamCreate);
  if (s.current == nullptr) return 201;
  *stream = new cu::StreamTag;
  s.streams.insert(*stream);
  return cu::kSuccess;
}

int cuStreamDestroy_v2(cu::Stream stream) {
  RELEASE(cuStreamDestroy_v2);
  if (s.streams.erase(stream) == 0) return 400;
  if (!s.hanging) s.drain(stream);
  delete stream;
  return answer;
}

int cuStreamQuery(cu::Stream stream) {
  ENTER(cuStreamQuery);
  if (s.streams.count(stream) == 0) return 400;
  if (s.hanging || Wall::now() < stream->busyUntil) return cu::kNotReady;
  if (stream->polls > 0) {
    --stream->polls;
    return cu::kNotReady;
  }
  s.drain(stream);
  return s.sticky;
}

int cuEventCreate(cu::Event* event, unsigned) {
  ENTER(cuEventCreate);
  if (s.current == nullptr) return 201;
  *event = new cu::EventTag;
  s.events.insert(*event);
  return cu::kSuccess;
}

int cuEventDestroy_v2(cu::Event event) {
  RELEASE(cuEventDestroy_v2);
  if (s.events.erase(event) == 0) return 400;
  delete event;
  return answer;
}

int cuEventRecord(cu::Event event, cu::Stream stream) {
  ENTER(cuEventRecord);
  if (s.events.count(event) == 0 || s.streams.count(stream) == 0) return 400;
  s.note("record");
  event->state->recorded = true;
  event->state->done = false;
  event->state->at = stream->clock;
  stream->polls = s.b.polls;
  stream->queue.emplace_back([state = event->state] { state->done = true; });
  return cu::kSuccess;
}

int cuEventElapsedTime(float* ms, cu::Event from, cu::Event to) {
  ENTER(cuEventElapsedTime);
  if (s.events.count(from) == 0 || s.events.count(to) == 0) return 400;
  if (!from->state->recorded || !to->state->recorded) return 400;
  if (!from->state->done || !to->state->done) return cu::kNotReady;
  *ms = static_cast<float>(to->state->at - from->state->at);
  return cu::kSuccess;
}

}  // extern "C"

SAME(cuStreamCreate);
SAME(cuStreamDestroy_v2);
SAME(cuStreamQuery);
SAME(cuEventCreate);
SAME(cuEventDestroy_v2);
SAME(cuEventRecord);
SAME(cuEventElapsedTime);
