// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs of the worker's device: kept from an earlier measurement, measured once where there is
// a GPU and nobody did before, shipped or computed otherwise.
#pragma once

#include <QObject>
#include <filesystem>
#include <optional>

#include "app/services/worker_client.h"
#include "kernels/model/ceilings.h"

namespace tileloom {

class DeviceCeilings : public QObject {
  Q_OBJECT
 public:
  // `file`: that of `tileloom ceilings`; empty: nothing is read or kept.
  DeviceCeilings(WorkerClient& client, std::filesystem::path file, QObject* parent = nullptr);

  // Read once, and again after forget(): a slider asks with every move. Without a GPU those of the
  // reference device.
  const model::Ceilings& get();
  // The file may have others now. changed() is emitted if it has.
  void forget();
  // Asks the worker, unless they were measured before on this device with this driver, or the try
  // has failed. They take seconds of the GPU.
  void measureOnce();
  bool measuring() const { return m_asked != 0; }
  // Of the latest try, or else of the file; one sentence.
  const QString& trouble() const { return m_trouble.isEmpty() ? m_fileTrouble : m_trouble; }

 signals:
  void changed();

 private:
  const gpu::DeviceInfo* device() const;
  model::Ceilings read();
  void take(quint64 id, const model::Ceilings& found);

  WorkerClient& m_client;
  std::filesystem::path m_file;
  std::optional<model::Ceilings> m_known;
  std::optional<model::Ceilings> m_measured;  // in this session, wherever they are kept
  std::string m_tried;                        // device and driver
  quint64 m_asked = 0;
  QString m_trouble, m_fileTrouble;
};

}  // namespace tileloom
