// Discrete Fourier transforms between real and complex tensors. A line of n numbers is split by the
// prime factors of n: p interleaved parts are transformed each, and put together by p sums for each
// place. Cost: n times the sum of n's prime factors, for each line and dimension.
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// The transform of lines of one length, with what it needs.
struct Fourier {
  int64_t size = 0;
  LentNumbers<Complex> roots;  // exp(sign * 2 pi i k / size)
  LentNumbers<Complex> from;   // a line
  LentNumbers<Complex> to;     // its transform
  LentNumbers<Complex> terms;  // those of one place
  CallWork* work = nullptr;
};

bool PrepareFourier(int64_t size, double sign, Scratch& scratch, Fourier& fourier) {
  const auto memory = RoomFor<Complex>(4, size, scratch);
  if (!memory.given()) return false;
  const auto part = [&](int64_t i) { return memory.Part(i * size, size); };
  fourier = {size, part(0), part(1), part(2), part(3), &scratch.work()};
  for (int64_t k = 0; k < size; ++k) {
    fourier.work->Pass();
    const double turn = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size);
    fourier.roots[k] = {std::cos(turn), sign * std::sin(turn)};
  }
  return true;
}

int64_t LeastFactorOf(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// Transforms every `step`-th number from `first` on to n numbers at `to`; n * step is the size.
// Recursive: as deep as the size has prime factors.
void TransformPart(const Fourier& by, int64_t first, int64_t step, int64_t n,
                   const LentNumbers<Complex>& to) {
  if (n == 1) {
    by.work->Pass();
    to[0] = by.from[first];
    return;
  }
  const int64_t p = LeastFactorOf(n);
  const int64_t part = n / p;
  for (int64_t k = 0; k < p; ++k) {
    TransformPart(by, first + k * step, step * p, part, to.Part(k * part, part));
  }
  const Complex* terms = by.terms.Part(0, p).data();
  for (int64_t j = 0; j < part; ++j) {
    for (int64_t k = 0; k < p; ++k) {
      by.work->Pass();
      by.terms[k] = to[k * part + j] * by.roots[j * k * step];
    }
    for (int64_t q = 0; q < p; ++q) {
      by.work->Take(p);
      Complex sum = terms[0];
      for (int64_t k = 1; k < p; ++k) {
        by.work->Pass();
        sum += terms[k] * by.roots[k * q % p * (by.size / p)];
      }
      to[q * part + j] = sum;
    }
  }
}

void TransformLine(const Fourier& by) {
  TransformPart(by, 0, 1, by.size, by.to);
}

// Packed numbers: their sizes, and how far apart neighbours are in each dimension.
struct PackedSignal {
  LentNumbers<Complex> numbers;
  Region sizes;  // strides count numbers

  // Calls each(line) for the first number of each line along a dimension.
  template <class Each>
  void ForEachLineAlong(size_t dim, const Each& each) const {
    const int64_t inner = sizes.strides[dim];
    const int64_t size = sizes.sizes[dim];
    const int64_t lines = size == 0 ? 0 : CountIn(sizes) / size;
    for (int64_t i = 0; i < lines; ++i) {
      const int64_t first = i / inner * inner * size + i % inner;
      each(numbers.Part(first, (size - 1) * inner + 1));
    }
  }
};

bool PackSignal(const Region& region, Scratch& scratch, PackedSignal& signal) {
  signal.numbers = Packed<Complex>(region, scratch);
  signal.sizes = region;
  int64_t stride = 1;
  for (size_t d = region.rank; d-- > 0;) {
    signal.sizes.strides[d] = stride;
    stride = WrappedProduct(stride, region.sizes[d]);
  }
  return signal.numbers.given();
}

// The numbers as bytes, beside those of a tensor.
MemoryExtent ExtentOf(const PackedSignal& signal, Scratch& scratch) {
  const std::span<const Complex> numbers(signal.numbers.begin(), signal.numbers.end());
  return {std::as_bytes(numbers), &scratch.work()};
}

// The number so many behind a place.
Complex TermAt(CheckedPointer first, int64_t i) {
  Complex term;
  const CheckedPointer place = first + i * static_cast<int64_t>(sizeof(Complex));
  std::memcpy(&term, place.Read(sizeof(Complex)), sizeof(Complex));
  return term;
}

bool TransformAlong(PackedSignal& signal, size_t dim, double sign, Scratch& scratch) {
  Fourier by;
  if (!PrepareFourier(signal.sizes.sizes[dim], sign, scratch, by)) return false;
  const int64_t stride = signal.sizes.strides[dim];
  signal.ForEachLineAlong(dim, [&](const LentNumbers<Complex>& line) {
    by.work->InPieces(by.size, [&](int64_t first, int64_t count) {
      for (int64_t i = first; i < first + count; ++i) by.from[i] = line[i * stride];
    });
    TransformLine(by);
    by.work->InPieces(by.size, [&](int64_t first, int64_t count) {
      for (int64_t i = first; i < first + count; ++i) line[i * stride] = by.to[i];
    });
  });
  return true;
}

// The dimensions in argument 1.
struct TransformedDims {
  std::array<size_t, kMaxRank> dims = {};
  size_t count = 0;

  [[nodiscard]] size_t last() const { return dims[count - 1]; }
};

KernelStatus TransformedDimsOf(const KernelCall& call, TransformedDims& transformed) {
  const size_t rank = TensorAt(call, 0).rank();
  uint32_t named = 0;
  for (const RunValue* item : call.args[1]->items) {
    const int64_t dim = DimensionOf(item->integer, rank);
    if (dim < 0) return kNoDimension;
    if ((named >> dim & 1) != 0) return "a dimension is named twice";
    named |= 1U << dim;
    transformed.dims[transformed.count++] = static_cast<size_t>(dim);
  }
  if (transformed.count == 0) return "no dimension is named";
  const int64_t normalization = IntAt(call, 2);
  return normalization >= 0 && normalization <= 2 ? nullptr : "the normalization is unknown";
}

// 1, 1 / sqrt(n) or 1 / n for a transform of n numbers.
double NormOf(const KernelCall& call, const Region& whole, const TransformedDims& transformed) {
  double count = 1;
  for (size_t i = 0; i < transformed.count; ++i) {
    count *= static_cast<double>(whole.sizes[transformed.dims[i]]);
  }
  const int64_t normalization = IntAt(call, 2);
  if (normalization == 0) return 1;
  return normalization == 1 ? 1 / std::sqrt(count) : 1 / count;
}

KernelStatus SizesOfRealToComplex(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  TransformedDims transformed;
  if (const KernelStatus status = TransformedDimsOf(call, transformed)) return status;
  int64_t& size = sizes.sizes[transformed.last()];
  if (size == 0) return "a dimension to transform is empty";
  if (IntAt(call, 3) != 0) size = size / 2 + 1;
  return ResizeTo(OutOf(call), sizes);
}

// All terms, of which the first ones are stored.
KernelStatus RealToComplex(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  if (!IsRealType(self.dtype)) return "self must be of floats";
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  TransformedDims transformed;
  if (const KernelStatus status = TransformedDimsOf(call, transformed)) return status;
  PackedSignal signal;
  if (!PackSignal(self, *call.scratch, signal)) return kNoMemory;
  for (size_t i = transformed.count; i-- > 0;) {
    if (!TransformAlong(signal, transformed.dims[i], -1, *call.scratch)) return kNoMemory;
  }
  const double norm = NormOf(call, self, transformed);
  const size_t last = transformed.last();
  Region line = out;
  Select(line, last, 0);
  PackedSignal kept = signal;
  Select(kept.sizes, last, 0);
  const MemoryExtent terms = ExtentOf(signal, *call.scratch);
  kept.sizes.data = CheckedPointer(terms);
  for (size_t d = 0; d < kept.sizes.rank; ++d) kept.sizes.strides[d] *= sizeof(Complex);
  const int64_t stride = signal.sizes.strides[last];
  ForEachPlace(WalkOf(line, kept.sizes), [&](const auto& at) {
    for (int64_t k = 0; k < out.sizes[last]; ++k) {
      const Complex term = TermAt(at[1], k * stride);
      StoreOne(out.dtype, term * norm, at[0] + k * out.strides[last]);
    }
  });
  return nullptr;
}

KernelStatus SizesOfComplexToReal(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  TransformedDims transformed;
  if (const KernelStatus status = TransformedDimsOf(call, transformed)) return status;
  const int64_t wanted = IntAt(call, 3);
  int64_t& size = sizes.sizes[transformed.last()];
  if (wanted < 1 || size != wanted / 2 + 1) return "last_dim_size does not fit self";
  size = wanted;
  return ResizeTo(OutOf(call), sizes);
}

// The second half of a real signal's terms mirrors the first one, conjugated; imaginary parts that
// it cannot have do not count.
void CompleteLine(CheckedPointer half, int64_t stride, const Fourier& by) {
  for (int64_t k = 0; k <= by.size / 2; ++k) {
    const Complex term = TermAt(half, k * stride);
    const bool real = k == 0 || 2 * k == by.size;
    by.from[k] = real ? Complex(term.real()) : term;
    if (!real) by.from[by.size - k] = std::conj(term);
  }
}

KernelStatus ComplexToReal(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  if (!IsComplexType(self.dtype)) return "self must be of complex numbers";
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  TransformedDims transformed;
  if (const KernelStatus status = TransformedDimsOf(call, transformed)) return status;
  PackedSignal signal;
  if (!PackSignal(self, *call.scratch, signal)) return kNoMemory;
  for (size_t i = 0; i + 1 < transformed.count; ++i) {
    if (!TransformAlong(signal, transformed.dims[i], 1, *call.scratch)) return kNoMemory;
  }
  const size_t last = transformed.last();
  Fourier by;
  if (!PrepareFourier(out.sizes[last], 1, *call.scratch, by)) return kNoMemory;
  const double norm = NormOf(call, out, transformed);
  const int64_t stride = signal.sizes.strides[last];
  Region line = out;
  Select(line, last, 0);
  Region halves = signal.sizes;
  Select(halves, last, 0);
  const MemoryExtent terms = ExtentOf(signal, *call.scratch);
  halves.data = CheckedPointer(terms);
  for (size_t d = 0; d < halves.rank; ++d) halves.strides[d] *= sizeof(Complex);
  ForEachPlace(WalkOf(line, halves), [&](const auto& at) {
    CompleteLine(at[1], stride, by);
    TransformLine(by);
    for (int64_t k = 0; k < by.size; ++k) {
      StoreOne(out.dtype, by.to[k].real() * norm, at[0] + k * out.strides[last]);
    }
  });
  return nullptr;
}

constexpr Kernel kFourierKernels[] = {
    {"aten::_fft_r2c.out", SizesOfRealToComplex, RealToComplex},
    {"aten::_fft_c2r.out", SizesOfComplexToReal, ComplexToReal},
};

}  // namespace

std::span<const Kernel> FourierKernels() {
  return kFourierKernels;
}

}  // namespace pteproof::kernels
