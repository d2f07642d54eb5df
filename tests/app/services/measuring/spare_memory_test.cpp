// SPDX-License-Identifier: GPL-3.0-or-later
// What the C library keeps of freed memory after keepLittleSpareMemory(): few arenas, however many
// threads there are, and no large blocks.
#include "app/services/measuring/spare_memory.h"

#include <QtTest>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "kernels/emulator/address_sanitizer.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class SpareMemoryTest : public QObject {
  Q_OBJECT

 private:
  static int arenas() {
    int count = 0;
#if defined(__GLIBC__)
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const to = open_memstream(&text, &size);
    malloc_info(0, to);
    std::fclose(to);
    for (const char* at = text; (at = std::strstr(at, "<heap nr=")) != nullptr; ++at) ++count;
    std::free(text);
#endif
    return count;
  }

 private slots:
  void init() {
#if !defined(__GLIBC__) || defined(TILELOOM_ASAN)
    QSKIP("NOT TESTED: the C library's allocator is another one here");
#endif
  }

  void fewArenas() {
    keepLittleSpareMemory();
    constexpr int kThreads = 12;
    std::barrier together(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        together.arrive_and_wait();
        std::vector<std::string> blocks;
        for (int block = 0; block < 2000; ++block) blocks.emplace_back(200, 'x');
        together.arrive_and_wait();  // all hold memory at the same time
      });
    }
    for (std::thread& thread : threads) thread.join();
    QVERIFY2(arenas() <= 2, qPrintable(QString::number(arenas())));
  }

  // Blocks too large for an arena are mapped, and so returned with the last use.
  void largeBlocksAreMapped() {
#if defined(__GLIBC__)
    keepLittleSpareMemory();
    const std::size_t before = mallinfo2().hblks;
    const std::string block(std::size_t{16} << 20, 'x');
    QVERIFY(block.find('y') == std::string::npos);  // it is there
    QCOMPARE(mallinfo2().hblks, before + 1);
    // The library must not raise the size from which it does so, as it would by default.
    for (int i = 0; i < 3; ++i) {
      const std::string larger(std::size_t{24} << 20, 'x');
      QVERIFY(larger.find('y') == std::string::npos);
      QCOMPARE(mallinfo2().hblks, before + 2);
    }
    const std::string after(std::size_t{16} << 20, 'x');
    QVERIFY(after.find('y') == std::string::npos);
    QCOMPARE(mallinfo2().hblks, before + 2);
  }
#else
    void ofThisLibrary() {
      QSKIP("NOT TESTED: the C library's allocator is another one here");
    }
#endif
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SpareMemoryTest, Nothing)
#include "spare_memory_test.moc"
