// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of a lecture's step on the glass over the views.
#pragma once

#include <functional>

#include "app/lecture/figures.h"
#include "app/lecture/lecture.h"
#include "viz/lecture/mark.h"

namespace tileloom {

class MarksLayer;
class Window;

class StepMarks {
 public:
  // Of the step's tile; called only when marks are shown.
  using Facts = std::function<lecture::TileFacts()>;

  StepMarks(Window& window, MarksLayer& layer) : m_window(window), m_layer(layer) {}

  // Marks in a picture belong to the step's kernel, and in the bank view to one access: anything
  // else hides them. Marks on the ladder, on tile parameters and on areas stay.
  void show(const lecture::Step& step, const Facts& facts, bool ofKernel, bool atInstant);
  // Figures in their texts may be known only after the marks are shown.
  void fillAgain(const lecture::Step& step, const Facts& facts);
  // Scrolls the panels beside the loom. If not all targets fit, the first must be visible.
  void reveal() const;
  // None are on the glass: they are shown again, although they may be as many.
  void forget() { m_shown = false; }
  void clear();

 private:
  Window& m_window;
  MarksLayer& m_layer;
  bool m_shown = false;
};

}  // namespace tileloom
