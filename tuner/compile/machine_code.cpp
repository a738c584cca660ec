#include "compile/machine_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "core/hash.h"

namespace warpwright {
namespace {

constexpr std::string_view kText = ".text.";
// The sections that affect what the driver loads or executes; debugging sections have other names.
constexpr std::string_view kLoaded[] = {
    ".text.",    ".nv.constant", ".nv.info",   ".nv.global",       ".nv.shared",
    ".nv.local", ".rel.text",    ".rela.text", ".rel.nv.constant", ".rela.nv.constant"};

Error malformed(std::string_view what) {
  return environment_error(
      fmt::format("the compiled code is not an ELF file of the kind NVRTC produces ({}); please "
                  "report this with the "
                  "version of NVRTC",
                  what));
}

// Every read checks its bounds, because a cubin may come from a damaged cache.
template <typename T>
T read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) throw malformed("cut short");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

struct Section {
  std::string_view name;
  Elf64_Shdr header{};
  std::string_view content;  // empty if the section only reserves memory
};

std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) throw malformed("cut short");
  return bytes.substr(offset, size);
}

std::vector<Section> sections_of(std::string_view cubin) {
  const auto header = read_at<Elf64_Ehdr>(cubin, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw malformed("no ELF magic");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    throw malformed("not 64-bit little-endian");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
    throw malformed("a malformed section table");
  std::vector<Section> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    sections[i].header = read_at<Elf64_Shdr>(cubin, header.e_shoff + i * sizeof(Elf64_Shdr));
    const Elf64_Shdr& known = sections[i].header;
    if (known.sh_type != SHT_NOBITS)
      sections[i].content = part(cubin, known.sh_offset, known.sh_size);
  }
  const std::string_view names = sections[header.e_shstrndx].content;
  for (Section& section : sections) {
    if (section.header.sh_name > names.size()) throw malformed("a section without a name");
    const std::string_view rest = names.substr(section.header.sh_name);
    section.name = rest.substr(0, rest.find('\0'));
  }
  return sections;
}

bool is_loaded(std::string_view name) {
  return std::any_of(std::begin(kLoaded), std::end(kLoaded),
                     [&](std::string_view lead) { return name.starts_with(lead); });
}

}  // namespace

MachineCode read_machine_code(std::string_view cubin) {
  std::vector<Section> sections = sections_of(cubin);
  std::erase_if(sections, [](const Section& section) { return !is_loaded(section.name); });
  std::stable_sort(sections.begin(), sections.end(),
                   [](const Section& a, const Section& b) { return a.name < b.name; });
  MachineCode code;
  Sha256 hash;
  for (const Section& section : sections) {
    hash.field(section.name)
        .field(std::to_string(section.header.sh_size))
        .field(std::to_string(section.header.sh_flags))
        .field(section.content);
    if (section.name.starts_with(kText)) {
      code.code_bytes[std::string(section.name.substr(kText.size()))] =
          static_cast<std::int64_t>(section.header.sh_size);
    }
  }
  if (code.code_bytes.empty()) throw malformed("without code");
  code.hash = hash.hex();
  return code;
}

}  // namespace warpwright
