// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/fake/images.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/gpu/fake/words.h"

namespace tileloom::fake {

std::vector<char> namedImage(ElfHeader h, const std::string& name, const std::string& parameters) {
  const std::string kernel = name.substr(0, name.find(' '));
  const std::string texts = std::string(1, '\0') + ".text." + kernel + '\0' + ".shstrtab" + '\0';
  constexpr std::uint64_t kExit[] = {0x94d | 7 << 12, 0x000fea0003800000};
  std::string rest = name + '\0' + parameters + '\0';
  const std::size_t code = sizeof h + rest.size();
  rest.append(reinterpret_cast<const char*>(kExit), sizeof kExit);
  const std::size_t named = sizeof h + rest.size();
  rest += texts;
  h.ident[kNamedAt] = 1;
  h.sections = sizeof h + rest.size();
  h.sectionSize = sizeof(ElfSection);
  h.sectionCount = 3;
  h.names = 2;
  const ElfSection sections[3] = {{},
                                  {1, 1, 6, 0, code, sizeof kExit, 0, 0, 0, 0},
                                  {static_cast<std::uint32_t>(texts.find(".shstrtab")), 3, 0, 0,
                                   named, texts.size(), 0, 0, 0, 0}};
  std::vector<char> image(sizeof h);
  std::memcpy(image.data(), &h, sizeof h);
  image.insert(image.end(), rest.begin(), rest.end());
  const char* const table = reinterpret_cast<const char*>(sections);
  image.insert(image.end(), table, table + sizeof sections);
  return image;
}

bool hasKernel(const unsigned char* image, const std::string& name, bool any) {
  ElfHeader h;
  std::memcpy(&h, image, sizeof h);
  if (any && h.flags != kOwnFlags) return true;
  if (h.flags == kOwnFlags && h.ident[kNamedAt] != 0) {
    // The tile parameters follow these names.
    const std::string names = reinterpret_cast<const char*>(image) + sizeof h;
    return (" " + names + " ").find(" " + name + " ") != std::string::npos;
  }
  const auto section = [&](std::size_t i) {
    ElfSection s;
    std::memcpy(&s, image + h.sections + i * sizeof s, sizeof s);
    return s;
  };
  const ElfSection names = section(h.names);
  for (std::size_t i = 0; i < h.sectionCount; ++i) {
    const char* of = reinterpret_cast<const char*>(image) + names.offset + section(i).name;
    if (".text." + name == of) return true;
  }
  return false;
}

std::vector<char> fileFor(const std::string& path, std::uint32_t arch) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < sizeof(ElfHeader)) die("no cubin in " + path);
  for (std::size_t i = 0; i < sizeof(ElfHeader::flags); ++i) {
    char& byte = bytes[offsetof(ElfHeader, flags) + i];
    if (byte == 90) byte = static_cast<char>(arch);
  }
  return bytes;
}

}  // namespace tileloom::fake
