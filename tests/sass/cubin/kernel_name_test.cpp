// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/kernel_name.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::sass {

using test::q;

class KernelNameTest : public QObject {
  Q_OBJECT

  static QString found(const std::string& text) {
    Module module;
    for (const char* name : {"_Z4gemmILi128ELi64EEvPf", "_Z4gemmILi64ELi64EEvPf", "_Z4gemmPf",
                             "_Z4fastIjLj8EEvP6__half", "plain", "plain_too"}) {
      module.kernels.emplace_back();
      module.kernels.back().name = name;
    }
    QString names;
    for (const KernelImage* each : kernelsNamed(module, text)) names += q(each->name) + " ";
    return names.trimmed();
  }

 private slots:
  void titles() {
    QCOMPARE(q(demangled("_Z4gemmILi128ELi64EEvPf")), QString("void gemm<128, 64>(float*)"));
    QCOMPARE(q(kernelTitle("_Z4gemmILi128ELi64EEvPf")), QString("gemm<128, 64>"));
    QCOMPARE(q(kernelTitle("_Z4gemmPf")), QString("gemm"));
    QCOMPARE(q(kernelTitle("_ZN12_GLOBAL__N_14gemmEPf")), QString("(anonymous namespace)::gemm"));
    QCOMPARE(q(kernelTitle("plain")), QString("plain"));
    QCOMPARE(q(kernelTitle("_Znonsense")), QString("_Znonsense"));
    const std::string deep = "_Z1fI" + std::string(3000, 'P') + "iEvv";
    QVERIFY(!kernelTitle(deep).empty());
    const std::string longer = "_Z1fI" + std::string(100'000, 'P') + "iEvv";
    QCOMPARE(q(demangled(longer)), q(longer));
  }
  void named() {
    QCOMPARE(found("gemm<128,64>"), QString("_Z4gemmILi128ELi64EEvPf"));
    QCOMPARE(found("gemm<128, 64>"), QString("_Z4gemmILi128ELi64EEvPf"));
    QCOMPARE(found("gemm"), QString("_Z4gemmPf"));
    QCOMPARE(found("_Z4gemmPf"), QString("_Z4gemmPf"));
    QCOMPARE(found("gemm<"), QString("_Z4gemmILi128ELi64EEvPf _Z4gemmILi64ELi64EEvPf"));
    // Whole names before parts.
    QCOMPARE(found("plain"), QString("plain"));
    QCOMPARE(found("lain"), QString("plain plain_too"));
    // As a source writes it: "unsigned" is "unsigned int", and 8 is 8u.
    QCOMPARE(found("fast<unsigned int, 8>"), QString("_Z4fastIjLj8EEvP6__half"));
    QCOMPARE(found("fast<unsigned, 8>"), QString("_Z4fastIjLj8EEvP6__half"));
    QCOMPARE(found("nothing"), QString());
  }
};

}  // namespace tileloom::sass

TILELOOM_TEST(tileloom::sass::KernelNameTest, Nothing)
#include "kernel_name_test.moc"
