// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom devices` and `tileloom compile` as a user calls them: with nothing, with a compiler
// only, and with a GPU.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

QJsonObject object(const QByteArray& text) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(text, &error);
  return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

// The first number after or before some words of a text; -1: there is none.
int number(const QByteArray& text, const char* pattern) {
  const auto match = QRegularExpression(pattern).match(QString::fromUtf8(text));
  return match.hasMatch() ? match.captured(1).remove(',').toInt() : -1;
}

}  // namespace

class DevicesCompileTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static bool hasCompiler() {
    const QJsonObject all = object(runTileloom({"devices", "--json"}).out);
    return !all["libraries"].toObject()["nvrtc"].isNull();
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void devicesSayWhatIsMissing() {
    const Said said = runTileloom({"devices"});
    QCOMPARE(said.status, 3);  // with an answer
    QVERIFY(said.err.isEmpty());
    QVERIFY(said.out.startsWith("No GPU can be used here.\n"));
    for (const char* variable :
         {"TILELOOM_LIBCUDA", "TILELOOM_NVRTC", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT"}) {
      QVERIFY2(said.out.contains(QByteArray(variable) + "=none: unset it"), said.out.constData());
    }
    const Said json = runTileloom({"devices", "--json"});
    QCOMPARE(json.status, 3);
    const QJsonObject all = object(json.out);
    QCOMPARE(all["schema"].toString(), QString("tileloom.devices/1"));
    QVERIFY(all["devices"].isArray() && all["devices"].toArray().isEmpty());
    QCOMPARE(all["missing"].toArray().size(), 4);
    for (const char* library : {"driver", "nvrtc", "cublas", "cublaslt"}) {
      QVERIFY2(all["libraries"].toObject()[library].isNull(), library);
    }
  }

  void aLibraryThatCannotBeLoaded() {
    qputenv("TILELOOM_LIBCUDA", "/proc/no/such/libcuda.so");
    const Said said = runTileloom({"devices"});
    QCOMPARE(said.status, 3);
    QVERIFY2(said.out.contains("TILELOOM_LIBCUDA=/proc/no/such/libcuda.so"), said.out.constData());
  }

  void devicesOfAMachineWithGpus() {
    m_around->fakeGpu("devices=2,name=Fake B200,arch=100,sms=148,nvrtc=12.9");
    const Said said = runTileloom({"devices"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    QVERIFY2(said.out.startsWith("0: Fake B200, sm_100\n"), said.out.constData());
    QVERIFY(said.out.contains("\n1: Fake B200, sm_100\n"));
    QVERIFY(said.out.contains("148 SMs of 64 warps"));
    QVERIFY(said.out.contains("12.9"));
    const Said json = runTileloom({"devices", "--json"});
    QCOMPARE(json.status, 0);
    const QJsonObject all = object(json.out);
    QCOMPARE(all["devices"].toArray().size(), 2);
    QCOMPARE(all["devices"][1]["index"].toInt(), 1);
    QCOMPARE(all["devices"][1]["arch"].toString(), QString("sm_100"));
    QCOMPARE(all["devices"][1]["sms"].toInt(), 148);
    for (const char* key :
         {"warps_per_sm", "blocks_per_sm", "registers_per_sm", "shared_bytes_per_sm",
          "shared_bytes_per_block", "l2_bytes", "memory_bytes", "clock_mhz", "fp32_peak_gflops"}) {
      QVERIFY2(all["devices"][0][QLatin1String(key)].toDouble() > 0, key);
    }
    QVERIFY(all["missing"].toArray().isEmpty());
    QCOMPARE(all["libraries"]["nvrtc"].toString(), QString("12.9"));
  }

  // Every listed architecture can be compiled for.
  void whatIsListedCanBeCompiledFor() {
    for (const bool fake : {true, false}) {
      if (fake) {
        m_around->fakeGpu("nvrtc=12.9");
      } else {
        m_around->compilerOnly();
        if (!hasCompiler()) QSKIP("NOT TESTED with the real compiler: there is no NVRTC here");
      }
      const QString said = QString::fromUtf8(runTileloom({"devices"}).out);
      const auto match = QRegularExpression("Stages can be compiled for (sm_.+)\\.\n").match(said);
      QVERIFY2(match.hasMatch(), qPrintable(said));
      const QStringList listed = match.captured(1).split(", ");
      QVERIFY(listed.contains("sm_90"));
      for (const QString& arch : listed) {
        const Said compiled = runTileloom({"compile", "naive", "--arch", arch});
        QVERIFY2(compiled.status == 0, compiled.err.constData());
      }
    }
  }

  void aDriverWithoutADevice() {
    m_around->fakeGpu("no-device");
    const Said said = runTileloom({"devices"});
    QCOMPARE(said.status, 3);
    QVERIFY(said.out.startsWith("No GPU can be used here.\n"));
    const QJsonObject all = object(runTileloom({"devices", "--json"}).out);
    QCOMPARE(all["missing"].toArray().size(), 1);
    QVERIFY(!all["libraries"]["nvrtc"].isNull());
  }

  void compileWithoutACompiler_data() {
    QTest::addColumn<QString>("more");
    QTest::newRow("text") << "";
    QTest::newRow("JSON") << "--json";
    QTest::newRow("cubin") << "--cubin %/x.cubin";
  }
  void compileWithoutACompiler() {
    QFETCH(QString, more);
    more.replace('%', m_around->path("."));
    const Said said =
        runTileloom(QStringList{"compile", "warptiled"} + more.split(' ', Qt::SkipEmptyParts));
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("NVRTC"), said.err.constData());
    QVERIFY(said.out.isEmpty());
    QVERIFY(!QFile::exists(m_around->path("x.cubin")));
  }

  // With a compiler that makes a known report.
  void whatTheCompilerSaysIsShown() {
    m_around->fakeGpu("registers=77,spill=24,nvrtc=12.4");
    const Said said =
        runTileloom({"compile", "8", "--tile", "BK=8", "--arch", "sm_80", "--no-cache"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    QVERIFY2(said.out.contains("77 registers per thread, SPILLS: 24 bytes"), said.out.constData());
    QVERIFY(said.out.contains("BK=8") && said.out.contains(" on sm_80, compiled by NVRTC 12.4 ("));
    QVERIFY(!said.out.contains("from the cache"));
    const QJsonObject json = object(
        runTileloom({"compile", "8", "--tile", "BK=8", "--arch", "sm_80", "--no-cache", "--json"})
            .out);
    QCOMPARE(json["schema"].toString(), QString("tileloom.compile/1"));
    QCOMPARE(json["stage"].toString(), QString("warptiled"));
    QCOMPARE(json["tile"]["BK"].toInt(), 8);
    QCOMPARE(json["tile"]["BM"].toInt(), stage("warptiled").standardTile()[Parameter::BM]);
    QCOMPARE(json["registers"].toInt(), 77);
    QCOMPARE(json["spill_store_bytes"].toInt(), 24);
    QCOMPARE(json["fingerprint"].toString(), q(fingerprintOf(stage("warptiled"))));
    QVERIFY(!QFile::exists(m_around->path("kernels")));  // nothing was kept
  }

  void theCacheIsUsed() {
    m_around->fakeGpu("registers=50");
    const QStringList call = {"compile", "naive", "--json"};
    QVERIFY(!object(runTileloom(call).out)["cached"].toBool());
    const QJsonObject again = object(runTileloom(call).out);
    QVERIFY(again["cached"].toBool());
    QCOMPARE(again["registers"].toInt(), 50);
    QVERIFY(!object(runTileloom({"compile", "shared", "--json"}).out)["cached"].toBool());
    QVERIFY(!object(runTileloom(call + QStringList{"--no-cache"}).out)["cached"].toBool());
    QVERIFY(!QDir(m_around->path("kernels")).isEmpty());
    QVERIFY(!QFile::exists(m_around->path("cache")));  // TILELOOM_CACHE overrides XDG_CACHE_HOME
  }

  void theRealCompiler_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("arch");
    QTest::newRow("warp tile") << "warptiled"
                               << "sm_86";
    QTest::newRow("warp tile on Hopper") << "warptiled"
                                         << "sm_90";
    QTest::newRow("naive") << "naive"
                           << "sm_80";
  }
  void theRealCompiler() {
    QFETCH(QString, id);
    QFETCH(QString, arch);
    m_around->compilerOnly();
    if (!hasCompiler()) QSKIP("NOT TESTED: there is no NVRTC here");
    const QString file = m_around->path("code.cubin");
    const Said text = runTileloom({"compile", id, "--arch", arch, "--cubin", file});
    QVERIFY2(text.status == 0 && text.err.isEmpty(), text.err.constData());
    const Said said = runTileloom({"compile", id, "--arch", arch, "--json"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    const QJsonObject json = object(said.out);
    const int registers = json["registers"].toInt();
    QVERIFY2(registers >= 16 && registers <= 255, said.out.constData());
    QVERIFY((registers > 80) == (id == "warptiled"));
    QCOMPARE(number(text.out, "(\\d+) registers per thread, no spills"), registers);
    QCOMPARE(json["arch"].toString(), arch);
    QVERIFY(text.out.contains(" on " + arch.toUtf8() + ", compiled by NVRTC " +
                              json["nvrtc"].toString().toUtf8()));
    QCOMPARE(json["spill_store_bytes"].toInt(), 0);
    QVERIFY(json["cached"].toBool());
    const QByteArray code = Surroundings::read(file);
    QVERIFY(code.startsWith("\177ELF"));
    QCOMPARE(code.size(), qsizetype(json["cubin_bytes"].toInt()));
    // Occupancy follows from what was compiled.
    const Derived d = derive(stage(id.toStdString()), stage(id.toStdString()).standardTile());
    const auto o = analysis::occupancy(*architectureNamed(arch.toStdString()),
                                       {d.threads, registers, d.sharedBytes});
    QCOMPARE(json["blocks_per_sm"].toInt(), o.blocks);
    QCOMPARE(json["warps_per_sm"].toInt(), o.warps);
    QCOMPARE(number(text.out, "(\\d+) blocks? per SM"), o.blocks);
    QCOMPARE(number(text.out, "([\\d,]+) bytes of shared memory per block"), d.sharedBytes);
  }

  void wrong_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* arguments, const char* names) {
      QTest::newRow(arguments) << QString(arguments) << QString(names);
    };
    row("compile", "stage");
    row("compile warp", "\"warp\"");
    row("compile warptiled --arch sm_10", "\"sm_10\"");
    row("compile warptiled --arch", "--arch");
    row("compile warptiled --arch pentium", "sm_90");
    row("compile warptiled --tile BM=96", "BM = 64 or 128");
    row("compile warptiled --tile BM=0", "8 to 256");
    row("compile warptiled --tile TM=wide", "\"wide\"");
    row("compile naive --tile BM=8", "\"BM\"");
    row("compile naive --cubin /proc/no/such/folder/x", "/proc/no/such/folder/x");
    row("compile naive --cubin /", "\"/\"");
    row("compile naive --size 64", "--size");
    row("devices all", "\"all\"");
    row("devices --jsn", "\"--jsn\"");
  }
  void wrong() {
    QFETCH(QString, arguments);
    QFETCH(QString, names);
    m_around->fakeGpu();
    const Said said = runTileloom(arguments.split(' '));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
  }

  void help() {
    QVERIFY(runTileloom({"devices", "--help"}).out.contains("--json"));
    const Said said = runTileloom({"compile", "--help"});
    QCOMPARE(said.status, 0);
    for (const char* option : {"--tile", "--arch", "--cubin", "--no-cache", "--json", "STAGE"})
      QVERIFY2(said.out.contains(option), option);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::DevicesCompileTest, EventLoop)
#include "devices_compile_test.moc"
