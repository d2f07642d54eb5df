// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/answers.h"

#include <QCoreApplication>

namespace tileloom {

QEvent::Type AnswerEvent::kind() {
  static const auto kKind = static_cast<Type>(registerEventType());
  return kKind;
}

void Answers::give(std::function<void()> arrive) {
  QCoreApplication::postEvent(this, new AnswerEvent(std::move(arrive)));
}

bool Answers::event(QEvent* event) {
  if (event->type() != AnswerEvent::kind()) return QObject::event(event);
  static_cast<AnswerEvent*>(event)->arrive();
  return true;
}

}  // namespace tileloom
