#include "fuzz/dictionaries.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <set>

#include "bundled_program_generated.h"
#include "flat_tensor_generated.h"
#include "fuzz/vocabulary.h"
#include "program_generated.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

// An entry as it stands in quotes.
std::string Quoted(std::string_view bytes) {
  std::string quoted;
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      quoted += fmt::format("\\{}", c);
    } else if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<uint8_t>(c));
    }
  }
  return quoted;
}

class Entries {
 public:
  void Title(std::string_view title) { text_ += fmt::format("\n# {}\n", title); }
  // Each once.
  void Add(std::string_view bytes) {
    if (!bytes.empty() && seen_.emplace(bytes).second) {
      text_ += fmt::format("\"{}\"\n", Quoted(bytes));
    }
  }
  void AddNumber(uint64_t number, size_t width) {
    std::string bytes;
    for (size_t b = 0; b < width; ++b) bytes += static_cast<char>(number >> (8 * b));
    Add(bytes);
  }
  void Add(const Words& words) {
    for (const std::string_view word : words) Add(word);
  }
  [[nodiscard]] std::string Text() && {
    return "# Generated from the sources; a test compares them." + std::string("\n") +
           std::move(text_);
  }

 private:
  std::string text_;
  std::set<std::string, std::less<>> seen_;
};

void AddNumbers(Entries& entries) {
  entries.Title("Numbers as fields hold them: at the ends of each width, and powers of two");
  for (const size_t width : {size_t{2}, size_t{4}, size_t{8}}) {
    const uint64_t sign = uint64_t{1} << (8 * width - 1);
    for (const uint64_t number : {uint64_t{0} - 1, uint64_t{0} - 2, sign, sign - 1, uint64_t{1}}) {
      entries.AddNumber(number, width);
    }
    for (size_t bit = 4; bit + 1 < 8 * width; bit += 4)
      entries.AddNumber(uint64_t{1} << bit, width);
  }
}

template <class Enum>
void AddTags(Entries& entries, std::string_view what, const Enum& values) {
  entries.Title(what);
  for (const auto value : values) entries.AddNumber(static_cast<uint64_t>(value), 1);
}

// Files hold a name and its overload apart.
void AddOperators(Entries& entries, bool apart) {
  entries.Title("Operators");
  for (const OpSchema& schema : AllOperators()) {
    const size_t dot = apart ? schema.name.find('.', schema.name.find("::")) : schema.name.npos;
    entries.Add(schema.name.substr(0, dot));
    if (dot != schema.name.npos) entries.Add(schema.name.substr(dot + 1));
  }
}

std::string ProgramText() {
  Entries entries;
  entries.Title("Marks");
  entries.Add(schema::ProgramIdentifier());
  entries.Add("eh00");
  AddTags(entries, "Kinds of values and instructions", schema::EnumValuesAnyValue());
  AddTags(entries, "Element types", schema::EnumValuesElementType());
  AddNumbers(entries);
  AddOperators(entries, true);
  return std::move(entries).Text();
}

std::string DataText() {
  Entries entries;
  entries.Title("Marks");
  entries.Add(schema::flat_tensor::FlatTensorIdentifier());
  entries.Add("FH01");
  entries.Add(schema::bundled_program::BundledProgramIdentifier());
  entries.Add(schema::ProgramIdentifier());
  entries.Add("eh00");
  AddTags(entries, "Element types", schema::EnumValuesElementType());
  AddNumbers(entries);
  entries.Title("A manifest's words");
  entries.Add(ManifestWords());
  return std::move(entries).Text();
}

std::string ModuleText() {
  Entries entries;
  entries.Title("Words");
  entries.Add(ModuleWords());
  entries.Title("Words of programs as text");
  entries.Add(AssemblyWords());
  AddOperators(entries, false);
  return std::move(entries).Text();
}

constexpr std::array kDictionaries = {
    Dictionary{"program", ProgramText},
    Dictionary{"data", DataText},
    Dictionary{"text", ModuleText},
};

}  // namespace

std::span<const Dictionary> AllDictionaries() {
  return kDictionaries;
}

}  // namespace pteproof::fuzz
