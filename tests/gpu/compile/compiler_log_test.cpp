// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/compiler_log.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class CompilerLogTest : public QObject {
  Q_OBJECT

 private slots:
  void first_data() {
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("text");
    QTest::newRow("NVRTC, after a warning")
        << QByteArray(
               "a.cu(3): warning #177-D: never used\n\n/x (1)/a.cu(12): error: identifier "
               "\"q\" is undefined\n  q;\n  ^\na.cu(13): error: more\n")
        << "/x (1)/a.cu" << 12 << "identifier \"q\" is undefined";
    QTest::newRow("a header is missing")
        << QByteArray("f.cu(1): catastrophic error: cannot open source file \"nix.h\"\n") << "f.cu"
        << 1 << "cannot open source file \"nix.h\"";
    QTest::newRow("the host compiler")
        << QByteArray("d/f.cu:7:10: fatal error: nix.h: No such file\n") << "d/f.cu" << 7
        << "nix.h: No such file";
    QTest::newRow("nvcc") << QByteArray("nvcc fatal   : Unsupported gpu architecture 'sm_50'\n")
                          << "" << 0 << "Unsupported gpu architecture 'sm_50'";
    QTest::newRow("ptxas") << QByteArray(
                                  "ptxas bad.ptx, line 4; error   : Not a name: 'foo'\n"
                                  "ptxas fatal   : Ptx assembly aborted\n")
                           << "bad.ptx" << 4 << "Not a name: 'foo'";
    QTest::newRow("an option") << QByteArray("nvrtc: error: invalid value for --gpu-architecture\n")
                               << "" << 0 << "invalid value for --gpu-architecture";
    QTest::newRow("nothing") << QByteArray("a.cu(3): warning #1-D: end of file\n") << "" << 0 << "";
    QTest::newRow("a line that is too large")
        << QByteArray("a.cu(99999999999): error: x\n") << "" << 0 << "x";
  }
  void first() {
    QFETCH(QByteArray, log);
    const LoggedError error =
        firstErrorOf(std::string_view(log.constData(), std::size_t(log.size())));
    QTEST(q(error.file), "file");
    QTEST(error.line, "line");
    QTEST(q(error.text), "text");
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::CompilerLogTest, Nothing)
#include "compiler_log_test.moc"
