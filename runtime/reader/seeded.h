// Checks that a test takes out of the reader, one at a time, to see whether the fuzzer misses it.
// The reader as it is shipped has them all: without PTEPROOF_SEEDED, Seeded() is the constant
// false.
#ifndef PTEPROOF_RUNTIME_READER_SEEDED_H_
#define PTEPROOF_RUNTIME_READER_SEEDED_H_

#include <cstdint>

namespace pteproof::reader {

// What is not checked. Names: fuzz/seeded/bugs.cc.
enum class Bug : uint8_t {
  kNone,

  // The container.
  kProgramSize,   // the header's length of the program against the file's
  kSegmentEnd,    // a segment's end against that of the segment area
  kSegmentIndex,  // the number of a segment that holds a blob or a table's data
  kStoredOffset,  // where stored data begin in their segment
  kBudget,        // what shared parts cost

  // Values.
  kListItemIndex,   // a list's item is a value
  kListItemKind,    // and one of the list's kind
  kElementType,     // the type has a meaning
  kRank,            // the number of dimensions
  kSizeSign,        // sizes are not negative
  kDimOrderLength,  // the order is as long as the sizes
  kDimOrder,        // it names each dimension once
  kByteCount,       // the product of the sizes fits
  kDataIndex,       // the number of stored data
  kDataLength,      // they are as many as the tensor takes
  kBankIndex,       // the bank of a placement
  kPlacementEnd,    // offset and length of a placement can be added
  kDeviceBank,      // the bank that lies on a device

  // Instructions.
  kIoIndex,        // an input or output is a value
  kOperatorIndex,  // a call's operator
  kDelegateIndex,  // a call's delegate
  kArgumentIndex,  // an argument is a value
  kMoveIndex,      // a move's source and destination are values
  kJumpTarget,     // where a jump goes

  kCount,
};

#ifdef PTEPROOF_SEEDED
// Whether that check is out; defined in fuzz/seeded/bugs.cc.
[[nodiscard]] bool Seeded(Bug bug);
#else
[[nodiscard]] constexpr bool Seeded(Bug) {
  return false;
}
#endif

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_SEEDED_H_
