// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/faults_json.h"

#include <nlohmann/json.hpp>

namespace tileloom::app {

Json faultsJson(const emulator::FaultLog& faults) {
  Json list = Json::array();
  for (const emulator::Fault& fault : faults.kept) {
    list.push_back({{"kind", emulator::key(fault.kind)},
                    {"stage", fault.stage},
                    {"block", extentJson(fault.block)},
                    {"thread", fault.thread},
                    {"file", fault.file},
                    {"line", fault.line},
                    {"array", fault.array},
                    {"index", fault.index},
                    {"text", describe(fault)}});
  }
  return list;
}

}  // namespace tileloom::app
