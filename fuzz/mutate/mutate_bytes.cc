#include "fuzz/mutate/mutate_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pteproof::fuzz {
namespace {

constexpr size_t kLongestBlock = 32;

std::byte AnyByte(Random& random) {
  return static_cast<std::byte>(random.Next());
}

// Moves what follows `at` by `count` bytes; the new size.
size_t OpenGap(std::span<std::byte> room, size_t size, size_t at, size_t count) {
  std::copy_backward(room.begin() + static_cast<ptrdiff_t>(at),
                     room.begin() + static_cast<ptrdiff_t>(size),
                     room.begin() + static_cast<ptrdiff_t>(size + count));
  return size + count;
}

size_t Insert(std::span<std::byte> room, size_t size, Random& random) {
  const size_t count = std::min(1 + random.Below(kLongestBlock), room.size() - size);
  const size_t at = random.Below(size + 1);
  const size_t grown = OpenGap(room, size, at, count);
  for (std::byte& byte : room.subspan(at, count)) byte = AnyByte(random);
  return grown;
}

size_t Erase(std::span<std::byte> room, size_t size, Random& random) {
  const size_t count = std::min(1 + random.Below(kLongestBlock), size);
  const size_t at = random.Below(size - count + 1);
  std::ranges::copy(room.subspan(at + count, size - at - count), room.subspan(at).begin());
  return size - count;
}

size_t CopyWithin(std::span<std::byte> room, size_t size, Random& random) {
  const size_t count = std::min(1 + random.Below(kLongestBlock), size);
  const auto from = room.subspan(random.Below(size - count + 1), count);
  const Buffer block(from.begin(), from.end());
  std::ranges::copy(block, room.subspan(random.Below(size - count + 1)).begin());
  return size;
}

size_t ChangeOnce(std::span<std::byte> room, size_t size, Random& random) {
  if (size == 0) return Insert(room, size, random);
  std::byte& byte = room[random.Below(size)];
  switch (random.Below(6)) {
    case 0:
      byte ^= std::byte{1} << random.Below(8);
      return size;
    case 1:
      byte = AnyByte(random);
      return size;
    case 2:
      byte = static_cast<std::byte>(static_cast<uint8_t>(byte) + (random.OneIn(2) ? 1 : 255));
      return size;
    case 3:
      return Insert(room, size, random);
    case 4:
      return Erase(room, size, random);
    default:
      return CopyWithin(room, size, random);
  }
}

void Append(Buffer& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

ByteMutator SimpleByteMutator(uint64_t seed) {
  return [random = Random(seed)](std::span<std::byte> room, size_t size) mutable {
    return ChangeOnce(room, size, random);
  };
}

Buffer MutateBytes(Bytes input, size_t max_size, const ByteMutator& bytes) {
  const size_t size = std::min(input.size(), max_size);
  // Enough for what one change adds, however much a fuzzer may allow.
  Buffer room(std::min(max_size, 2 * size + 256));
  std::ranges::copy(input.first(size), room.begin());
  room.resize(std::min(bytes(room, size), room.size()));
  return room;
}

Buffer CrossBytes(Bytes a, Bytes b, Random& random, size_t max_size, size_t unit) {
  const Bytes head = a.first(random.Below(a.size() / unit + 1) * unit);
  const Bytes tail = b.subspan(random.Below(b.size() / unit + 1) * unit);
  Buffer out;
  Append(out, head.first(std::min(head.size(), max_size)));
  Append(out, tail.first(std::min(tail.size(), max_size - out.size())));
  return out;
}

Buffer MutateRecords(Bytes input, Random& random, size_t max_size, size_t unit) {
  Buffer fresh(unit);
  for (std::byte& byte : fresh) byte = AnyByte(random);
  std::vector<Bytes> records;
  for (; input.size() >= unit; input = input.subspan(unit)) records.push_back(input.first(unit));
  const size_t way = records.empty() ? 0 : random.Below(5);
  const size_t at = random.Below(records.size() + (way == 0 ? 1 : 0));
  const auto place = records.begin() + static_cast<ptrdiff_t>(at);
  switch (way) {
    case 0:
      records.insert(place, fresh);
      break;
    case 1:
      *place = fresh;
      break;
    case 2:
      records.erase(place);
      break;
    case 3:
      records.insert(place, Bytes(random.Of(records)));
      break;
    default:
      std::swap(*place, random.Of(records));
  }
  Buffer out;
  for (const Bytes record : records) Append(out, record);
  Append(out, input);
  out.resize(std::min(out.size(), max_size));
  return out;
}

}  // namespace pteproof::fuzz
