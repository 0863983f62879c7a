#include "runtime/delegates/flat_form.h"

namespace pteproof::delegates {
namespace {

void AppendBytes(Bytes bytes, std::string& form) {
  form.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

void AppendCount(uint64_t count, std::string& form) {
  form += std::to_string(count);
  form += ':';
}

void AppendText(std::string_view text, std::string& form) {
  AppendCount(text.size(), form);
  form += text;
}

void AppendField(const FlatTable& table, uint32_t field, char letter, bool is_list,
                 std::string& form) {
  if (letter == '.') return;
  const bool is_text = letter == 's';
  const uint64_t size = is_text ? 0 : static_cast<uint64_t>(letter - '0');
  if (!is_list && !is_text) {
    const Bytes number = table.Raw(field, size);
    form += number.empty() ? '-' : letter;
    return AppendBytes(number, form);
  }
  const bool is_there = table.Has(field);
  form += is_there ? letter : '-';
  if (!is_there) return;
  if (is_list && is_text) {
    const auto texts = table.Texts(field);
    AppendCount(texts.size(), form);
    for (const std::string_view text : texts) AppendText(text, form);
  } else if (is_list) {
    const Bytes numbers = table.RawList(field, size);
    AppendCount(numbers.size(), form);
    AppendBytes(numbers, form);
  } else {
    AppendText(table.Text(field), form);
  }
}

bool AppendForm(const FlatTable& table, std::string_view letters, std::string& form) {
  return AppendForm(table, letters, form, [](char, bool, uint32_t) { return false; });
}

}  // namespace pteproof::delegates
