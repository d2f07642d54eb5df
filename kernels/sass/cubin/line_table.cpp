// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/line_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace tileloom::sass {
namespace {

constexpr std::string_view kSection = ".debug_line";
constexpr std::size_t kMostRows = 1 << 22;  // of a file: a kernel has at most as many instructions

// Standard operations.
enum : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kSetColumn = 5,
  kAddConstant = 8,
  kAdvanceFixed = 9,
};
// Extended operations.
enum : std::uint8_t {
  kEndSequence = 1,
  kSetAddress = 2,
  kInlinedCall = 0x90,  // of which row of this sequence, from 1 (0: none), and the function's name
  kSetFunction = 0x91,
};

// Reads forward, and stays at the end once there is nothing more.
class Bytes {
 public:
  explicit Bytes(std::span<const char> bytes) : bytes_(bytes) {}
  bool more() const { return at_ < bytes_.size(); }
  std::size_t at() const { return at_; }
  void goTo(std::size_t at) { at_ = std::min(at, bytes_.size()); }

  template <class T>
  T number() {
    const auto value = numberAt<T>(bytes_, at_);
    goTo(at_ + sizeof(T));
    return value.value_or(T{});
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; more(); shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signedLeb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    while (more()) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(value);
  }
  std::string_view text() {
    const std::string_view rest(bytes_.data() + at_, bytes_.size() - at_);
    const std::string_view text = rest.substr(0, rest.find('\0'));
    goTo(at_ + text.size() + 1);
    return text;
  }

 private:
  std::span<const char> bytes_;
  std::size_t at_ = 0;
};

// A row of the table while it is read.
struct State {
  std::uint64_t address = 0;
  std::uint64_t file = 1;      // from 1
  std::uint64_t line = 1;      // may wrap around in a damaged table
  std::uint64_t caller = 0;    // a row of this sequence, from 1; 0: not inlined
  std::uint64_t function = 0;  // offset in .debug_str
};

struct Header {
  std::uint8_t unit = 1;  // bytes by which addresses are counted
  std::int8_t lineBase = 0;
  std::uint8_t lineRange = 1;
  std::uint8_t opcodeBase = 0;
  std::vector<std::string> files;
  std::size_t end = 0;  // of the table
};

// The header of the table that begins here; the reader is then at its operations. Nothing if it is
// of another version or damaged.
std::optional<Header> headerOf(std::span<const char> section, std::size_t begin, Bytes& read) {
  const auto length = numberAt<std::uint32_t>(section, begin);
  const auto version = numberAt<std::uint16_t>(section, begin + 4);
  const auto size = numberAt<std::uint32_t>(section, begin + 6);
  if (!size || *version != 2 || *length > section.size() - begin - 4 || *size > *length)
    return std::nullopt;
  Header header;
  header.end = begin + 4 + *length;
  read = Bytes(section.first(header.end));
  read.goTo(begin + 10);
  header.unit = read.number<std::uint8_t>();
  read.number<std::uint8_t>();  // whether a row begins a statement
  header.lineBase = read.number<std::int8_t>();
  header.lineRange = read.number<std::uint8_t>();
  header.opcodeBase = read.number<std::uint8_t>();
  if (header.lineRange == 0 || header.opcodeBase < 10) return std::nullopt;
  read.goTo(read.at() + header.opcodeBase - 1);  // how many arguments each operation has
  std::vector<std::string_view> folders = {""};
  while (read.more()) {
    const std::string_view folder = read.text();
    if (folder.empty()) break;
    folders.push_back(folder);
  }
  while (read.more()) {
    const std::string_view name = read.text();
    if (name.empty()) break;
    const std::uint64_t folder = read.leb();
    read.leb();  // when the file was changed
    read.leb();  // its bytes
    const bool whole = name.front() == '/' || folder == 0 || folder >= folders.size();
    header.files.push_back(whole ? std::string(name)
                                 : std::string(folders[folder]) + '/' + std::string(name));
  }
  read.goTo(begin + 10 + *size);
  return header;
}

