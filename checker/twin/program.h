// The file: what its methods do, and where its values lie.
#ifndef PTEPROOF_CHECKER_TWIN_PROGRAM_H_
#define PTEPROOF_CHECKER_TWIN_PROGRAM_H_

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/twin/text.h"

namespace pteproof_twin {

// Sums of 64-bit numbers of a file do not overflow in it.
__extension__ typedef __int128 Offset;  // NOLINT: an extension is no alias declaration

enum class ValueKind : uint8_t { kBool = 3, kTensor = 5, kTensors = 10, kOptionals = 11 };
enum class Action : uint8_t { kKernel = 1, kDelegate = 2, kMove = 3, kJump = 4 };

// Bytes [lo, hi) of a bank. Below bank 0: memory of its own.
struct Place {
  int64_t bank = 0;
  Offset lo = 0;
  Offset hi = 0;
  auto operator<=>(const Place&) const = default;

  [[nodiscard]] bool IsEmpty() const { return lo >= hi; }
  [[nodiscard]] bool IsPlanned() const { return bank > 0; }
};

[[nodiscard]] bool Meet(const Place& a, const Place& b);
[[nodiscard]] bool IsWithin(const Place& inner, const Place& outer);

struct Value {
  uint8_t kind = 0;
  bool flag = false;           // of a Bool
  std::vector<int32_t> items;  // of a list of tensors: values, -1 for none
  int32_t dtype = 0;
  std::vector<int32_t> sizes;
  std::vector<uint8_t> order;  // of the dimensions
  uint32_t data = 0;           // number of its stored bytes, 0: none
  Place place;
  bool dynamic = false;
  bool external = false;  // its bytes come from a .ptd
  std::string name;

  [[nodiscard]] bool Is(ValueKind k) const { return kind == static_cast<uint8_t>(k); }
  [[nodiscard]] bool IsTensor() const { return Is(ValueKind::kTensor); }
  [[nodiscard]] bool IsLoaded() const { return data > 0 || external; }
  [[nodiscard]] bool IsConstant() const { return place.bank < 0 && IsLoaded(); }
};

struct Step {
  Action action = Action::kKernel;
  int32_t target = 0;         // operator, delegate; the source, the condition or what is freed
  std::vector<int64_t> args;  // values; of a jump the instruction
};

struct Method {
  std::string name;
  std::vector<Value> values;
  std::vector<int32_t> inputs, outputs;
  std::set<int32_t> is_input, is_output;
  std::vector<Step> code;
  std::vector<std::string> operators;
  size_t delegates = 0;
  std::vector<int64_t> banks;  // bytes

  [[nodiscard]] bool IsTensor(int64_t v) const { return At(v).IsTensor(); }
  [[nodiscard]] const Value& At(int64_t v) const { return values[static_cast<size_t>(v)]; }
  [[nodiscard]] int64_t Count() const { return static_cast<int64_t>(code.size()); }
  [[nodiscard]] const Step& StepAt(int64_t i) const { return code[static_cast<size_t>(i)]; }
  // The value, if it is a tensor; the tensors of a list.
  [[nodiscard]] std::vector<int32_t> Tensors(int64_t v) const;
};

struct Program {
  std::vector<Method> methods;
  std::map<uint32_t, Offset> initial;  // stored values of buffers: where each begins, by number
  File file;
};

// Bytes of an element; 0: no such type.
[[nodiscard]] int64_t ElementOf(int32_t dtype);

// The bytes of the file that hold its program, without segments.
[[nodiscard]] uint64_t ProgramSize(File file);

// Malformed files stop the work.
[[nodiscard]] Program ReadProgram(File file, Work& work);

[[nodiscard]] std::string_view AsText(File bytes);

}  // namespace pteproof_twin

#endif  // PTEPROOF_CHECKER_TWIN_PROGRAM_H_
