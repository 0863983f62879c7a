// An .npz is a zip archive of .npy files. Its list of entries stands before its end:
//
//   [entry's header, array]*  [list: name, size, place of the header]*  end: count, place of the
//   list
//
// An .npy is a magic number, the length of a text, the text, which is a Python dictionary,
// and the elements:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//
// Entries may name the same bytes, and then share the array. Invariants: no byte is read without a
// look at the file's length; the arrays have no more bytes than a small multiple of the file's, the
// budget of the other readers. Cost: O(bytes).
#include "properties/oracles/numpy_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "properties/oracles/tensor_forms.h"
#include "runtime/decode_budget.h"
#include "runtime/dense_layout.h"

namespace pteproof {
namespace {

constexpr std::string_view kEntryMark("PK\x03\x04", 4);
constexpr std::string_view kListedMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kArrayMark("\x93NUMPY", 6);

struct NpzFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A text of the file as a message shows it.
std::string PlainText(std::string_view text) {
  constexpr size_t kMostShown = 100;
  std::string plain(text.substr(0, kMostShown));
  std::ranges::replace_if(plain, [](char c) { return c < ' ' || c > '~'; }, '?');
  return plain;
}

// `bytes` of the file from `at` on.
std::string_view Take(std::string_view file, uint64_t at, uint64_t bytes) {
  if (at > file.size() || bytes > file.size() - at) {
    throw NpzFault("the archive ends too early: is it still being written?");
  }
  return file.substr(at, bytes);
}

uint64_t NumberIn(std::string_view file, uint64_t at, size_t width) {
  const std::string_view bytes = Take(file, at, width);
  uint64_t number = 0;
  std::memcpy(&number, bytes.data(), width);  // little endian, as all that this runs on
  return number;
}

// --- The text before the elements.

struct ArrayForm {
  ScalarType dtype = ScalarType::kFloat32;
  bool column_major = false;
  Sizes sizes;
};

std::string_view AfterKey(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) throw NpzFault(fmt::format("the header has no {}", key));
  const size_t colon = text.find(':', at);
  if (colon == std::string_view::npos) throw NpzFault(fmt::format("{} has no value", key));
  text.remove_prefix(colon + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

ScalarType DtypeIn(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, ScalarType>, 14> kTypes = {{
      {"|b1", ScalarType::kBool},
      {"|u1", ScalarType::kUInt8},
      {"|i1", ScalarType::kInt8},
      {"<i2", ScalarType::kInt16},
      {"<i4", ScalarType::kInt32},
      {"<i8", ScalarType::kInt64},
      {"<u2", ScalarType::kUInt16},
      {"<u4", ScalarType::kUInt32},
      {"<u8", ScalarType::kUInt64},
      {"<f2", ScalarType::kFloat16},
      {"<f4", ScalarType::kFloat32},
      {"<f8", ScalarType::kFloat64},
      {"<c8", ScalarType::kComplex64},
      {"<c16", ScalarType::kComplex128},
  }};
  const std::string_view quoted = text.substr(0, text.find_first_of(",}"));
  for (const auto& [name, dtype] : kTypes) {
    if (quoted.find(fmt::format("'{}'", name)) != std::string_view::npos) return dtype;
  }
  throw NpzFault(
      fmt::format("elements of type {} are not supported; known are bool, integers, "
                  "floats and complex numbers, little endian",
                  PlainText(quoted)));
}

Sizes SizesIn(std::string_view text) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) {
    throw NpzFault("the shape is not a tuple");
  }
  Sizes sizes;
  for (std::string_view rest = text.substr(1, end - 1); !rest.empty();) {
    rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
    if (rest.empty()) break;
    int64_t size = 0;
    const auto [after, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (error != std::errc() || size < 0) throw NpzFault("a size of the shape is not a number");
    if (sizes.size() == kMaxRank) {
      throw NpzFault(fmt::format("the shape has more than {} dimensions", kMaxRank));
    }
    sizes.push_back(size);
    rest.remove_prefix(static_cast<size_t>(after - rest.data()));
  }
  return sizes;
}

// --- The elements.

// The first index changes fastest in `elements`, and is to change slowest.
std::vector<std::byte> Turned(const ArrayForm& form, std::string_view elements) {
  std::vector<std::byte> turned(elements.size());
  const size_t width = ElementSize(form.dtype);
  std::vector<int64_t> index(form.sizes.size(), 0);
  for (size_t at = 0; at < elements.size(); at += width) {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d) place = place * form.sizes[d] + index[d];
    std::memcpy(&turned[static_cast<size_t>(place) * width], elements.data() + at, width);
    for (size_t d = 0; d < index.size(); ++d) {
      if (++index[d] < form.sizes[d]) break;
      index[d] = 0;
    }
  }
  return turned;
}

TensorValue ArrayIn(std::string_view file) {
  if (!file.starts_with(kArrayMark)) throw NpzFault("it is not an array (.npy)");
  constexpr uint64_t kVersionAt = 6;
  constexpr uint64_t kLengthAt = 8;
  const size_t width = NumberIn(file, kVersionAt, 1) == 1 ? 2 : 4;
  const uint64_t length = NumberIn(file, kLengthAt, width);
  const std::string_view text = Take(file, kLengthAt + width, length);
  ArrayForm form;
  form.dtype = DtypeIn(AfterKey(text, "'descr'"));
  form.column_major = AfterKey(text, "'fortran_order'").starts_with("True");
  form.sizes = SizesIn(AfterKey(text, "'shape'"));
  const auto needed = BytesOf(form.dtype, form.sizes);
  if (!needed) throw NpzFault("the shape has more elements than can be counted");
  const std::string_view stored = file.substr(kLengthAt + width + length);
  if (*needed > stored.size()) {
    throw NpzFault(
        fmt::format("the shape needs {} bytes, and {} are stored", *needed, stored.size()));
  }
  const std::string_view elements = stored.substr(0, *needed);
  TensorValue value{form.dtype, form.sizes, {}};
  if (form.column_major && form.sizes.size() > 1) {
    value.bytes = Turned(form, elements);
  } else {
    const auto* first = reinterpret_cast<const std::byte*>(elements.data());
    value.bytes = std::vector<std::byte>(first, first + elements.size());
  }
  return value;
}

// --- The archive.

// Places of what is read, from the beginning of an entry of the list, and of its header.
constexpr uint64_t kMethodAt = 10;
constexpr uint64_t kPackedAt = 20;
constexpr uint64_t kBytesAt = 24;
constexpr uint64_t kNameLengthAt = 28;
constexpr uint64_t kExtraLengthAt = 30;
constexpr uint64_t kCommentLengthAt = 32;
constexpr uint64_t kHeaderAt = 42;
constexpr uint64_t kNameAt = 46;
constexpr uint64_t kHeaderNameLengthAt = 26;
constexpr uint64_t kHeaderExtraLengthAt = 28;
constexpr uint64_t kHeaderBytes = 30;

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view file) : file_(file), budget_(file.size()) {}

  std::vector<NamedArray> Read() {
    constexpr uint64_t kCountAt = 10;
    constexpr uint64_t kListAt = 16;
    constexpr uint64_t kEndBytes = 22;
    const size_t end = file_.rfind(kEndMark);
    if (end == std::string_view::npos) throw NpzFault("it is not a whole zip archive (.npz)");
    const std::string_view record = Take(file_, end, kEndBytes);
    const uint64_t count = NumberIn(record, kCountAt, 2);
    uint64_t at = NumberIn(record, kListAt, 4);
    std::vector<NamedArray> arrays;
    for (uint64_t n = 0; n < count; ++n) arrays.push_back(EntryAt(at));
    return arrays;
  }

 private:
  // The entry of the list at `at`, which is moved behind it.
  NamedArray EntryAt(uint64_t& at) {
    if (Take(file_, at, kListedMark.size()) != kListedMark) {
      throw NpzFault("the archive's list of entries is damaged");
    }
    const uint64_t name_length = NumberIn(file_, at + kNameLengthAt, 2);
    NamedArray array;
    array.name = Take(file_, at + kNameAt, name_length);
    if (array.name.ends_with(".npy")) array.name.resize(array.name.size() - 4);
    try {
      if (!names_.insert(array.name).second) throw NpzFault("it occurs twice");
      array.value = ArrayAt(at);
    } catch (const NpzFault& fault) {
      throw NpzFault(fmt::format("array '{}': {}", PlainText(array.name), fault.what()));
    }
    at += kNameAt + name_length + NumberIn(file_, at + kExtraLengthAt, 2) +
          NumberIn(file_, at + kCommentLengthAt, 2);
    return array;
  }

  // The array of the entry of the list at `at`.
  const TensorValue& ArrayAt(uint64_t at) {
    if (NumberIn(file_, at + kMethodAt, 2) != 0) {
      throw NpzFault("it is compressed: write the file with numpy.savez, not savez_compressed");
    }
    constexpr uint64_t kElsewhere = 0xFFFFFFFF;
    const uint64_t bytes = NumberIn(file_, at + kBytesAt, 4);
    if (bytes == kElsewhere || bytes != NumberIn(file_, at + kPackedAt, 4)) {
      throw NpzFault("it has 4 GB or more, or is encrypted");
    }
    const uint64_t header = NumberIn(file_, at + kHeaderAt, 4);
    if (Take(file_, header, kEntryMark.size()) != kEntryMark) throw NpzFault("it has no header");
    const uint64_t start = header + kHeaderBytes +
                           NumberIn(file_, header + kHeaderNameLengthAt, 2) +
                           NumberIn(file_, header + kHeaderExtraLengthAt, 2);
    const auto [known, is_new] = arrays_.try_emplace({start, bytes});
    if (!is_new) return known->second;
    if (!budget_.Spend(bytes)) {
      throw NpzFault("the arrays share so many bytes that they are far larger than the file");
    }
    known->second = ArrayIn(Take(file_, start, bytes));
    return known->second;
  }

  std::string_view file_;
  DecodeBudget budget_;
  std::set<std::string> names_;
  std::map<std::pair<uint64_t, uint64_t>, TensorValue> arrays_;  // by place and length
};

}  // namespace

bool IsNpz(Bytes file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.starts_with(kEntryMark) || text.starts_with(kEndMark);
}

Result<std::vector<NamedArray>, std::string> ReadNpz(Bytes bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    return ArchiveReader(file).Read();
  } catch (const NpzFault& fault) {
    return std::string(fault.what());
  }
}

}  // namespace pteproof
