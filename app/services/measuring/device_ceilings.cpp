// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/device_ceilings.h"

#include <utility>

#include "kernels/gpu/measure/ceilings.h"

namespace tileloom {
namespace {

const QString kTag = QStringLiteral("ceilings");

}  // namespace

DeviceCeilings::DeviceCeilings(WorkerClient& client, std::filesystem::path file, QObject* parent)
    : QObject(parent), m_client(client), m_file(std::move(file)) {
  // The first message of a worker names its device, and its end means that there is none.
  connect(&m_client, &WorkerClient::ready, this, &DeviceCeilings::forget);
  connect(&m_client, &WorkerClient::died, this, &DeviceCeilings::forget);
}

const gpu::DeviceInfo* DeviceCeilings::device() const {
  const auto& info = m_client.info();
  return info && info->canMeasure() ? &info->devices.front() : nullptr;
}

const model::Ceilings& DeviceCeilings::get() {
  if (!m_known) m_known = read();
  return *m_known;
}

void DeviceCeilings::forget() {
  if (!m_known) return;
  const auto before = std::exchange(m_known, std::nullopt);
  if (!(get() == *before)) emit changed();
}

model::Ceilings DeviceCeilings::read() {
  std::vector<model::Ceilings> kept;
  m_fileTrouble.clear();
  if (!m_file.empty()) {
    auto file = model::readCeilings(m_file);
    if (!file) {
      m_fileTrouble = QString::fromStdString(file.error());
    } else {
      if (!file->complaints.empty())
        m_fileTrouble = QString::fromStdString(file->complaints.front());
      kept = std::move(file->all);
    }
  }
  if (m_measured) kept.push_back(*m_measured);
  const gpu::DeviceInfo* here = device();
  const auto* known =
      model::ceilingsOf(kept, here != nullptr ? here->name : std::string(),
                        here != nullptr ? m_client.info()->driverVersion : std::string());
  if (known != nullptr) return *known;
  return here != nullptr ? gpu::computedCeilings(*here) : model::Ceilings();
}

void DeviceCeilings::measureOnce() {
  const gpu::DeviceInfo* here = device();
  if (here == nullptr || m_asked) return;
  const std::string place = here->name + " " + m_client.info()->driverVersion;
  if (place == m_tried) return;
  m_tried = place;
  const model::Ceilings& known = get();
  // Those of earlier versions also lack what this one measures.
  const bool whole = known.mmaGflops.known() || !gpu::hasTensorCores(*here);
  if (known.origin == model::CeilingOrigin::Live && known.device == here->name &&
      known.driver == m_client.info()->driverVersion && whole)
    return;
  m_trouble.clear();
  m_asked = true;
  m_client.ceilings({}, kTag, this, [this](const Result<model::Ceilings>& found) { take(found); });
  emit changed();
}

void DeviceCeilings::take(const Result<model::Ceilings>& found) {
  m_asked = false;
  if (!found) {
    m_trouble = QString::fromStdString(found.error().text);
    emit changed();
    return;
  }
  m_measured = *found;
  if (!m_file.empty()) {
    if (const auto kept = appendCeilings(m_file, *found); !kept)
      m_trouble = QString::fromStdString(kept.error());
  }
  forget();
  emit changed();
}

}  // namespace tileloom
