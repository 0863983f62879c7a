// A call with all that it needs: inputs made up from a seed, and memory for outputs that the
// program has no place for. Made before the call, so that the call itself allocates nothing.
#ifndef PTEPROOF_TESTS_SUPPORT_WHOLE_CALL_H_
#define PTEPROOF_TESTS_SUPPORT_WHOLE_CALL_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "pteproof/program.h"
#include "runtime/execute/instance.h"

namespace pteproof {

// Instructions: more than a call of any program in the corpus takes.
inline constexpr int64_t kPlentyOfFuel = 1'000'000;

class WholeCall {
 public:
  // At the upper bounds. Integers and bools are 0 or 1, so that they are good indices; floats lie
  // in [0, 1). `method` must outlive it.
  WholeCall(const Method& method, uint32_t seed);

  // Gives everything and executes.
  [[nodiscard]] std::optional<RunFault> Make(LoadedMethod& loaded, int64_t fuel = kPlentyOfFuel);

  [[nodiscard]] std::span<RunInput> inputs() { return inputs_; }
  // What the caller has for input n; empty if it is not a tensor.
  [[nodiscard]] std::vector<std::byte>& bytes(size_t n) { return bytes_[n]; }

 private:
  struct Lent {
    size_t output = 0;
    std::vector<std::byte> bytes;
  };

  std::vector<RunInput> inputs_;
  std::deque<std::vector<int64_t>> sizes_;
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<Lent> lent_;
};

// Copies of the outputs of the last call: tensors' bytes, numbers as bytes.
[[nodiscard]] std::vector<std::vector<std::byte>> OutputBytes(LoadedMethod& loaded);

// What a method's banks hold.
[[nodiscard]] std::vector<std::vector<std::byte>> BankBytes(Instance& instance, size_t method);

// A program's stored values for buffers, by bank and offset.
struct StoredBuffer {
  uint32_t bank = 0;
  uint64_t offset = 0;
  Bytes value;  // of the tensor's size
};
[[nodiscard]] std::vector<StoredBuffer> StoredBuffers(const Program& program, size_t method);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_WHOLE_CALL_H_
