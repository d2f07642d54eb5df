// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/choice/own_kernels.h"

#include <QFileInfo>
#include <algorithm>
#include <new>
#include <tl/expected.hpp>
#include <utility>

#include "app/session/own_file.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kSettleMs = 150;

tl::expected<OwnKernels::Kernel, std::string> kernelFrom(const std::string& file) {
  try {
    return ownKernelFrom(file);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(OwnKernels::tr("there is not enough memory for it").toStdString());
  }
}

}  // namespace

OwnKernels::OwnKernels(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
    m_touched.insert(path.toStdString());
    m_settle.start();
  });
  // Editors replace a file by a new one, and a launch file may be written later.
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
    const QStringList watched = m_watcher.files();
    for (const Kernel& kernel : m_all) {
      for (const std::string& file : filesOf(kernel->input())) {
        const QString name = QString::fromStdString(file);
        if (watched.contains(name) || !QFileInfo::exists(name)) continue;
        m_watcher.addPath(name);
        m_touched.insert(file);
        m_settle.start();
      }
    }
  });
  connect(&m_settle, &QTimer::timeout, this, &OwnKernels::lookAgain);
}

void OwnKernels::lookAgain() {
  std::set<std::string> later;
  for (const Kernel& kernel : m_all) {
    const std::vector<std::string> files = filesOf(kernel->input());
    const auto isTouched = [this](const std::string& file) { return m_touched.contains(file); };
    if (std::ranges::none_of(files, isTouched)) continue;
    if (m_reading.insert(kernel->input().path).second)
      read(kernel->input().path, true);
    else
      later.insert(kernel->input().path);
  }
  m_touched = std::move(later);
  if (!m_touched.empty()) m_settle.start();
}

OwnKernels::~OwnKernels() {
  m_pool.waitForDone();
}

void OwnKernels::open(const QString& file) {
  read(file.toStdString(), false);
}

void OwnKernels::read(const std::string& file, bool again) {
  if (++m_pending == 1) emit busyChanged(true);
  m_pool.start([this, file, again] {
    auto kernel = kernelFrom(file);
    m_answers.give([this, file, again, kernel = std::move(kernel)] {
      if (--m_pending == 0) emit busyChanged(false);
      if (again) m_reading.erase(file);
      if (kernel) return take(*kernel, again);
      QString sentence = toQString(kernel.error());
      if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
      sentence += u'.';
      again ? emit notReadAgain(sentence) : emit failed(sentence);
    });
  });
}

void OwnKernels::take(const Kernel& kernel, bool again) {
  const auto before =
      std::ranges::find_if(m_all, [&](const Kernel& each) { return kernel->isVersionOf(*each); });
  if (before == m_all.end()) {
    keep(kernel);
    emit opened(kernel->stage());
    return;
  }
  const Kernel earlier = std::exchange(*before, kernel);
  m_earlier.push_back(earlier);
  watch(kernel);
  emit listChanged();
  if (again)
    emit changed(earlier->stage(), kernel->stage());
  else
    emit opened(kernel->stage());
}

void OwnKernels::watch(const Kernel& kernel) {
  QStringList names = {QFileInfo(QString::fromStdString(kernel->input().path)).absolutePath()};
  for (const std::string& file : filesOf(kernel->input()))
    names.append(QString::fromStdString(file));
  for (const QString& name : names) {
    if (!QFileInfo::exists(name) || m_watcher.files().contains(name) ||
        m_watcher.directories().contains(name))
      continue;
    m_watcher.addPath(name);
  }
}

OwnKernels::Kernel OwnKernels::kernelOf(const Stage& stage) const {
  for (const auto* list : {&m_all, &m_earlier})
    for (const Kernel& each : *list)
      if (&each->stage() == &stage) return each;
  return nullptr;
}

void OwnKernels::keep(const Kernel& kernel) {
  if (kernel == nullptr || std::ranges::find(m_all, kernel) != m_all.end()) return;
  m_all.push_back(kernel);
  watch(kernel);
  emit listChanged();
}

}  // namespace tileloom