// Executes the operations of a table, and gives the rows of each sequence to `finished`, with the
// place of its address in the section.
template <class Finished>
void execute(const Header& header, Bytes& read, std::size_t& rowsLeft, Finished&& finished) {
  State state;
  std::vector<State> rows;
  std::size_t addressAt = 0;
  const auto take = [&] {
    if (rowsLeft == 0) return;
    --rowsLeft;
    rows.push_back(state);
  };
  const auto skip = [&](unsigned special) {
    state.address += std::uint64_t{header.unit} * (special / header.lineRange);
  };
  while (read.more()) {
    const auto operation = read.number<std::uint8_t>();
    if (operation >= header.opcodeBase) {
      const unsigned special = static_cast<unsigned>(operation - header.opcodeBase);
      skip(special);
      state.line += static_cast<std::uint64_t>(
          std::int64_t{header.lineBase} + static_cast<std::int64_t>(special % header.lineRange));
      take();
      continue;
    }
    switch (operation) {
      case kExtended: {
        const std::uint64_t size = read.leb();
        const std::size_t begin = read.at();
        switch (read.number<std::uint8_t>()) {
          case kEndSequence:
            finished(rows, addressAt);
            rows.clear();
            addressAt = 0;
            state = {};
            break;
          case kSetAddress:
            addressAt = read.at();
            state.address = read.number<std::uint64_t>();
            break;
          case kInlinedCall:
            state.caller = read.leb();
            state.function = read.leb();
            break;
          case kSetFunction:
            state.function = read.leb();
            break;
          default:
            break;
        }
        read.goTo(begin + static_cast<std::size_t>(std::min<std::uint64_t>(size, header.end)));
        break;
      }
      case kCopy:
        take();
        break;
      case kAdvanceAddress:
        state.address += read.leb() * header.unit;
        break;
      case kAdvanceLine:
        state.line += static_cast<std::uint64_t>(read.signedLeb());
        break;
      case kSetFile:
        state.file = read.leb();
        break;
      case kSetColumn:
        read.leb();
        break;
      case kAddConstant:
        skip(255u - header.opcodeBase);
        break;
      case kAdvanceFixed:
        state.address += read.number<std::uint16_t>();
        break;
      default:
        break;  // without an argument
    }
  }
}

}  // namespace

class LineTableMaker {
 public:
  static LineTable make(std::span<const State> rows, const std::vector<std::string>& files,
                        std::span<const char> texts) {
    LineTable table;
    table.files_ = files;
    std::map<std::uint64_t, std::uint32_t> functions;
    for (const State& each : rows) {
      LineTable::Row row;
      row.address = static_cast<std::uint32_t>(each.address);
      if (each.file >= 1 && each.file <= files.size())
        row.file = static_cast<std::uint32_t>(each.file - 1);
      constexpr std::uint64_t kLastLine = 0x7fffffff;
      row.line = each.line > kLastLine ? 0 : static_cast<std::uint32_t>(each.line);
      // Only an earlier row, so that every chain has an end.
      if (each.caller >= 1 && each.caller <= table.rows_.size()) {
        row.caller = static_cast<std::uint32_t>(each.caller - 1);
        const auto [name, isNew] =
            functions.emplace(each.function, static_cast<std::uint32_t>(functions.size()));
        if (isNew) table.functions_.emplace_back(textOf(texts, each.function));
        row.function = name->second;
      }
      table.rows_.push_back(row);
    }
    const auto addressOf = [&table](std::uint32_t row) { return table.rows_[row].address; };
    std::vector<std::uint32_t> order(table.rows_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, addressOf);
    // Of several rows of one address the last one counts.
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + 1 == order.size() || addressOf(order[i]) != addressOf(order[i + 1]))
        table.last_.push_back(order[i]);
    }
    return table;
  }

 private:
  static std::string_view textOf(std::span<const char> texts, std::uint64_t at) {
    Bytes read(texts);
    read.goTo(static_cast<std::size_t>(std::min<std::uint64_t>(at, texts.size())));
    return read.text();
  }
};

std::vector<SourcePlace> LineTable::at(std::uint32_t address) const {
  std::vector<SourcePlace> places;
  const auto after =
      std::ranges::upper_bound(last_, address, {}, [this](auto row) { return rows_[row].address; });
  if (after == last_.begin()) return places;
  for (std::uint32_t row = *std::prev(after); row != kNone; row = rows_[row].caller) {
    const Row& r = rows_[row];
    places.push_back({r.file == kNone ? std::string_view() : files_[r.file], r.line,
                      r.function == kNone ? std::string_view() : functions_[r.function]});
  }
  return places;
}

std::vector<LineTable> lineTablesOf(const Elf& elf, std::span<const std::uint32_t> symbols) {
  std::vector<LineTable> tables(symbols.size());
  const ElfSection* section = elf.named(kSection);
  if (section == nullptr) return tables;
  const auto bytes = elf.contents(*section);
  const ElfSection* names = elf.named(".debug_str");
  const std::span<const char> texts = names != nullptr ? elf.contents(*names) : bytes.first(0);
  // The function of a sequence follows from the place of its address, which loading fills in.
  std::map<std::uint64_t, std::uint32_t> symbolAt;
  for (const ElfRelocation& each : elf.relocationsOf(kSection))
    symbolAt.emplace(each.at, each.symbol);

  std::size_t rowsLeft = kMostRows;
  Bytes read({});
  for (std::size_t begin = 0; begin < bytes.size();) {
    const auto header = headerOf(bytes, begin, read);
    if (!header) break;
    execute(*header, read, rowsLeft, [&](const std::vector<State>& rows, std::size_t addressAt) {
      const auto symbol = symbolAt.find(addressAt);
      if (symbol == symbolAt.end() || rows.empty()) return;
      const auto found = std::ranges::find(symbols, symbol->second);
      if (found == symbols.end()) return;
      LineTable& table = tables[static_cast<std::size_t>(found - symbols.begin())];
      if (table.empty()) table = LineTableMaker::make(rows, header->files, texts);
    });
    begin = header->end;
  }
  return tables;
}

}  // namespace tileloom::sass
