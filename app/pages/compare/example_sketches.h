// SPDX-License-Identifier: GPL-3.0-or-later
// Records both sides of pairs in the background, one after the other, and keeps what their small
// pictures need.
#pragma once

#include <QObject>
#include <deque>
#include <map>
#include <memory>

#include "app/services/choice/trace_service.h"
#include "app/services/teaching/teaching_pairs.h"
#include "viz/compare/pair_sketch.h"

namespace tileloom {

class ExampleSketches : public QObject {
  Q_OBJECT
 public:
  explicit ExampleSketches(std::vector<TeachingPair> pairs, QObject* parent = nullptr);

  // nullptr: not recorded yet.
  const PairSketch* sketch(std::size_t pair) const;
  // To be sketched next, before all that are waiting.
  void want(std::size_t pair);

 signals:
  void sketched(std::size_t pair);

 private:
  void begin();
  void take(std::shared_ptr<const analysis::Recording> recording);

  std::vector<TeachingPair> m_pairs;
  std::map<std::size_t, PairSketch> m_sketches;
  std::deque<std::size_t> m_waiting;
  std::optional<std::size_t> m_current;
  std::shared_ptr<const analysis::Recording> m_baseline;  // of the current one
  TraceService m_service;
};

}  // namespace tileloom
