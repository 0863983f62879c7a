// The picture of a memory plan, in the plan's own units: which storage lies in which bytes of a
// bank, and when. Nothing about colours, pixels or text.
//
//   bytes                    forward                  get
//     48 +---+-------------------+    +-----------+
//        |   | v3                |    |           |     one Bank, and in it
//     32 +---+--------+------+---+    +-----+-----+     a Panel for each method,
//        |   |        | v8       |    | v2  |     |     a Storage for each rectangle,
//     16 +---+------+-+------+---+    +-----+-----+     a Part for each value in it
//        | v2       |        |   |    | v5        |
//      0 +---+------+--------+---+    +-----------+
//       entry     points      exit
#ifndef PTEPROOF_PROPERTIES_PICTURE_PICTURE_H_
#define PTEPROOF_PROPERTIES_PICTURE_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/point_span.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"
#include "pteproof/scalar_type.h"

namespace pteproof::picture {

// The purpose of a storage; the first that fits.
enum class Kind : uint8_t {
  kState,         // a mutable buffer: it lives from call to call
  kInput,         // the caller sets it
  kOutput,        // the caller reads it
  kIntermediate,  // made and used up within the call
  kReserved,      // a moved name's own place, in which nothing ever lies
};
inline constexpr size_t kKindCount = 5;

// How a value came into its storage.
enum class How : uint8_t {
  kFirst,    // it is what the storage was made for
  kView,     // another name of the same bytes, or of some of them
  kInPlace,  // a result that an operator wrote over its operand
  kBranch,   // another branch's result, moved to the same name
};

// One value in its storage.
struct Part {
  int32_t value = 0;
  How how = How::kFirst;
  uint64_t lo = 0;  // bytes [lo, hi) of the bank
  uint64_t hi = 0;
  std::vector<PointSpan> live;  // ascending, disjoint
  std::string name;             // fully qualified, empty without one
  ScalarType dtype = ScalarType::kUInt8;
  bool bounded = false;  // the sizes are upper bounds
  std::vector<int32_t> sizes;
  int32_t input = -1;   // which of the method's inputs it is
  int32_t output = -1;  // which of its outputs lies here
};

// Bytes that values share on purpose, while any of them is in use.
struct Storage {
  Kind kind = Kind::kIntermediate;
  uint64_t lo = 0;  // bytes [lo, hi) of the bank
  uint64_t hi = 0;
  std::vector<PointSpan> live;      // ascending, disjoint; outputs and state to the exit
  std::vector<Part> parts;          // by first use, then by value
  std::vector<int32_t> writes;      // instructions that write some of it, ascending
  std::vector<int32_t> reads = {};  // instructions that read some of it, ascending
};

// Where a finding shows in a panel.
struct Mark {
  size_t finding = 0;      // index in the report
  bool elsewhere = false;  // the finding is another method's: here lies what it is about
  uint64_t lo = 0;         // bytes [lo, hi) of the bank
  uint64_t hi = 0;
  PointSpan at;                  // when it goes wrong, or all the time that it is about
  bool is_event = false;         // it goes wrong at `at`: two are in use there, or one is written
  std::vector<size_t> storages;  // of the panel: those who meet, or the one concerned
};

// A method's use of a bank.
struct Panel {
  size_t method = 0;      // index in Picture::methods
  bool is_there = false;  // false: the method has no such bank, and all below is empty
  BankUse use;
  std::vector<Storage> storages;  // by first byte, then by first use
  std::vector<Mark> marks;        // in the order of the findings
};

// A memory id: one bank for all methods, or one for each.
struct Bank {
  uint32_t id = 0;
  bool shared = false;        // under the picture's policy
  std::vector<Panel> panels;  // one for each method
};

struct MethodAxis {
  std::string name;
  bool complete = true;                // false: the control flow is beyond the limit on work
  std::vector<std::string> operators;  // "aten::add.out", "move", "jump", "delegate XnnpackBackend"
  std::vector<int32_t> operator_of;    // per instruction: index in operators

  [[nodiscard]] int64_t instructions() const { return static_cast<int64_t>(operator_of.size()); }
  std::optional<PointSpan> window = {};  // of its time that is drawn; nothing: all

  // The method's time is [kEntry, end()): the entry, two points an instruction, and the exit.
  [[nodiscard]] int64_t end() const { return 2 * instructions() + 1; }
  [[nodiscard]] PointSpan Shown() const {
    return window.value_or(PointSpan{PointSpan::kEntry, end()});
  }
};

struct Picture {
  Policy policy = Policy::kShare12;  // which banks are shared, and which findings are marked
  std::vector<MethodAxis> methods;   // those with planned memory
  std::vector<Bank> banks;           // by id; those that some method has
  std::vector<std::string> without_memory = {};  // the other methods
};

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_PICTURE_H_
