// Convolutions of float32: products of the weight with what the places of the result see of the
// input, which is laid out panel by panel; where each channel has a group of its own, weighted
// rows.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "base/checked_math.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/image/convolution.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

constexpr auto kPixelBytes = static_cast<int64_t>(sizeof(float));

// Channels of an image with their padding, each padded row taken apart into every stride-th pixel:
// what one place of the kernel sees for neighbours in the result lies side by side.
//
//   stride 2, padding 1:   0 a b c d 0   ->   0 b d | a c 0
//
// An image without padding that is taken pixel by pixel is that already.
struct SeenImage {
  CheckedPointer data;
  int64_t channel = 0;  // bytes from one channel to the next
  int64_t row = 0;      // from a row of the image to the next
  int64_t part = 0;     // from one part of a row to the next

  // What place (r, c) of the kernel sees in channel i for the result's first pixel.
  [[nodiscard]] CheckedPointer At(const Window& window, int64_t i, int64_t r, int64_t c) const {
    const CheckedPointer first = data + i * channel + r * window.dilation[0] * row;
    const int64_t across = c * window.dilation[1];
    const int64_t stride = window.stride[1];
    if (stride == 1) return first + across * kPixelBytes;
    return first + across % stride * part + across / stride * kPixelBytes;
  }
  // Bytes from there to the first pixel of row y.
  [[nodiscard]] int64_t Down(const Window& window, int64_t y) const {
    return y * window.stride[0] * row;
  }
};

// The images of one batch, channel by channel or a group at a time, as they are seen.
class Seen {
 public:
  Seen(const Region& input, const Window& window) : input_(input), window_(window) {}

  // Memory for so many channels at a time. False: there is not enough.
  [[nodiscard]] bool Prepare(int64_t channels, Scratch& scratch) {
    is_seen_as_is_ =
        window_.padding == Pair{0, 0} && window_.stride[1] == 1 && input_.strides[3] == kPixelBytes;
    if (is_seen_as_is_) return true;
    // Far more floats than networks have here: where there are more, the way of other types does.
    constexpr int64_t kMost = int64_t{1} << 26;
    const int64_t stride = window_.stride[1];
    height_ = input_.sizes[2] + 2 * window_.padding[0];
    part_ = (input_.sizes[3] + 2 * window_.padding[1] + stride - 1) / stride;
    const auto row = CheckedMul(part_, stride);
    const auto size = row ? CheckedMul(*row, height_) : std::nullopt;
    const auto floats = size ? CheckedMul(*size, channels) : std::nullopt;
    if (!floats || *floats > kMost) return false;
    padded_ =
        MemoryExtent(scratch.Lend(static_cast<size_t>(*floats * kPixelBytes)), &scratch.work());
    return padded_.size() > 0 || *floats == 0;
  }

  // Channels [first, first + count) of image n.
  [[nodiscard]] SeenImage Channels(int64_t n, int64_t first, int64_t count) const {
    if (is_seen_as_is_) {
      return {PixelOf(input_, n, first, 0, 0), input_.strides[1], input_.strides[2], 0};
    }
    const int64_t part = part_ * kPixelBytes;
    const int64_t row = part * window_.stride[1];
    const SeenImage seen = {CheckedPointer(padded_), row * height_, row, part};
    if (count * seen.channel == 0) return seen;
    std::memset(seen.data.Write(1, 1, count * seen.channel), 0,
                static_cast<size_t>(count * seen.channel));
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t y = 0; y < input_.sizes[2]; ++y) {
        const CheckedPointer to =
            seen.data + i * seen.channel + (y + window_.padding[0]) * seen.row;
        TakeApart(PixelOf(input_, n, first + i, y, 0), to);
      }
    }
    return seen;
  }

 private:
  void TakeApart(CheckedPointer from, CheckedPointer to) const {
    const int64_t stride = window_.stride[1];
    for (int64_t p = 0; p < std::min(stride, input_.sizes[3]); ++p) {
      const int64_t padded = p + window_.padding[1];
      const CheckedPointer first = to + (padded % stride * part_ + padded / stride) * kPixelBytes;
      CopyPixels(from + p * input_.strides[3], stride * input_.strides[3],
                 (input_.sizes[3] - p + stride - 1) / stride, first);
    }
  }

  static void CopyPixels(CheckedPointer from_place, int64_t step, int64_t count,
                         CheckedPointer to_place) {
    const std::byte* from = from_place.Read(sizeof(float), step, count);
    std::byte* to = to_place.Write(sizeof(float), kPixelBytes, count);
    if (step == kPixelBytes) {
      std::memcpy(to, from, static_cast<size_t>(count * kPixelBytes));
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * kPixelBytes, from + i * step, sizeof(float));
    }
  }

  const Region& input_;
  const Window& window_;
  bool is_seen_as_is_ = false;
  int64_t height_ = 0;
  int64_t part_ = 0;  // floats of a part of a row
  MemoryExtent padded_;
};

