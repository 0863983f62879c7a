#include "tests/executorch/witness/job.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace pteproof::witness {
namespace {

using Rest = std::span<const std::byte>;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

void PutBytes(Wire& wire, const void* bytes, size_t size) {
  const auto* from = static_cast<const std::byte*>(bytes);
  wire.insert(wire.end(), from, from + size);
}

Rest TakeBytes(Rest& wire, size_t size) {
  if (size > wire.size()) std::abort();
  const Rest taken = wire.first(size);
  wire = wire.subspan(size);
  return taken;
}

template <Plain T>
void PutNumber(Wire& wire, T number) {
  PutBytes(wire, &number, sizeof number);
}

template <Plain T>
void TakeNumber(Rest& wire, T& number) {
  std::memcpy(&number, TakeBytes(wire, sizeof number).data(), sizeof number);
}

// A vector or string of numbers.
template <class List>
void PutList(Wire& wire, const List& list) {
  Put(wire, uint64_t{list.size()});
  PutBytes(wire, list.data(), list.size() * sizeof(*list.data()));
}

template <class List>
void TakeList(Rest& wire, List& list) {
  uint64_t count = 0;
  Take(wire, count);
  const Rest bytes = TakeBytes(wire, count * sizeof(*list.data()));
  list.resize(count);
  if (count > 0) std::memcpy(list.data(), bytes.data(), bytes.size());
}

struct PutHeld {
  Wire& wire;
  void operator()(std::monostate) const {}
  void operator()(const std::string& text) const { PutList(wire, text); }
  void operator()(const TensorValue& tensor) const {
    PutNumber(wire, tensor.dtype);
    PutList(wire, tensor.sizes);
    PutList(wire, tensor.bytes);
  }
  void operator()(Plain auto number) const { PutNumber(wire, number); }
};

struct TakeHeld {
  Rest& wire;
  void operator()(std::monostate) const {}
  void operator()(std::string& text) const { TakeList(wire, text); }
  void operator()(TensorValue& tensor) const {
    TakeNumber(wire, tensor.dtype);
    TakeList(wire, tensor.sizes);
    TakeList(wire, tensor.bytes);
  }
  void operator()(Plain auto& number) const { TakeNumber(wire, number); }
};

// A Datum that holds the alternative of that number.
template <size_t kIndex = 0>
Datum EmptyDatum(uint64_t index) {
  if constexpr (kIndex == std::variant_size_v<Datum>) {
    std::abort();
  } else {
    return index == kIndex ? Datum(std::in_place_index<kIndex>) : EmptyDatum<kIndex + 1>(index);
  }
}

void PutData(Wire& wire, const std::vector<Datum>& data) {
  Put(wire, uint64_t{data.size()});
  for (const Datum& datum : data) {
    Put(wire, uint64_t{datum.index()});
    std::visit(PutHeld{wire}, datum);
  }
}

void TakeData(Rest& wire, std::vector<Datum>& data) {
  uint64_t count = 0;
  for (Take(wire, count); count > 0; --count) {
    uint64_t index = 0;
    Take(wire, index);
    std::visit(TakeHeld{wire}, data.emplace_back(EmptyDatum(index)));
  }
}

}  // namespace

void Put(Wire& wire, uint64_t number) {
  PutNumber(wire, number);
}

void Take(Rest& wire, uint64_t& number) {
  TakeNumber(wire, number);
}

void Put(Wire& wire, const Job& job) {
  PutList(wire, job.program);
  PutList(wire, job.data);
  PutNumber(wire, job.banks);
  PutNumber(wire, job.loads_all_first);
  Put(wire, uint64_t{job.calls.size()});
  for (const Call& call : job.calls) {
    PutList(wire, call.method);
    PutData(wire, call.inputs);
  }
  PutNumber(wire, job.count);
}

void Take(Rest& wire, Job& job) {
  TakeList(wire, job.program);
  TakeList(wire, job.data);
  TakeNumber(wire, job.banks);
  TakeNumber(wire, job.loads_all_first);
  uint64_t count = 0;
  for (Take(wire, count); count > 0; --count) {
    Call& call = job.calls.emplace_back();
    TakeList(wire, call.method);
    TakeData(wire, call.inputs);
  }
  TakeNumber(wire, job.count);
}

void Put(Wire& wire, const Outcome& outcome) {
  PutData(wire, outcome.outputs);
  PutList(wire, outcome.error);
}

void Take(Rest& wire, Outcome& outcome) {
  TakeData(wire, outcome.outputs);
  TakeList(wire, outcome.error);
}

}  // namespace pteproof::witness
