// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/fiber.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <cmath>
#include <new>

#include "kernels/emulator/address_sanitizer.h"
#include "tests/support/test_class.h"

namespace tileloom::emulator {

class FiberTest : public QObject {
  Q_OBJECT

 private slots:
  void oneRunsAtATimeUntilItPauses() {
    StackPool pool;
    FiberGroup group(pool);
    QStringList log;
    group.start(3, [&](std::size_t index) {
      log += QString("%1a").arg(index);
      group.pause();
      log += QString("%1b").arg(index);
    });
    QVERIFY(log.isEmpty());  // nothing runs before it is resumed
    for (const std::size_t index : {2u, 0u, 1u}) QVERIFY(group.resume(index));
    QCOMPARE(log.join(' '), QString("2a 0a 1a"));
    QVERIFY(!group.resume(1));
    QVERIFY(group.alive(0) && !group.alive(1) && group.alive(2));
    QVERIFY(!group.resume(0) && !group.resume(2));
    QCOMPARE(log.join(' '), QString("2a 0a 1a 1b 0b 2b"));
  }

  void anEndedFiberStaysEnded() {
    StackPool pool;
    FiberGroup group(pool);
    int runs = 0;
    group.start(1, [&](std::size_t) { ++runs; });
    QVERIFY(group.alive(0));
    QVERIFY(!group.resume(0));
    QVERIFY(!group.resume(0));
    QVERIFY(!group.alive(0));
    QCOMPARE(runs, 1);
  }

  void localValuesSurviveASwitch() {
    constexpr std::size_t kFibers = 100;
    constexpr int kPauses = 20;
    StackPool pool;
    FiberGroup group(pool);
    std::vector<double> results(kFibers);
    group.start(kFibers, [&](std::size_t index) {
      std::array<std::size_t, 64> history{};
      double sum = 0;
      for (int round = 0; round < kPauses; ++round) {
        history[static_cast<std::size_t>(round)] = index * 1000 + static_cast<std::size_t>(round);
        sum += std::sqrt(static_cast<double>(index + 1));
        group.pause();
      }
      for (std::size_t round = 0; round < kPauses; ++round) {
        if (history[round] != index * 1000 + round) sum = -1;
      }
      results[index] = sum;
    });
    for (int round = 0; round <= kPauses; ++round) {
      for (std::size_t index = 0; index < kFibers; ++index) {
        QCOMPARE(group.resume(index), round < kPauses);
      }
    }
    for (std::size_t index = 0; index < kFibers; ++index) {
      const double expected = kPauses * std::sqrt(static_cast<double>(index + 1));
      QVERIFY(std::abs(results[index] - expected) < 1e-9);
    }
  }

  // A block has up to 1024 threads, and each trace needs all the stacks of the one before.
  void stacksAreUsedAgain() {
    StackPool pool;
    std::size_t runs = 0;
    for (int round = 0; round < 3; ++round) {
      FiberGroup group(pool);
      group.start(1024, [&](std::size_t) {
        group.pause();
        ++runs;
      });
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t index = 0; index < 1024; ++index) group.resume(index);
      }
    }
    QCOMPARE(runs, std::size_t{3 * 1024});
  }

  void aGroupCanStartAgain() {
    StackPool pool;
    FiberGroup group(pool);
    int sum = 0;
    group.start(2, [&](std::size_t) { sum += 1; });
    group.resume(0);
    group.resume(1);
    group.start(3, [&](std::size_t) { sum += 10; });
    for (std::size_t index = 0; index < 3; ++index) group.resume(index);
    QCOMPARE(sum, 32);
  }

  // An exception in a body is thrown where the fiber was resumed, and the others continue.
  void exceptionsComeOutOfResume() {
    StackPool pool;
    FiberGroup group(pool);
    int ended = 0;
    group.start(3, [&](std::size_t index) {
      group.pause();
      if (index == 1) throw std::bad_alloc();
      ++ended;
    });
    for (const std::size_t index : {0u, 1u, 2u}) group.resume(index);
    bool thrown = false;
    try {
      group.resume(1);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    QVERIFY(thrown && !group.alive(1) && group.alive(0) && group.alive(2));
    QVERIFY(!group.resume(0) && !group.resume(2));
    QCOMPARE(ended, 2);
  }

  // Fibers that are no longer resumed destroy the objects on their stacks; one that has never run
  // does not begin.
  void aStoppedGroupUnwindsItsStacks() {
    struct Guest {
      int& count;
      explicit Guest(int& c) : count(c) { ++count; }
      ~Guest() { --count; }
    };
    StackPool pool;
    int guests = 0, begun = 0;
    {
      FiberGroup group(pool);
      group.start(4, [&](std::size_t) {
        ++begun;
        const Guest guest(guests);
        group.pause();
        ++begun;
      });
      for (const std::size_t index : {0u, 1u, 2u}) group.resume(index);
      QCOMPARE(guests, 3);
      group.stop();
      QCOMPARE(guests, 0);
      for (const std::size_t index : {0u, 1u, 2u, 3u}) QVERIFY(!group.alive(index));
      group.start(2, [&](std::size_t) {
        const Guest guest(guests);
        group.pause();
      });
      group.resume(0);
      QCOMPARE(guests, 1);
    }
    QCOMPARE(guests, 0);
    QCOMPARE(begun, 3);
  }

  // A stack that is too small ends the process; without the pages below it, it would write into its
  // neighbour and continue.
  void belowAStackNothingMayBeTouched() {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGSEGV, SIG_DFL);
      StackPool pool;
      auto first = pool.take();
      const auto second = pool.take();
      auto* const below = static_cast<volatile std::byte*>(second.sp) - second.size - 1;
      auto* const lowest = static_cast<volatile std::byte*>(first.sp) - first.size;
      *lowest = std::byte{1};  // may be touched
      *below = std::byte{1};
      ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
  }

  // The bytes of a stack are free after it is gone. A fiber ends with frames that never return, and
  // AddressSanitizer would report the next user of these addresses: for example fontconfig, which
  // maps its cache there.
  void nothingIsForbiddenBehindThem() {
#if defined(TILELOOM_ASAN)
    const std::byte* top = nullptr;
    std::size_t size = 0;
    {
      StackPool pool;
      auto stack = pool.take();
      top = static_cast<const std::byte*>(stack.sp);
      size = stack.size;
      pool.give(stack);
      FiberGroup group(pool);
      group.start(1, [&](std::size_t) { group.pause(); });
      while (group.resume(0)) {
      }
      QVERIFY(__asan_region_is_poisoned(const_cast<std::byte*>(top) - size, size) != nullptr);
    }
    QCOMPARE(__asan_region_is_poisoned(const_cast<std::byte*>(top) - size, size), nullptr);
#else
    QSKIP("only AddressSanitizer forbids bytes");
#endif
  }

  void groupsMayTakeTurns() {
    StackPool pool;
    FiberGroup one(pool), two(pool);
    QString log;
    one.start(1, [&](std::size_t) {
      log += 'a';
      one.pause();
      log += 'b';
    });
    two.start(1, [&](std::size_t) {
      log += 'x';
      two.pause();
      log += 'y';
    });
    one.resume(0);
    two.resume(0);
    one.resume(0);
    two.resume(0);
    QCOMPARE(log, QString("axby"));
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::FiberTest, Nothing)
#include "fiber_test.moc"