// --- Each channel by itself.

// Adds what the kernel's places, some at a time, see for pixels of a row.
void WeighPlaces(const SeenImage& seen, const Images& images, const Window& window, int64_t channel,
                 int64_t y, int64_t first, int64_t count, float* sums) {
  constexpr int64_t kTogether = 32;
  std::array<const std::byte*, kTogether> rows;
  std::array<float, kTogether> factors;
  const int64_t places = window.kernel[0] * window.kernel[1];
  for (int64_t done = 0; done < places; done += kTogether) {
    const int64_t taps = std::min(kTogether, places - done);
    for (int64_t t = 0; t < taps; ++t) {
      const int64_t r = (done + t) / window.kernel[1];
      const int64_t c = (done + t) % window.kernel[1];
      const CheckedPointer row =
          seen.At(window, 0, r, c) + seen.Down(window, y) + first * kPixelBytes;
      rows[static_cast<size_t>(t)] = row.Read(sizeof(float), kPixelBytes, count);
      factors[static_cast<size_t>(t)] =
          LoadOne<float>(ScalarType::kFloat32, PixelOf(images.weight, channel, 0, r, c));
    }
    BestRoutines().weigh(rows.data(), factors.data(), taps, count, sums);
  }
}

bool ConvolveChannels(const Images& images, const Window& window, Scratch& scratch) {
  const Region& out = images.out;
  Seen seen(images.input, window);
  if (!seen.Prepare(1, scratch)) return false;
  std::array<float, kBlock> sums;
  for (int64_t n = 0; n < out.sizes[0]; ++n) {
    for (int64_t channel = 0; channel < out.sizes[1]; ++channel) {
      const SeenImage image = seen.Channels(n, channel, 1);
      const auto bias = BiasOf<float>(images, channel);
      for (int64_t y = 0; y < out.sizes[2]; ++y) {
        for (int64_t first = 0; first < out.sizes[3]; first += kBlock) {
          const int64_t count = std::min(kBlock, out.sizes[3] - first);
          std::fill_n(sums.begin(), count, bias);
          WeighPlaces(image, images, window, channel, y, first, count, sums.data());
          StoreBlock(out.dtype, sums.data(), count, PixelOf(out, n, channel, y, first),
                     out.strides[3]);
        }
      }
    }
  }
  return true;
}

// --- Groups of channels: products.

// A product's right factor has a column for each pixel of the result, and a row for each place of
// the kernel in each channel.
struct GroupProduct {
  const Images& images;
  const Window& window;
  SeenImage seen;
  CallWork& work;
  int64_t inner = 0;  // products for each sum
  int64_t n = 0;
  int64_t first_channel = 0;  // of the result
};

// Pixels of one row of the result that lie side by side in a panel.
struct PixelRun {
  int64_t at = 0;      // the first one's column of the panel
  int64_t offset = 0;  // bytes from what is seen for the result's first pixel
  int64_t count = 0;
};

constexpr int64_t kMostWidth = 32;  // of a panel

void FetchPixels(const void* context, int64_t column, int64_t columns, int64_t width,
                 float* panel) {
  const auto& [images, window, seen, work, inner, n, first_channel] =
      *static_cast<const GroupProduct*>(context);
  const int64_t across = images.out.sizes[3];
  std::array<PixelRun, kMostWidth> runs;
  size_t run_count = 0;
  for (int64_t at = 0; at < columns; at += runs[run_count++].count) {
    const int64_t x = (column + at) % across;
    const int64_t down = seen.Down(window, (column + at) / across);
    runs[run_count] = {at, down + x * kPixelBytes, std::min(columns - at, across - x)};
  }
  for (int64_t i = 0; i < images.weight.sizes[1]; ++i) {
    for (int64_t r = 0; r < window.kernel[0]; ++r) {
      for (int64_t c = 0; c < window.kernel[1]; ++c, panel += width) {
        const CheckedPointer from = seen.At(window, i, r, c);
        for (size_t k = 0; k < run_count; ++k) {
          const CheckedPointer run = from + runs[k].offset;
          CopyFloats(run.Read(sizeof(float), kPixelBytes, runs[k].count), runs[k].count,
                     panel + runs[k].at);
        }
      }
    }
  }
}

