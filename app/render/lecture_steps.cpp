// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_steps.h"

#include <QCoreApplication>

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureSteps)
};

}  // namespace

QString ExportSteps::each(
    const std::function<void(std::size_t step, std::size_t place)>& write) const {
  for (std::size_t place = 0; place < steps.size(); ++place) {
    if (interruptions.happened()) return Words::tr("the export was ended before it was written");
    write(steps[place], place);
    if (!stage.problem().isEmpty()) return stage.problem();
    if (progress) progress(place + 1, steps.size());
  }
  return {};
}

}  // namespace tileloom::lecture
