// Errors as values: either the result, or the reason why it does not exist.
//
// Example:
//
//   #include <string>
//
//   const auto half = [](int n) -> pteproof::Result<int, std::string> {
//     if (n % 2 != 0) return std::string("odd");
//     return n / 2;
//   };
//   return half(8).value() == 4 && half(7).error() == "odd" ? 0 : 1;
#ifndef PTEPROOF_RESULT_H_
#define PTEPROOF_RESULT_H_

#include <cassert>
#include <utility>
#include <variant>

namespace pteproof {

// Holds a T (success) or an E (failure). Access to the side that is not held is a programmer's
// mistake.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(E error)
      : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  [[nodiscard]] T& value() & {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  [[nodiscard]] T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&held_));
  }
  [[nodiscard]] const E& error() const {
    assert(!ok());
    return *std::get_if<1>(&held_);
  }

 private:
  std::variant<T, E> held_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RESULT_H_
