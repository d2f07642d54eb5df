// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that are missing, broken or too old are distinguished, each with what to do.
#include "kernels/gpu/driver/library.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/base/plain_text.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/gpu/measure/cublas.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class LibraryTest : public QObject {
  Q_OBJECT

  struct User {
    const char* title;
    LibrarySpec (*spec)();
    Error (*load)();  // Failed and no text where it worked
  };

  template <class T>
  static Error errorOf(const Result<T>& result) {
    return result ? Error{} : result.error();
  }

  static const std::vector<User>& users() {
    static const std::vector<User> all = {
        {"driver", driverLibrary, [] { return errorOf(Driver::load()); }},
        {"nvrtc", nvrtcLibrary, [] { return errorOf(Nvrtc::load()); }},
        {"cublas", cublasLibrary, [] { return errorOf(Cublas::version()); }},
        {"cublasLt", cublasLtLibrary, [] { return errorOf(cublasLtVersion()); }},
        {"nvml", nvmlLibrary, [] { return errorOf(Nvml::open("0000:17:00.0")); }},
    };
    return all;
  }

  static void rows() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < int(users().size()); ++i) QTest::newRow(users()[std::size_t(i)].title) << i;
  }
  static const User& row() {
    QFETCH(int, index);
    return users()[std::size_t(index)];
  }
  static void choose(const User& user, const QByteArray& path) {
    qputenv(std::string(user.spec().variable).c_str(), path);
  }

 private slots:
  void init() {
    test::Fake::use();
    for (const User& user : users()) qunsetenv(std::string(user.spec().variable).c_str());
  }

  void everySpecSaysWhereAndWhatToDo_data() { rows(); }
  void everySpecSaysWhereAndWhatToDo() {
    const LibrarySpec spec = row().spec();
    QVERIFY(!spec.title.empty());
    QVERIFY(spec.variable.starts_with("TILELOOM_"));
    QVERIFY(spec.advice.starts_with("install "));
    QVERIFY(!spec.names.empty());
    QVERIFY2(spec.names.front().find(".so.") != std::string::npos,
             "a version first: a bare .so is another one after an upgrade");
  }

  // Whatever the variable contains, the sentence is short and names it.
  void anyValueIsOneShortSentence_data() { rows(); }
  void anyValueIsOneShortSentence() {
    const User& user = row();
    for (const QByteArray& value :
         {QByteArray(6000, 'x'), "/" + QByteArray(200, 'y') + "/z", QByteArray("\xff\xfe"),
          QByteArray("a\nb\x1b[31m"), QByteArray("/dev/null"), QByteArray("/")}) {
      choose(user, value);
      const Error error = user.load();
      QCOMPARE(error.trouble, Trouble::Missing);
      QVERIFY2(error.text.size() < 400, error.text.c_str());
      QVERIFY2(isPlain(error.text), error.text.c_str());
      QVERIFY(error.text.find(user.spec().variable) != std::string::npos);
    }
  }

  void nothingFoundGivesTheAdvice_data() { rows(); }
  void nothingFoundGivesTheAdvice() {
    LibrarySpec spec = row().spec();
    spec.names = {"libtileloom-is-nowhere.so.7"};
    const auto opened = Library::open(spec);
    QVERIFY(!opened);
    QCOMPARE(opened.error().trouble, Trouble::Missing);
    QVERIFY(opened.error().text.ends_with(spec.advice));
    QVERIFY(opened.error().text.find("was not found") != std::string::npos);
    QCOMPARE(test::sentenceFlaw(opened.error().text), QString());
  }

  void noneSwitchesOff_data() { rows(); }
  void noneSwitchesOff() {
    choose(row(), "none");
    const Error error = row().load();
    QCOMPARE(error.trouble, Trouble::Missing);
    QVERIFY2(error.text.find(std::string(row().spec().variable) + "=none") != std::string::npos,
             error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
  }

  void aPathThatIsNotThereIsNamed_data() { rows(); }
  void aPathThatIsNotThereIsNamed() {
    choose(row(), "/nowhere/lib.so");
    const Error error = row().load();
    QCOMPARE(error.trouble, Trouble::Missing);
    QVERIFY2(error.text.find("/nowhere/lib.so") != std::string::npos, error.text.c_str());
    QVERIFY2(error.text.find("unset the variable") != std::string::npos, error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
  }

  void aFileThatIsNoLibraryIsSaidToBeOne_data() { rows(); }
  void aFileThatIsNoLibraryIsSaidToBeOne() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("text.so")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no library\n") > 0);
    file.close();
    choose(row(), file.fileName().toLocal8Bit());
    const Error error = row().load();
    QCOMPARE(error.trouble, Trouble::Missing);
    // The loader's own message; only this distinguishes a broken file from a missing one.
    QVERIFY2(error.text.find("invalid ELF header") != std::string::npos ||
                 error.text.find("file too short") != std::string::npos,
             error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
  }

  // The same without the variable: found by the loader, and broken.
  void aBrokenLibraryThatIsFoundIsNotCalledMissing() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.so")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no library\n") > 0);
    file.close();
    LibrarySpec spec = nvrtcLibrary();
    spec.names = {file.fileName().toStdString()};
    const auto opened = Library::open(spec);
    QVERIFY(!opened);
    QVERIFY2(opened.error().text.find("exists but cannot be loaded") != std::string::npos,
             opened.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(opened.error().text), QString());
  }

  void aLibraryThatIsTooOldIsUnsupported_data() { rows(); }
  void aLibraryThatIsTooOldIsUnsupported() {
    choose(row(), TILELOOM_STUB);
    const Error error = row().load();
    QCOMPARE(error.trouble, Trouble::Unsupported);
    QVERIFY2(error.text.find(" has no ") != std::string::npos, error.text.c_str());
    QVERIFY2(error.text.find(TILELOOM_STUB) != std::string::npos, error.text.c_str());
    QVERIFY(error.text.find("cuInit") == std::string::npos);  // which it has
    QCOMPARE(test::sentenceFlaw(error.text), QString());
  }

  void theFakeHasEverything_data() { rows(); }
  void theFakeHasEverything() {
    choose(row(), TILELOOM_FAKE_CUDA);
    QCOMPARE(row().load().text, std::string());
  }

  void anEmptyVariableIsNone() {
    qputenv("TILELOOM_NVRTC", "");
    LibrarySpec spec = nvrtcLibrary();
    spec.names = {TILELOOM_FAKE_CUDA};
    const auto opened = Library::open(spec);
    QVERIFY(opened);
    QCOMPARE(opened->path(), std::string(TILELOOM_FAKE_CUDA));
    QVERIFY(opened->find("nvrtcVersion") != nullptr);
    QVERIFY(opened->find("noSuchFunction") == nullptr);
  }

  void theFirstMissingSymbolIsNamed() {
    LibrarySpec spec = driverLibrary();
    spec.names = {TILELOOM_STUB};
    auto opened = Library::open(spec);
    QVERIFY(opened);
    int (*there)(unsigned) = nullptr;
    int (*first)() = nullptr;
    int (*second)() = nullptr;
    opened->bind(there, "cuInit");
    QVERIFY(opened->complete());
    opened->bind(first, "cuFirst");
    opened->bind(second, "cuSecond");
    QVERIFY(there != nullptr && first == nullptr && second == nullptr);
    const auto complete = opened->complete();
    QVERIFY(!complete);
    QVERIFY(complete.error().text.find("cuFirst") != std::string::npos);
    QVERIFY(complete.error().text.find("cuSecond") == std::string::npos);
  }

  void versionsOfTheFake() {
    qputenv("TILELOOM_CUBLAS", TILELOOM_FAKE_CUDA);
    qputenv("TILELOOM_CUBLASLT", TILELOOM_FAKE_CUDA);
    QCOMPARE(Cublas::version().value(), std::string("13.1.2"));
    QCOMPARE(cublasLtVersion().value(), std::string("13.1.2"));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::LibraryTest, EventLoop)
#include "library_test.moc"
