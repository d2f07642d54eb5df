// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/write_animation.h"

#include <QEventLoop>
#include <QSocketNotifier>

namespace tileloom {

QString writeAnimation(AnimationSetup setup, const Interruptions& interruptions) {
  AnimationWriter writer(std::move(setup));
  QString problem;
  bool ended = false;
  QObject::connect(&writer, &AnimationWriter::finished, &writer, [&](const QString& said) {
    problem = said;
    ended = true;
  });
  QSocketNotifier notifier(interruptions.file(), QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, &writer, [&] {
    notifier.setEnabled(false);
    writer.cancel();
  });
  // It may end while it starts, before anything waits for it.
  writer.start();
  QEventLoop loop;
  while (!ended) loop.processEvents(QEventLoop::WaitForMoreEvents);
  return problem;
}

}  // namespace tileloom
