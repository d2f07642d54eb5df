// SPDX-License-Identifier: GPL-3.0-or-later
// Points this process to the fake GPU of fake/state.h. TILELOOM_FAKE_CUDA, its path, comes from
// tests/CMakeLists.txt.
#pragma once

#include <dlfcn.h>

#include <QProcessEnvironment>
#include <QString>
#include <QtGlobal>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tileloom::test {

class Fake {
 public:
  // From now on all libraries are the fake, with this behaviour (see fake/behaviour.h) and a fresh
  // state. With `nvrtc` false the real NVRTC stays.
  static void use(std::string_view behaviours = "", bool nvrtc = true) {
    for (const char* variable : {"TILELOOM_LIBCUDA", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT",
                                 "TILELOOM_NVML", "TILELOOM_CUPTI"}) {
      qputenv(variable, TILELOOM_FAKE_CUDA);
    }
    if (nvrtc) qputenv("TILELOOM_NVRTC", TILELOOM_FAKE_CUDA);
    qputenv("TILELOOM_FAKE", QByteArray(behaviours.data(), qsizetype(behaviours.size())));
    symbol<void()>("tileloom_fake_reset")();
  }

  // The environment of a child process for which the same holds.
  static QProcessEnvironment environment(const QString& behaviours = {}) {
    QProcessEnvironment e = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"TILELOOM_LIBCUDA", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT",
                                 "TILELOOM_NVML", "TILELOOM_NVRTC", "TILELOOM_CUPTI"}) {
      e.insert(QLatin1String(variable), QStringLiteral(TILELOOM_FAKE_CUDA));
    }
    e.insert(QStringLiteral("TILELOOM_FAKE"), behaviours);
    return e;
  }

  // What is not released, in words; empty if nothing.
  static std::string leaks() {
    const char* what = nullptr;
    return symbol<int(const char**)>("tileloom_fake_leaks")(&what) != 0 ? what : "";
  }
  // For CUPTI alone, which has its own list of behaviours (see fake_cupti.cpp).
  static void useCupti(std::string_view behaviours) {
    qputenv("TILELOOM_FAKE_CUPTI", QByteArray(behaviours.data(), qsizetype(behaviours.size())));
  }
  // Of its sampling (see fake_sampling.cpp).
  static void useSampling(std::string_view behaviours) {
    qputenv("TILELOOM_FAKE_SAMPLING", QByteArray(behaviours.data(), qsizetype(behaviours.size())));
  }
  static int samplingLeaks() { return symbol<int()>("tileloom_fake_sampling_leaks")(); }
  static int cuptiLeaks() { return symbol<int()>("tileloom_fake_cupti_leaks")(); }
  static std::string log() { return symbol<const char*()>("tileloom_fake_log")(); }
  static int calls(const char* function) {
    return symbol<int(const char*)>("tileloom_fake_calls")(function);
  }

 private:
  template <class F>
  static F* symbol(const char* name) {
    static void* const library = dlopen(TILELOOM_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    void* const found = library != nullptr ? dlsym(library, name) : nullptr;
    if (found == nullptr) qFatal("the fake GPU is not there: %s", dlerror());
    return reinterpret_cast<F*>(found);
  }
};

}  // namespace tileloom::test
