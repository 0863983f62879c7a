// Convolutions of float32: pieces of rows, for several channels at a time.
#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/kernels/convolution.h"

namespace pteproof::kernels {
namespace {

// The part of a row, from `first` on, that place `c` of the kernel reaches inside of the image.
Inside ReachedBy(const Window& window, int64_t c, int64_t first, int64_t count, int64_t size) {
  const int64_t start = window.Start(1, first) + c * window.dilation[1];
  const int64_t stride = window.stride[1];
  Inside inside;
  inside.first = start >= 0 ? 0 : (stride - 1 - start) / stride;
  inside.end = start >= size ? 0 : std::min(count, (size - start + stride - 1) / stride);
  return inside;
}

// A piece of a row of the result, for some neighbouring channels of one group.
struct Piece {
  int64_t n = 0;
  int64_t channel = 0;
  int64_t channels = 1;
  int64_t y = 0;
  int64_t first = 0;
  int64_t count = 0;
};

template <size_t kChannels>
using RowSums = std::array<std::array<float, kBlock>, kChannels>;

// Adds neighbours of the input, `step` bytes apart, times a factor for each channel.
template <size_t kChannels>
void AddRow(const std::array<float, kChannels>& factors, const std::byte* from, int64_t step,
            const Inside& part, RowSums<kChannels>& sums) {
  std::array<float, kBlock> row;
  const int64_t count = part.end - part.first;
  LoadBlock(ScalarType::kFloat32, from, step, count, row.data());
  for (size_t k = 0; k < kChannels; ++k) {
    float* to = sums[k].data() + part.first;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) to[i] += factors[k] * row[i];
  }
}

// float32 only. Channels that are not there have factors of 0.
template <size_t kChannels>
void ConvolvePiece(const Images& images, const Convolution& convolution, const Piece& piece) {
  const auto& [input, weight, out, bias] = images;
  const Window& window = convolution.window;
  const int64_t inputs = weight.sizes[1];
  const int64_t first_input = piece.channel / (out.sizes[1] / convolution.groups) * inputs;
  const auto channels = static_cast<size_t>(piece.channels);
  RowSums<kChannels> sums = {};
  for (size_t k = 0; k < channels; ++k) {
    sums[k].fill(BiasOf<float>(images, piece.channel + static_cast<int64_t>(k)));
  }
  const int64_t top = window.Start(0, piece.y);
  const Inside rows = InsideOf(window, 0, top, input.sizes[2]);
  for (int64_t i = 0; i < inputs; ++i) {
    for (int64_t r = rows.first; r < rows.end; ++r) {
      const int64_t from_y = top + r * window.dilation[0];
      for (int64_t c = 0; c < window.kernel[1]; ++c) {
        const Inside part = ReachedBy(window, c, piece.first, piece.count, input.sizes[3]);
        if (part.first >= part.end) continue;
        const int64_t from_x = window.Start(1, piece.first + part.first) + c * window.dilation[1];
        std::array<float, kChannels> factors = {};
        for (size_t k = 0; k < channels; ++k) {
          const int64_t channel = piece.channel + static_cast<int64_t>(k);
          std::memcpy(&factors[k], PixelOf(weight, channel, i, r, c), sizeof(float));
        }
        AddRow<kChannels>(factors, PixelOf(input, piece.n, first_input + i, from_y, from_x),
                          window.stride[1] * input.strides[3], part, sums);
      }
    }
  }
  for (size_t k = 0; k < channels; ++k) {
    StoreBlock(out.dtype, sums[k].data(), piece.count,
               PixelOf(out, piece.n, piece.channel + static_cast<int64_t>(k), piece.y, piece.first),
               out.strides[3]);
  }
}

// Without neighbours an image is one long row.
void JoinRows(Images& images, const Convolution& convolution) {
  const Window& window = convolution.window;
  const bool pointwise =
      window.kernel == Pair{1, 1} && window.stride == Pair{1, 1} && window.padding == Pair{0, 0};
  const auto joins = [](const Region& image) {
    return image.strides[2] == image.sizes[3] * image.strides[3];
  };
  if (!pointwise || !joins(images.input) || !joins(images.out)) return;
  for (Region* image : {&images.input, &images.out}) {
    image->sizes[3] *= image->sizes[2];
    image->sizes[2] = 1;
  }
}

template <size_t kChannels>
void ConvolveTogether(Images images, const Convolution& convolution) {
  JoinRows(images, convolution);
  const Region& out = images.out;
  const int64_t outputs = out.sizes[1] / convolution.groups;
  constexpr auto kTogether = static_cast<int64_t>(kChannels);
  Piece piece;
  for (piece.n = 0; piece.n < out.sizes[0]; ++piece.n) {
    for (piece.channel = 0; piece.channel < out.sizes[1]; piece.channel += piece.channels) {
      piece.channels = std::min(kTogether, outputs - piece.channel % outputs);
      for (piece.y = 0; piece.y < out.sizes[2]; ++piece.y) {
        for (piece.first = 0; piece.first < out.sizes[3]; piece.first += kBlock) {
          piece.count = std::min(kBlock, out.sizes[3] - piece.first);
          ConvolvePiece<kChannels>(images, convolution, piece);
        }
      }
    }
  }
}

}  // namespace

// Where each channel has a group of its own there are none to take together.
void ConvolveSingle(const Images& images, const Convolution& convolution) {
  if (images.out.sizes[1] == convolution.groups) {
    ConvolveTogether<1>(images, convolution);
  } else {
    ConvolveTogether<4>(images, convolution);
  }
}

}  // namespace pteproof::kernels
