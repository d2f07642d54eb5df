// SPDX-License-Identifier: GPL-3.0-or-later
// A reader of the cache sees a complete entry of its own key or none, whatever happens to the
// files.
#include "kernels/gpu/compile/build_cache.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::gpu {
namespace fs = std::filesystem;

class BuildCacheTest : public QObject {
  Q_OBJECT

  static std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << text;
  }

  // The content follows from the key, so that any process can check what it reads.
  static CacheEntry entryOf(int i) {
    test::Random random(static_cast<std::uint32_t>(i));
    CacheEntry entry;
    entry.log = "log of " + std::to_string(i);
    entry.cubin.resize(static_cast<std::size_t>(random.integer(0, 30'000)));
    for (char& c : entry.cubin) c = static_cast<char>(random.integer(0, 255));
    return entry;
  }
  static std::string keyOf(int i) { return "key " + std::to_string(i); }
  static bool same(const CacheEntry& a, const CacheEntry& b) {
    return a.log == b.log && a.cubin == b.cubin;
  }
  static std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

 private slots:
  void whatIsWrittenIsRead() {
    QTemporaryDir folder;
    const BuildCache cache(fs::path(folder.path().toStdString()) / "not/yet/there");
    QVERIFY(!cache.read(keyOf(1)));
    for (int i = 0; i < 20; ++i) QVERIFY(cache.write(keyOf(i), entryOf(i)));
    QVERIFY(cache.write("", {}));
    for (int i = 0; i < 20; ++i) {
      const auto entry = cache.read(keyOf(i));
      QVERIFY(entry && same(*entry, entryOf(i)));
    }
    QVERIFY(cache.read("") && same(*cache.read(""), {}));
    QCOMPARE(filesIn(cache.folder()), std::size_t{21});
    QVERIFY(cache.write(keyOf(1), entryOf(7)));  // replaced
    QVERIFY(same(*cache.read(keyOf(1)), entryOf(7)));
  }

  // A 64-bit hash may be the same for two keys; the key itself decides.
  void anotherKeyInTheSameFileIsNoHit() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    QVERIFY(cache.write("one", entryOf(1)));
    fs::copy_file(cache.fileOf("one"), cache.fileOf("two"));
    QVERIFY(!cache.read("two"));
    QVERIFY(cache.read("one"));
    QVERIFY(cache.write("two", entryOf(2)));
    QVERIFY(same(*cache.read("two"), entryOf(2)));
  }

  void damageIsSeen() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    CacheEntry entry = entryOf(3);
    entry.cubin.resize(2000);
    QVERIFY(cache.write("key", entry));
    const fs::path file = cache.fileOf("key");
    const std::string whole = contents(file);
    for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 50) {
      put(file, whole.substr(0, at));
      QVERIFY2(!cache.read("key"), "cut short");
      for (const int bit : {0, 7}) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ (1 << bit));
        put(file, broken);
        QVERIFY2(!cache.read("key"), qPrintable(QString::number(at)));
      }
      put(file, whole.substr(0, at) + 'x' + whole.substr(at));
      QVERIFY2(!cache.read("key"), "one byte too many");
    }
    put(file, whole + "x");
    QVERIFY(!cache.read("key"));
    put(file, whole);
    QVERIFY(cache.read("key"));
    // Lengths that overflow when they are added.
    for (std::size_t field = 0; field < 3; ++field) {
      std::string broken = whole;
      const std::size_t at = std::string_view("tileloom.kernel/1\n").size() + field * 8;
      std::fill_n(broken.begin() + std::ptrdiff_t(at), 8, '\xff');
      put(file, broken);
      QVERIFY(!cache.read("key"));
    }
    QVERIFY(cache.write("key", entry));  // and repaired by the next write
    QVERIFY(cache.read("key"));
  }

  void aFolderThatCannotBeWrittenCostsTimeOnly() {
    QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "file";
    put(file, "in the way");
    const BuildCache blocked(file);
    QVERIFY(!blocked.write("key", entryOf(1)));
    QVERIFY(!blocked.read("key"));
    blocked.trim();
    const BuildCache nowhere("/proc/no/such/folder");
    QVERIFY(!nowhere.write("key", entryOf(1)));
    QVERIFY(!nowhere.read("key"));
    nowhere.trim();
    QCOMPARE(contents(file), std::string("in the way"));
    // A folder instead of the entry.
    const BuildCache cache(folder.path().toStdString());
    fs::create_directories(cache.fileOf("key") / "inside");
    QVERIFY(!cache.write("key", entryOf(1)));
    QVERIFY(!cache.read("key"));
    QCOMPARE(filesIn(cache.folder()), std::size_t{2});  // no other file is left
  }

  void aReadOnlyFolderCostsTimeOnly() {
    if (geteuid() == 0) QSKIP("NOT TESTED: nothing is read-only to root");
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    QVERIFY(cache.write("key", entryOf(1)));
    QCOMPARE(chmod(folder.path().toLocal8Bit().constData(), 0500), 0);
    QVERIFY(!cache.write("other", entryOf(2)));
    QVERIFY(cache.read("key"));
    chmod(folder.path().toLocal8Bit().constData(), 0700);
  }

  // Two writers and two readers of the same 500 entries, as processes.
  void processesShareTheFolder() {
    QTemporaryDir folder;
    constexpr int kEntries = 500;
    std::vector<CacheEntry> entries;
    for (int i = 0; i < kEntries; ++i) entries.push_back(entryOf(i));
    std::vector<pid_t> children;
    for (int process = 0; process < 4; ++process) {
      const pid_t child = fork();
      QVERIFY(child >= 0);
      if (child == 0) {
        const BuildCache cache(folder.path().toStdString());
        std::vector<bool> seen(kEntries);
        bool damaged = false;
        // All in one order, so that they access the same file again and again.
        for (int turn = 0; turn < 2; ++turn) {
          for (int i = 0; i < kEntries; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (process < 2) {
              if (!cache.write(keyOf(i), entries[at])) damaged = true;
              seen[at] = true;
            }
            // Existing entries stay: nothing is removed below 256 MiB.
            const auto entry = cache.read(keyOf(i));
            if (entry ? !same(*entry, entries[at]) : seen[at]) damaged = true;
            if (entry) seen[at] = true;
          }
        }
        _exit(damaged ? 1 : 0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = -1;
      QCOMPARE(waitpid(child, &status, 0), child);
      QVERIFY(WIFEXITED(status));
      QCOMPARE(WEXITSTATUS(status), 0);
    }
    const BuildCache cache(folder.path().toStdString());
    for (int i = 0; i < kEntries; ++i)
      QVERIFY(same(cache.read(keyOf(i)).value(), entries[std::size_t(i)]));
    QCOMPARE(filesIn(cache.folder()), std::size_t{kEntries});  // no file was left beside
  }

  void trimmingRemovesWhatIsLongestUnused() {
    QTemporaryDir folder;
    constexpr std::uint64_t kBytes = 100'000;
    const BuildCache large(folder.path().toStdString());
    const CacheEntry entry{"", std::vector<char>(9'900)};  // 10,000 with its header, near enough
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 12; ++i) {
      QVERIFY(large.write(keyOf(i), entry));
      fs::last_write_time(large.fileOf(keyOf(i)), now - std::chrono::minutes(100 - i));
    }
    QVERIFY(large.read(keyOf(0)));  // used again: now the youngest
    const BuildCache cache(folder.path().toStdString(), kBytes);
    cache.trim();
    std::uint64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(cache.folder())) bytes += file.file_size();
    QVERIFY(bytes <= kBytes / 4 * 3);
    QVERIFY(bytes > kBytes / 2);  // not more than necessary
    QVERIFY(cache.read(keyOf(0)));
    for (int i = 1; i < 12; ++i) QCOMPARE(cache.read(keyOf(i)).has_value(), i >= 6);
    const auto before = filesIn(cache.folder());
    cache.trim();  // below the limit nothing is removed
    QCOMPARE(filesIn(cache.folder()), before);
  }

  void writingKeepsTheFolderBounded() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString(), 50'000);
    for (int i = 0; i < 200; ++i) QVERIFY(cache.write(keyOf(i), {"", std::vector<char>(2'000)}));
    std::uint64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(cache.folder())) bytes += file.file_size();
    // Between two checks up to 32 entries are written.
    QVERIFY2(bytes <= 50'000 + 32 * 2'200, qPrintable(QString::number(bytes)));
  }

  void whatAKilledWriterLeftIsRemovedAfterAnHour() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const fs::path old = cache.folder() / ".tileloom-a1B2c3",
                   fresh = cache.folder() / ".tileloom-a1B2c4",
                   foreign = cache.folder() / "notes.txt";
    for (const fs::path& file : {old, fresh, foreign}) put(file, "half");
    const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    fs::last_write_time(old, yesterday);
    fs::last_write_time(foreign, yesterday);
    cache.trim();
    QVERIFY(!fs::exists(old));
    QVERIFY(fs::exists(fresh));
    QVERIFY(fs::exists(foreign));  // not the cache's file
  }

  // A user may choose a folder with other files, which the cache leaves alone.
  void filesOfOthersAreNeverRemoved() {
    QTemporaryDir folder;
    const fs::path place = fs::path(folder.path().toStdString());
    const BuildCache cache(place, 1);  // it removes everything that it may remove
    const std::vector<std::string> kept = {".bashrc",
                                           ".netrc",
                                           ".tileloom",
                                           ".tileloom-abcde",
                                           ".tileloom-abcdefg",
                                           ".tileloom-......",
                                           "tileloom-abcdef",
                                           "vmlinuz.kernel",
                                           "0123456789abcde.kernel",
                                           "0123456789abcdef0.kernel",
                                           "0123456789ABCDEF.kernel",
                                           "0123456789abcdef.kernel.txt"};
    const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const std::string& name : kept) {
      put(place / name, "precious");
      fs::last_write_time(place / name, yesterday);
    }
    fs::create_directory(place / ".tileloom-FoLder");
    fs::create_directory(place / "00000000000000aa.kernel");
    fs::create_symlink(place / ".bashrc", place / ".tileloom-linkto");
    fs::create_symlink(place / ".bashrc", place / "00000000000000bb.kernel");
    put(place / "0123456789abcdef.kernel", "an entry");
    cache.trim();
    for (const std::string& name : kept) QCOMPARE(contents(place / name), std::string("precious"));
    QVERIFY(fs::is_directory(place / ".tileloom-FoLder"));
    QVERIFY(fs::is_directory(place / "00000000000000aa.kernel"));
    QVERIFY(fs::is_symlink(place / ".tileloom-linkto"));
    QVERIFY(fs::is_symlink(place / "00000000000000bb.kernel"));
    QVERIFY(!fs::exists(place / "0123456789abcdef.kernel"));
  }

  // A link instead of an entry leads where another user wants: it is replaced and never followed.
  void noLinkIsWrittenThrough() {
    QTemporaryDir folder;
    const fs::path place = fs::path(folder.path().toStdString()) / "kernels",
                   victim = fs::path(folder.path().toStdString()) / "victim";
    put(victim, "precious");
    const BuildCache cache(place);
    QVERIFY(cache.write("other", entryOf(1)));
    QCOMPARE(::chmod(place.c_str(), 0777), 0);
    const fs::path file = cache.fileOf("key");
    for (const fs::path& target : {victim, fs::path("/dev/null"), place / "not/there", file}) {
      fs::remove(file);
      fs::create_symlink(target, file);
      QVERIFY(cache.write("key", entryOf(2)));
      QVERIFY(fs::is_regular_file(fs::symlink_status(file)));
      QVERIFY(cache.read("key") && same(*cache.read("key"), entryOf(2)));
    }
    QCOMPARE(contents(victim), std::string("precious"));
    QVERIFY(fs::is_character_file("/dev/null"));
    // Nor through a hard link to the same file.
    fs::remove(file);
    fs::create_hard_link(victim, file);
    QVERIFY(cache.write("key", entryOf(2)));
    QCOMPARE(contents(victim), std::string("precious"));
  }

  // /tmp is open on purpose, and an administrator owns it.
  void aFolderThatAllShareStaysOpen() {
    QTemporaryDir folder;
    const QByteArray place = folder.path().toLocal8Bit();
    QCOMPARE(::chmod(place.constData(), 01777), 0);
    const BuildCache cache(folder.path().toStdString());
    QVERIFY(!cache.write("key", entryOf(1)));
    struct stat info = {};
    QCOMPARE(::stat(place.constData(), &info), 0);
    QCOMPARE(info.st_mode & 07777u, 01777u);
    QCOMPARE(filesIn(cache.folder()), std::size_t{0});
  }

  // Machine code that another user could have written is not loaded.
  void whatOthersCanWriteIsNotRead() {
    QTemporaryDir folder;
    const fs::path place = fs::path(folder.path().toStdString()) / "kernels";
    const BuildCache cache(place);
    QVERIFY(cache.write("key", entryOf(1)));
    const fs::path file = cache.fileOf("key");
    QVERIFY(cache.read("key"));
    for (const mode_t open : {0666, 0664, 0602}) {
      QCOMPARE(::chmod(file.c_str(), open), 0);
      QVERIFY(!cache.read("key"));
    }
    QCOMPARE(::chmod(file.c_str(), 0644), 0);
    QVERIFY(cache.read("key"));
    QCOMPARE(::chmod(place.c_str(), 0777), 0);
    QVERIFY(!cache.read("key"));
    // The next write closes the folder, because a careless umask may have left it open.
    QVERIFY(cache.write("other", entryOf(2)));
    QVERIFY(cache.read("key") && cache.read("other"));
    if (::geteuid() != 0) return;
    constexpr uid_t kNobody = 65534;
    QCOMPARE(::chown(file.c_str(), kNobody, kNobody), 0);
    QVERIFY(!cache.read("key"));
    QVERIFY(cache.read("other"));
    QCOMPARE(::chown(place.c_str(), kNobody, kNobody), 0);
    QVERIFY(!cache.read("other"));
    QVERIFY(!cache.write("third", entryOf(3)));
  }

  void whatIsNoFileIsNoEntry() {
    QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    QVERIFY(cache.write("linked", entryOf(1)));
    const fs::path file = cache.fileOf("key");
    QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
    QVERIFY(!cache.read("key"));
    QVERIFY(!cache.write("key", entryOf(1)));
    fs::remove(file);
    fs::create_symlink("/dev/zero", file);
    QVERIFY(!cache.read("key"));
    fs::remove(file);
    fs::create_symlink(cache.fileOf("linked"), file);
    QVERIFY(!cache.read("key"));
  }

  void theFolderIsFoundInOrder() {
    qputenv("TILELOOM_CACHE", "/chosen");
    qputenv("XDG_CACHE_HOME", "/xdg");
    qputenv("HOME", "/home/somebody");
    QVERIFY(defaultCacheFolder() == "/chosen");
    qunsetenv("TILELOOM_CACHE");
    QVERIFY(defaultCacheFolder() == "/xdg/tileloom/kernels");
    qputenv("XDG_CACHE_HOME", "relative");  // the specification says: ignore
    QVERIFY(defaultCacheFolder() == "/home/somebody/.cache/tileloom/kernels");
    qunsetenv("XDG_CACHE_HOME");
    qputenv("HOME", "");
    QVERIFY(defaultCacheFolder().is_absolute());
    // Without $HOME it is the password database's, and never a path that other users can predict.
    qunsetenv("HOME");
    QVERIFY(defaultCacheFolder().is_absolute());
    QVERIFY(!defaultCacheFolder().string().starts_with("/tmp"));
    const BuildCache none{fs::path()};
    QVERIFY(!none.write("key", entryOf(1)) && !none.read("key"));
    none.trim();
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::BuildCacheTest, EventLoop)
#include "build_cache_test.moc"
