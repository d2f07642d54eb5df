// SPDX-License-Identifier: GPL-3.0-or-later
// Difficult files: pipes, devices, folders, full disks, other processes, and processes that are
// killed. Nothing is lost, nothing hangs, and each refusal is one sentence.
#include "kernels/base/text_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <atomic>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

#include "tests/support/random.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace fs = std::filesystem;

class TextFileTest : public QObject {
  Q_OBJECT

  static constexpr std::size_t kMost = 1000;

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path in(const char* name) const { return m_folder->filePath(name).toStdString(); }

  static std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static bool isOneSentence(const std::string& error) {
    return error.size() > 20 && error.size() < 400 && error.find('\n') == error.npos;
  }

  // A child that does its work until it is killed.
  template <class F>
  static pid_t child(F&& work) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      work();
      ::_exit(0);
    }
    return pid;
  }
  // Waits until the file is larger than this; another process may take its time to begin.
  static bool growsBeyond(const fs::path& file, std::uintmax_t size) {
    const QDeadlineTimer deadline(test::kPatience);
    std::error_code error;
    while (!fs::exists(file, error) || fs::file_size(file, error) <= size) {
      if (deadline.hasExpired()) return false;
      ::usleep(100);
    }
    return true;
  }
  static bool endsWell(pid_t pid) {
    int status = -1;
    return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  // What is there instead of a file: its name in the folder.
  bool makeOdd(const QString& kind, const fs::path& at) const {
    if (kind == "folder") return fs::create_directory(at);
    if (kind == "pipe") return ::mkfifo(at.c_str(), 0600) == 0;
    if (kind == "link to itself") return ::symlink(at.c_str(), at.c_str()) == 0;
    if (kind == "device") return ::symlink("/dev/zero", at.c_str()) == 0;
    if (kind == "terminal") return ::symlink("/dev/tty", at.c_str()) == 0;
    const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (at.string().size() >= sizeof address.sun_path) return false;
    at.string().copy(address.sun_path, at.string().size());
    const bool made = ::bind(s, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(s);
    return made;
  }
  static void oddOnes() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"folder", "pipe", "link to itself", "device", "terminal", "socket"})
      QTest::newRow(kind) << QString(kind);
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void whatIsThereIsRead() {
    QCOMPARE(*readText(in("none"), kMost), std::string());
    QVERIFY(!readText(in("none"), kMost, Absent::IsAnError));
    put(in("empty"), "");
    QCOMPARE(*readText(in("empty"), kMost, Absent::IsAnError), std::string());
    const std::string all("a\0b\n\xff", 5);
    put(in("some"), all);
    QCOMPARE(*readText(in("some"), kMost), all);
    put(in("most"), std::string(kMost, 'x'));
    QCOMPARE(readText(in("most"), kMost)->size(), kMost);
    put(in("more"), std::string(kMost + 1, 'x'));
    const auto more = readText(in("more"), kMost);
    QVERIFY(!more && isOneSentence(more.error()));
    // A link to a file is the file, and what has no size is read to its end.
    fs::create_symlink(in("some"), in("link"));
    QCOMPARE(*readText(in("link"), kMost), all);
    QVERIFY(readText("/proc/self/status", 100'000)->find("Name:") != std::string::npos);
    QVERIFY(!readText("/proc/self/status", 10));
  }

  void whatIsNoFileIsNotRead_data() { oddOnes(); }
  void whatIsNoFileIsNotRead() {
    QFETCH(QString, kind);
    QVERIFY(makeOdd(kind, in("odd")));
    const auto text = readText(in("odd"), std::size_t{1} << 40);
    QVERIFY(!text);
    QVERIFY2(isOneSentence(text.error()), text.error().c_str());
    QVERIFY(text.error().find("odd") != std::string::npos);
  }

  // Of a file of terabytes nothing is read, only its size.
  void aHugeFileIsRefusedAtOnce() {
    put(in("huge"), "");
    fs::resize_file(in("huge"), std::uintmax_t{1} << 38);
    QVERIFY(!readText(in("huge"), std::size_t{1} << 30));
  }

  void unreadable() {
    put(in("closed"), "x");
    fs::permissions(in("closed"), fs::perms::none);
    // Nothing is unreadable to root.
    constexpr uid_t kNobody = 65534;
    const bool root = ::geteuid() == 0;
    if (root) QCOMPARE(::seteuid(kNobody), 0);
    const auto text = readText(in("closed"), kMost);
    if (root) QCOMPARE(::seteuid(0), 0);
    QVERIFY(!text && text.error().find("Permission denied") != std::string::npos);
  }

  void linesAreAdded() {
    const fs::path file = in("made/on/demand/lines");
    QVERIFY(appendLine(file, "one").has_value());
    QVERIFY(appendLine(file, "two").has_value());
    QCOMPARE(contents(file), std::string("one\ntwo\n"));
    put(file, "cut");
    QVERIFY(appendLine(file, "three").has_value());
    QCOMPARE(contents(file), std::string("cut\nthree\n"));
    QVERIFY(!appendLine("", "nowhere"));
  }

  void linesAreNotAddedToOddThings_data() { oddOnes(); }
  void linesAreNotAddedToOddThings() {
    QFETCH(QString, kind);
    QVERIFY(makeOdd(kind, in("odd")));
    const auto done = appendLine(in("odd"), "line");
    QVERIFY(!done);
    QVERIFY2(isOneSentence(done.error()), done.error().c_str());
  }

  void filesAreReplaced() {
    put(in("file"), "old");
    ::chmod(in("file").c_str(), 0640);
    fs::create_symlink(in("file"), in("link"));
    QVERIFY(replaceText(in("link"), "new").has_value());
    QVERIFY(fs::is_symlink(in("link")));
    QCOMPARE(contents(in("file")), std::string("new"));
    struct stat info = {};
    QCOMPARE(::stat(in("file").c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777u, 0640u);
    // Of the longest name that there can be.
    QVERIFY(replaceText(in(std::string(255, 'n').c_str()), "x").has_value());
    QVERIFY(!replaceText(in(std::string(256, 'n').c_str()), "x"));
    QCOMPARE(filesIn(m_folder->path().toStdString()), std::size_t{3});
  }

  void oddThingsAreNotReplaced_data() { oddOnes(); }
  void oddThingsAreNotReplaced() {
    QFETCH(QString, kind);
    if (kind == "device" || kind == "terminal") QSKIP("written, like /dev/null");
    QVERIFY(makeOdd(kind, in("odd")));
    const auto done = replaceText(in("odd"), "text");
    QVERIFY(!done);
    QVERIFY2(isOneSentence(done.error()), done.error().c_str());
    QCOMPARE(filesIn(m_folder->path().toStdString()), std::size_t{1});
  }

  void devicesAndPipesTakeWhatTheyAreGiven() {
    QVERIFY(replaceText("/dev/null", "text").has_value());
    QVERIFY(fs::is_character_file("/dev/null"));
    if (fs::exists("/dev/full")) {
      const auto full = replaceText("/dev/full", "text");
      QVERIFY(!full && full.error().find("No space left") != std::string::npos);
      QVERIFY(fs::is_character_file("/dev/full"));
    }
    QCOMPARE(::mkfifo(in("pipe").c_str(), 0600), 0);
    const std::string text(1'000'000, 'x');  // more than a pipe holds
    std::string got;
    std::thread reader([&] { got = contents(in("pipe")); });
    // Without a reader the pipe cannot be written.
    QElapsedTimer clock;
    clock.start();
    bool done = false;
    while (!done && clock.elapsed() < 30'000) done = replaceText(in("pipe"), text).has_value();
    reader.join();
    QVERIFY(done);
    QVERIFY(got == text);
  }

  void aFullDiskLeavesTheOldFile() {
    test::SmallDisk disk;
    if (!disk.ok()) QSKIP(test::SmallDisk::kSkipped);
    const fs::path file = disk.path("file").toStdString();
    for (const int pagesLeft : {0, 1, 2}) {
      // Texts that fit into a buffer, too, and that do not fit on what is left.
      for (const std::size_t size : {std::size_t{5}, std::size_t{733}, std::size_t{30'000}}) {
        disk.makeRoom();
        put(file, "the old text");
        QVERIFY(disk.fill(pagesLeft));
        const auto done = replaceText(file, std::string(size, 'n'));
        const bool fits = size <= static_cast<std::size_t>(pagesLeft) * 4096;
        QVERIFY(done.has_value() || !fits);
        if (done) {
          QCOMPARE(contents(file), std::string(size, 'n'));
        } else {
          QVERIFY2(done.error().find("No space left") != std::string::npos, done.error().c_str());
          QCOMPARE(contents(file), std::string("the old text"));
        }
        QCOMPARE(filesIn(file.parent_path()), std::size_t{2});  // and nothing beside it
      }
    }
  }

  void aFullDiskTakesNoHalfLine() {
    test::SmallDisk disk;
    if (!disk.ok()) QSKIP(test::SmallDisk::kSkipped);
    const fs::path file = disk.path("lines").toStdString();
    const std::string line(3000, 'x');
    QVERIFY(appendLine(file, line).has_value());
    QVERIFY(disk.fill());
    QVERIFY(appendLine(file, "short").has_value());  // in what is left of the page
    const std::string before = contents(file);
    for (int i = 0; i < 3; ++i) {
      const auto done = appendLine(file, line);  // a part of it would fit
      QVERIFY(!done);
      QVERIFY2(isOneSentence(done.error()), done.error().c_str());
      QCOMPARE(contents(file), before);
    }
    disk.makeRoom();
    QVERIFY(appendLine(file, line).has_value());
    QCOMPARE(contents(file), before + line + "\n");
  }

  // Four processes add lines at once: all of them arrive, whole.
  void writersAtOnce() {
    const fs::path file = in("lines");
    constexpr int kLines = 300;
    std::vector<pid_t> children;
    for (int c = 0; c < 4; ++c) {
      children.push_back(child([&] {
        for (int i = 0; i < kLines; ++i) {
          const std::string line =
              std::to_string(c * kLines + i) + std::string(static_cast<std::size_t>(i), ' ');
          if (!appendLine(file, line)) ::_exit(1);
        }
      }));
    }
    for (const pid_t pid : children) QVERIFY(endsWell(pid));
    std::set<int> numbers;
    std::ifstream stream(file);
    int lines = 0;
    for (std::string line; std::getline(stream, line); ++lines) {
      const int number = std::stoi(line);
      numbers.insert(number);
      QCOMPARE(line.size(),
               std::to_string(number).size() + static_cast<std::size_t>(number % kLines));
    }
    QCOMPARE(lines, 4 * kLines);
    QCOMPARE(numbers.size(), std::size_t{4 * kLines});
  }

  // A process that holds the lock and sleeps does not keep others from adding lines.
  void aLockThatIsKeptTooLong() {
    const fs::path file = in("lines");
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t sleeper = child([&] {
      auto lines = LineFile::open(file);
      if (!lines || ::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::pause();
    });
    char got = 0;
    QCOMPARE(::read(ready[0], &got, 1), ssize_t{1});
    QVERIFY(appendLine(file, "line").has_value());
    QCOMPARE(contents(file), std::string("line\n"));
    ::kill(sleeper, SIGKILL);
    ::waitpid(sleeper, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
  }

  // A process that reads first and then adds what is missing gets the lock or an error, and never
  // continues without the lock.
  void whoNeedsTheLockWaitsForIt() {
    const fs::path file = in("lines");
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t other = child([&] {
      auto lines = LineFile::open(file, LineFile::Lock::Needed);
      if (!lines || ::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::usleep(2'500'000);  // longer than others wait
      if (!lines->add("first")) ::_exit(1);
    });
    char got = 0;
    QCOMPARE(::read(ready[0], &got, 1), ssize_t{1});
    auto lines = LineFile::open(file, LineFile::Lock::Needed);
    QVERIFY2(lines.has_value(), lines ? "" : lines.error().c_str());
    QCOMPARE(contents(file), std::string("first\n"));
    QVERIFY(lines->add("second").has_value());
    QVERIFY(endsWell(other));
    QCOMPARE(contents(file), std::string("first\nsecond\n"));
    ::close(ready[0]);
    ::close(ready[1]);
  }

  // Another process has put another file in its place while this one waited for the lock: what is
  // added must not go into the one that is gone.
  void aFileThatIsReplacedMeanwhile() {
    const fs::path file = in("lines");
    auto opened = LineFile::open(file);
    QVERIFY(opened.has_value());
    std::optional<LineFile> held(std::move(*opened));
    std::thread late([&] {
      ::usleep(200'000);
      (void)replaceText(file, "new\n", Durable::No);
      held.reset();
    });
    const auto added = appendLine(file, "line");
    late.join();
    QVERIFY(added.has_value());
    QCOMPARE(contents(file), std::string("new\nline\n"));
  }

  // In a folder that another user may write, that user could choose which of our files is written.
  void linksOfOthersAreNotFollowed() {
    if (::geteuid() != 0) QSKIP("NOT TESTED: a link of another user needs root");
    constexpr uid_t kOther = 65534;
    put(in("precious"), "precious");
    QCOMPARE(::symlink(in("precious").c_str(), in("theirs").c_str()), 0);
    QCOMPARE(::lchown(in("theirs").c_str(), kOther, kOther), 0);
    QCOMPARE(::symlink("theirs", in("ours").c_str()), 0);  // and a link of ours to theirs
    for (const char* name : {"theirs", "ours"}) {
      for (const auto& done : {replaceText(in(name), "new"), appendLine(in(name), "line")}) {
        QVERIFY(!done);
        QVERIFY2(
            isOneSentence(done.error()) && done.error().find("another user") != std::string::npos,
            done.error().c_str());
      }
      QVERIFY(!whyNotReplaced(in(name)).empty());
      QCOMPARE(contents(in("precious")), std::string("precious"));
    }
    // Where links are replaced, their owner does not matter.
    QVERIFY(replaceText(in("theirs"), "new", Durable::No, Links::Replaced).has_value());
    QVERIFY(fs::is_regular_file(fs::symlink_status(in("theirs"))));
    QCOMPARE(contents(in("precious")), std::string("precious"));
  }

  // The other user replaces the file with a link again and again while we write. Many folders make
  // the time long between a look at the file and the way to it.
  void linksThatComeMeanwhileAreNotFollowed() {
    if (::geteuid() != 0) QSKIP("NOT TESTED: a link of another user needs root");
    constexpr uid_t kOther = 65534;
    constexpr int kFolders = 100;
    fs::path deep = in("deep");
    for (int i = 0; i < kFolders; ++i) deep /= "d";
    QVERIFY(fs::create_directories(deep));
    const fs::path precious = in("precious"), target = deep / "target", plant = deep / "plant";
    put(precious, "precious");
    std::atomic<bool> stop{false};
    std::thread other([&] {
      while (!stop) {
        ::unlink(plant.c_str());
        if (::symlink(precious.c_str(), plant.c_str()) != 0 ||
            ::lchown(plant.c_str(), kOther, kOther) != 0)
          return;
        ::rename(plant.c_str(), target.c_str());
        ::unlink(target.c_str());
        put(target, "old");
      }
    });
    const QDeadlineTimer deadline(1000);
    int written = 0;
    while (!deadline.hasExpired()) {
      written += replaceText(target, "new", Durable::No).has_value() ? 1 : 0;
      written += appendLine(target, "line").has_value() ? 1 : 0;
    }
    stop = true;
    other.join();
    QCOMPARE(contents(precious), std::string("precious"));
    QVERIFY(written > 0);
  }

  void linksAreReplacedWhereNoneIsWanted() {
    put(in("precious"), "precious");
    for (const fs::path& target :
         {in("precious"), fs::path("/dev/null"), in("nothing"), in("link")}) {
      fs::remove(in("link"));
      fs::create_symlink(target, in("link"));
      const auto done = replaceText(in("link"), "new", Durable::No, Links::Replaced);
      QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
      QVERIFY(fs::is_regular_file(fs::symlink_status(in("link"))));
      QCOMPARE(contents(in("link")), std::string("new"));
    }
    QCOMPARE(contents(in("precious")), std::string("precious"));
    QVERIFY(!fs::exists(in("nothing")));
    // What is neither a file nor a link stays.
    QCOMPARE(::mkfifo(in("pipe").c_str(), 0600), 0);
    QVERIFY(!replaceText(in("pipe"), "new", Durable::No, Links::Replaced));
    QVERIFY(fs::is_fifo(in("pipe")));
  }

  // Called before long work, it says what replaceText would say, and leaves nothing.
  void whatCannotBeReplacedIsKnownBefore() {
    put(in("file"), "old");
    fs::create_symlink(in("file"), in("link"));
    for (const fs::path& good : {in("file"), in("link"), in("new"), fs::path("/dev/null")})
      QCOMPARE(whyNotReplaced(good), std::string());
    for (const fs::path& bad : {in("no/such/folder/file"), fs::path("/proc/file"), in("file/file"),
                                m_folder->path().toStdString() / fs::path(".")}) {
      const std::string why = whyNotReplaced(bad);
      QVERIFY2(isOneSentence(why), why.c_str());
      const auto done = replaceText(bad, "new");
      QCOMPARE(done ? std::string() : done.error(), why);
    }
    QCOMPARE(contents(in("file")), std::string("old"));
    QCOMPARE(filesIn(m_folder->path().toStdString()), std::size_t{2});
  }

  // A process that adds lines is killed at random moments, once it has added one: there are whole
  // lines and at most one cut one after each kill, and what comes later is whole.
  void killedWhileAdding() {
    const fs::path file = in("lines");
    test::Random random(test::seed());
    const int kills = test::briefly() ? 10 : 40;
    const std::string line = "{" + std::string(20'000, 'x') + "}";
    for (int k = 0; k < kills; ++k) {
      const std::uintmax_t before = k == 0 ? 0 : fs::file_size(file);
      const pid_t pid = child([&] {
        for (;;) (void)appendLine(file, line);
      });
      QVERIFY(
          growsBeyond(file, before + line.size() + 1));  // ends a cut line, and adds a whole one
      ::usleep(static_cast<useconds_t>(random.integer(100, 8000)));
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
    QVERIFY(appendLine(file, "last").has_value());
    std::ifstream stream(file);
    int cut = 0, whole = 0;
    std::string last;
    for (std::string each; std::getline(stream, each); last = each) (each == line ? whole : cut)++;
    QCOMPARE(last, std::string("last"));
    QVERIFY2(whole >= kills, qPrintable(QString("%1 whole lines").arg(whole)));
    QVERIFY(cut <= kills + 1);
  }

  // A file that is being written has no name before it is complete.
  void killedWhileWritingLeavesNothing() {
    const fs::path file = in("file");
    put(file, "old");
    const std::string folder = m_folder->path().toStdString();
    const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (unnamed < 0) QSKIP("NOT TESTED: this file system has no files without a name");
    ::close(unnamed);
    const std::string text(64'000'000, 'x');
    const pid_t pid = child([&] { (void)replaceText(file, text); });
    const fs::path opened = "/proc/" + std::to_string(pid) + "/fd";
    const auto writes = [&] {
      std::error_code error;
      for (const auto& each : fs::directory_iterator(opened, error)) {
        const std::string what = fs::read_symlink(each, error).string();
        if (what.starts_with(folder) && what.ends_with("(deleted)")) return true;
      }
      return false;
    };
    const QDeadlineTimer deadline(test::kPatience);
    bool writing = false;
    while (!writing && !deadline.hasExpired()) writing = writes();
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    QVERIFY(writing);
    QCOMPARE(contents(file), std::string("old"));
    QCOMPARE(filesIn(folder), std::size_t{1});
  }

  // Leftovers of a killed process, on a file system where files need a name.
  void leftoversAreRemoved() {
    const auto age = [&](const char* name) {
      timespec old = {};
      ::clock_gettime(CLOCK_REALTIME, &old);
      old.tv_sec -= 2 * 3600;
      const std::array times = {old, old};
      return ::utimensat(AT_FDCWD, in(name).c_str(), times.data(), AT_SYMLINK_NOFOLLOW) == 0;
    };
    for (const char* name : {".tileloom-oldOLD", ".tileloom-newNEW", "tileloom-oldold", "precious"})
      put(in(name), "text");
    QCOMPARE(::mkdir(in(".tileloom-folder").c_str(), 0700), 0);
    QCOMPARE(::symlink("precious", in(".tileloom-linked").c_str()), 0);
    QCOMPARE(::mkfifo(in(".tileloom-afifo1").c_str(), 0600), 0);
    std::vector<const char*> stay = {".tileloom-newNEW", "tileloom-oldold",  "precious",
                                     ".tileloom-folder", ".tileloom-linked", ".tileloom-afifo1"};
    if (::geteuid() == 0) {
      put(in(".tileloom-theirs"), "text");
      QCOMPARE(::chown(in(".tileloom-theirs").c_str(), 65534, 65534), 0);
      stay.push_back(".tileloom-theirs");
      QVERIFY(age(".tileloom-theirs"));
    }
    for (const char* name : {".tileloom-oldOLD", "tileloom-oldold", "precious", ".tileloom-folder",
                             ".tileloom-linked", ".tileloom-afifo1"})
      QVERIFY(age(name));
    QVERIFY(replaceText(in("file"), "new").has_value());
    QVERIFY(!fs::exists(in(".tileloom-oldOLD")));
    for (const char* name : stay) {
      std::error_code error;
      QVERIFY2(fs::exists(fs::symlink_status(in(name), error)), name);
    }
    QCOMPARE(filesIn(m_folder->path().toStdString()), stay.size() + 1);
  }

  // A process that replaces a file is killed at random moments: one whole text or the other is
  // there.
  void killedWhileReplacing() {
    const fs::path file = in("file");
    test::Random random(test::seed());
    const std::string a(200'000, 'a'), b(300'000, 'b');
    QVERIFY(replaceText(file, a).has_value());
    const int kills = test::briefly() ? 10 : 40;
    for (int k = 0; k < kills; ++k) {
      const pid_t pid = child([&] {
        for (;;) {
          (void)replaceText(file, b, Durable::No);
          (void)replaceText(file, a, Durable::No);
        }
      });
      ::usleep(static_cast<useconds_t>(random.integer(100, 5000)));
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
      const std::string now = contents(file);
      QVERIFY(now == a || now == b);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TextFileTest, Nothing)
#include "text_file_test.moc"
