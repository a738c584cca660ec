// The smallest ELF file that compile/machine_code.h takes for a cubin: a section of code for every
// entry, with any contents.
#pragma once

#include <elf.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace warpwright::testing {

inline std::string tiny_cubin(const std::map<std::string, std::string>& code_by_entry) {
  std::string names(1, '\0');
  std::string body;
  std::vector<Elf64_Shdr> headers(1);
  const auto add = [&](const std::string& name, const std::string& content) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = SHT_PROGBITS;
    header.sh_offset = sizeof(Elf64_Ehdr) + body.size();
    header.sh_size = content.size();
    names += name + '\0';
    body += content;
    headers.push_back(header);
  };
  for (const auto& [entry, code] : code_by_entry) add(".text." + entry, code);
  const std::string own = ".shstrtab";
  const std::string all = names + own + '\0';
  add(own, all);
  Elf64_Ehdr file{};
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = ELFCLASS64;
  file.e_ident[EI_DATA] = ELFDATA2LSB;
  file.e_shoff = sizeof(Elf64_Ehdr) + body.size();
  file.e_shentsize = sizeof(Elf64_Shdr);
  file.e_shnum = static_cast<Elf64_Half>(headers.size());
  file.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  std::string bytes(reinterpret_cast<const char*>(&file), sizeof(file));
  bytes += body;
  bytes.append(reinterpret_cast<const char*>(headers.data()), headers.size() * sizeof(Elf64_Shdr));
  return bytes;
}

}  // namespace warpwright::testing
