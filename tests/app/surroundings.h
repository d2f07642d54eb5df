// SPDX-License-Identifier: GPL-3.0-or-later
// What the children of a test find: folders of their own, and a fake GPU, a compiler only, or
// nothing. TILELOOM_FAKE_CUDA and TILELOOM_PROGRAM come from CMake (tests/gpu.cmake).
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <QTemporaryDir>
#include <filesystem>

namespace tileloom::test {

class Surroundings {
 public:
  // Neither the user's history nor the user's cache of kernels is touched.
  Surroundings() {
    qputenv("XDG_DATA_HOME", folder_.filePath("data").toUtf8());
    qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
    qputenv("TILELOOM_CACHE", folder_.filePath("kernels").toUtf8());
    // The fake lives in the child; a sanitizer's runtime must not mind the plain library.
    qputenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0");
    nothing();
  }

  static void nothing() {
    everything("none");
    qunsetenv("TILELOOM_FAKE");
    qunsetenv("TILELOOM_FAKE_CUPTI");
  }
  // The real NVRTC, where this machine has it, and no GPU.
  static void compilerOnly() {
    nothing();
    qunsetenv("TILELOOM_NVRTC");
  }
  // This machine's own libraries, and its GPU if it has one.
  static void realGpu() {
    nothing();
    for (const char* variable : kLibraries) qunsetenv(variable);
  }
  static void fakeGpu(const QByteArray& behaviours = {}) {
    everything(TILELOOM_FAKE_CUDA);
    qputenv("TILELOOM_FAKE", behaviours);
  }

  static QStringList worker() { return {QStringLiteral(TILELOOM_PROGRAM), "worker"}; }

  // The history of the command line and of the window.
  QString history() const { return path("data/tileloom/runs.jsonl"); }
  std::filesystem::path historyPath() const { return history().toStdString(); }
  QString path(const QString& name) const { return folder_.filePath(name); }

  static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static bool write(const QString& path, const QByteArray& text) {
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
           file.write(text) == text.size();
  }

 private:
  static constexpr const char* kLibraries[] = {"TILELOOM_LIBCUDA",  "TILELOOM_CUBLAS",
                                               "TILELOOM_CUBLASLT", "TILELOOM_NVML",
                                               "TILELOOM_NVRTC",    "TILELOOM_CUPTI"};
  static void everything(const char* library) {
    for (const char* variable : kLibraries) qputenv(variable, library);
  }

  QTemporaryDir folder_;
};

}  // namespace tileloom::test
