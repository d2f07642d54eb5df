// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/worker_status.h"

#include <QCoreApplication>
#include <string>

#include "app/services/measuring/lab_machine.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Lab)
};

}  // namespace

QString workerStatusText(const WorkerStatus& status) {
  const LabMachine machine = labMachineOf(status.info);
  if (machine.measures) {
    QString line = Words::tr("Live on %1.").arg(machine.device);
    if (status.lent)
      line += Words::tr(" The tuner has the GPU: the present tile is measured afterwards.");
    for (const std::string& sentence : status.info->missing)
      line += Words::tr(" %1.").arg(QString::fromStdString(sentence));
    if (!status.countersMissing.isEmpty())
      line += Words::tr(" No counters: %1.").arg(status.countersMissing);
    return line;
  }
  QString line = status.expected && !status.info ? Words::tr("Looking for a GPU …")
                                                 : Words::tr("No GPU here: speeds are recorded.");
  if (machine.compiles) {
    line += Words::tr(" Registers are from NVRTC %1 for %2.")
                .arg(QString::fromStdString(status.info->nvrtc), toQString(machine.arch.name));
  } else if (status.info) {
    line += Words::tr(
        " Registers are recorded, too: install NVRTC of the CUDA Toolkit for those of any tile.");
  }
  return line;
}

}  // namespace tileloom
