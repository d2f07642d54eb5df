// SPDX-License-Identifier: GPL-3.0-or-later
// Carries an answer from a worker thread to the thread of the window. It travels as an event of its
// own kind, so that a test can hold answers back and deliver them in another order.
//
//   Answers m_answers;    // members of a service, in this order: the threads end first
//   QThreadPool m_pool;
//   m_pool.start([this, a, b] { m_answers.give([this, sum = a + b] { emit added(sum); }); });
#pragma once

#include <QEvent>
#include <QObject>
#include <functional>

namespace tileloom {

class AnswerEvent : public QEvent {
 public:
  explicit AnswerEvent(std::function<void()> answer) : QEvent(kind()), arrive(std::move(answer)) {}

  static Type kind();

  std::function<void()> arrive;
};

class Answers : public QObject {
 public:
  // Any thread may call it. `arrive` is called on the thread of this object, after all answers
  // given before; never, if this object is destroyed first.
  void give(std::function<void()> arrive);

 protected:
  bool event(QEvent* event) override;
};

}  // namespace tileloom