void PutPixels(const void* context, const ProductTile& tile) {
  const auto& group = *static_cast<const GroupProduct*>(context);
  const Region& out = group.images.out;
  std::array<float, kMostWidth> row;
  group.work.TakeProduct(tile.rows, group.inner);
  for (int64_t r = 0; r < tile.rows; ++r) {
    const int64_t channel = group.first_channel + tile.row + r;
    const auto bias = BiasOf<float>(group.images, channel);
    for (int64_t c = 0; c < tile.columns; ++c) {
      row[static_cast<size_t>(c)] = tile.sums[r * tile.stride + c] + bias;
    }
    StoreBlock(out.dtype, row.data(), tile.columns,
               PixelOf(out, group.n, channel, 0, 0) + tile.column * out.strides[3], out.strides[3]);
  }
}

// The weight of each channel of the result in one row; a copy where it is not. No data: there is
// not enough memory.
Region WeightInRows(const Region& weight, Scratch& scratch, MemoryExtent& room) {
  const bool in_rows = weight.strides[3] == kPixelBytes &&
                       weight.strides[2] == weight.sizes[3] * weight.strides[3] &&
                       weight.strides[1] == weight.sizes[2] * weight.strides[2];
  if (in_rows) return weight;
  Region copy = weight;
  int64_t stride = kPixelBytes;
  for (size_t d = 4; d-- > 0;) {
    copy.strides[d] = stride;
    stride = WrappedProduct(stride, weight.sizes[d]);
  }
  room = MemoryExtent(scratch.Lend(static_cast<size_t>(stride)), &scratch.work());
  copy.data = room.size() > 0 ? CheckedPointer(room) : CheckedPointer();
  if (copy.data.given()) CopyRegion(weight, copy);
  return copy;
}

bool ConvolveGroups(const Images& images, const Convolution& convolution, Scratch& scratch) {
  const auto& [input, weight, out, bias] = images;
  const Routines& routines = BestRoutines();
  MemoryExtent room;
  const Region rows = WeightInRows(weight, scratch, room);
  Seen seen(input, convolution.window);
  const int64_t outputs = out.sizes[1] / convolution.groups;
  Region row = weight;
  Select(row, 0, 0);
  const int64_t inner = CountIn(row);
  const auto panel = RoomFor<float>(inner, routines.width, scratch);
  if (!rows.data.given() || !panel.given() || !seen.Prepare(weight.sizes[1], scratch)) {
    return false;
  }
  GroupProduct group = {images, convolution.window, {}, scratch.work(), inner};
  ProductJob job = {outputs, out.sizes[2] * out.sizes[3], inner};
  job.left_row = rows.strides[0];
  job.left_step = kPixelBytes;
  job.context = &group;
  job.fetch = FetchPixels;
  job.put = PutPixels;
  job.panel = panel.data();
  for (group.n = 0; group.n < out.sizes[0]; ++group.n) {
    for (int64_t g = 0; g < convolution.groups; ++g) {
      group.seen = seen.Channels(group.n, g * weight.sizes[1], weight.sizes[1]);
      group.first_channel = g * outputs;
      const CheckedPointer left = rows.data + group.first_channel * rows.strides[0];
      job.left = left.ReadRows(sizeof(float), kPixelBytes, inner, rows.strides[0], outputs);
      routines.multiply(job);
    }
  }
  return true;
}

// Without neighbours an image is one long row.
void JoinRows(Images& images, const Window& window) {
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

}  // namespace

bool ConvolveSingle(Images images, const Convolution& convolution, Scratch& scratch) {
  JoinRows(images, convolution.window);
  const Region& out = images.out;
  const bool alone = out.sizes[1] == convolution.groups && images.weight.sizes[1] == 1;
  if (alone) return ConvolveChannels(images, convolution.window, scratch);
  const bool pixels_in_row = out.sizes[2] == 1 || out.strides[2] == out.sizes[3] * out.strides[3];
  return pixels_in_row && ConvolveGroups(images, convolution, scratch);
}

}  // namespace pteproof::kernels
