// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs of the worker's device: kept from an earlier measurement, measured once if there is a
// GPU and no earlier measurement, shipped or computed otherwise.
#pragma once

#include <QObject>
#include <filesystem>
#include <optional>

#include "app/services/measuring/worker_client.h"
#include "kernels/model/limits/ceilings.h"

namespace tileloom {

class DeviceCeilings : public QObject {
  Q_OBJECT
 public:
  // `file`: that of `tileloom ceilings`; empty: nothing is read or kept.
  DeviceCeilings(WorkerClient& client, std::filesystem::path file, QObject* parent = nullptr);

  // Reads the file once, and again after forget(): a slider calls this with every move. Without a
  // GPU it returns those of the reference device.
  const model::Ceilings& get();
  // The file may have changed. Emits changed() if it has.
  void forget();
  // Requests them from the worker, unless they were measured before on this device with this
  // driver, or the attempt failed. Takes seconds of GPU time.
  void measureOnce();
  bool measuring() const { return m_asked; }
  // About the latest attempt, else about the file; one sentence.
  const QString& trouble() const { return m_trouble.isEmpty() ? m_fileTrouble : m_trouble; }

 signals:
  void changed();

 private:
  const gpu::DeviceInfo* device() const;
  model::Ceilings read();
  void take(const Result<model::Ceilings>& found);

  WorkerClient& m_client;
  std::filesystem::path m_file;
  std::optional<model::Ceilings> m_known;
  std::optional<model::Ceilings> m_measured;  // in this session, whether or not they are kept
  std::string m_tried;                        // device and driver
  bool m_asked = false;
  QString m_trouble, m_fileTrouble;
};

}  // namespace tileloom
