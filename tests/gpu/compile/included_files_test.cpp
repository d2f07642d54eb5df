// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/included_files.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/base/text_file.h"
#include "tests/support/test_class.h"

namespace tileloom::gpu {

class IncludedFilesTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  void write(const char* name, std::string_view text) const {
    std::filesystem::create_directories(path(name).parent_path());
    QVERIFY(replaceText(path(name), text, Durable::No));
  }

 private slots:
  // A change of any header changes the hash; headers that are not there are the compiler's.
  void hashes() {
    write("a.cuh", "  #  include <deep/b.cuh>\n");
    write("more/deep/b.cuh", "// b\n");
    const std::vector<std::string> folders = {path("more").string()};
    const auto hash = [&](std::string_view text) {
      return hashOfIncluded(text, path("kernel.cu"), folders);
    };
    const std::string text = "#include \"a.cuh\"\n#include <cstdio>\nint x;\n";
    const auto first = hash(text);
    QVERIFY(first && first == hash(text));
    QVERIFY(first != hash("#include <cstdio>\n"));
    write("more/deep/b.cuh", "// c\n");
    QVERIFY(hash(text) && first != hash(text));
    write("a.cuh", "#include \"a.cuh\"\n");
    QVERIFY(hash(text));
    QVERIFY(!hash("#include HEADER\n"));
    QVERIFY(!hash("#include"));
    QVERIFY(!hash("#include \"a.cuh\n"));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::IncludedFilesTest, Nothing)
#include "included_files_test.moc"
