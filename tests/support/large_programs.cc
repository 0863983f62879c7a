#include "tests/support/large_programs.h"

#include <string>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

constexpr uint64_t kBytes = 16;  // of a tensor of four floats

// An input, a condition that is an input too, and a product that is the output.
struct Branching {
  MethodBuilder b;
  int32_t in = b.Planned(1, 0, {4});
  int32_t out = b.Planned(1, 16, {4});
  int32_t condition = b.Planned(1, 32, {1}, {}, ScalarType::kBool);

  Branching() {
    b.Input(in);
    b.Input(condition);
    b.Output(out);
    b.Mul(in, in, out);
  }
};

// Stores to the states and reads them, each through a place of its own.
void UseStates(MethodBuilder& b, int32_t in, int32_t count) {
  for (int32_t s = 0; s < count; ++s) {
    const int32_t state =
        b.Planned(2, kBytes * static_cast<uint64_t>(s), {4}, "s" + std::to_string(s));
    const int32_t next = b.Planned(1, 32, {4});
    b.Mul(state, in, next);
    b.Copy(state, next);
  }
}

}  // namespace

Method ManyValues(int32_t count) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {4});
  b.Input(in);
  b.Output(out);
  for (int32_t i = 0; i < count; ++i) b.Int(i);
  b.Mul(in, in, out);
  return b.Build();
}

Method LongChain(int32_t count, std::string name) {
  MethodBuilder b(std::move(name));
  int32_t last = b.Planned(1, 0, {4});
  b.Input(last);
  for (int32_t i = 0; i < count; ++i) {
    const int32_t next = b.Planned(1, i % 2 == 0 ? kBytes : 0, {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  return b.Build();
}

Method HugeLists(int32_t count) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(2, 0, {4, count});
  const int32_t dim = b.Int(0);
  b.Input(in);
  b.Output(out);
  const std::vector<int32_t> items(static_cast<size_t>(count), in);
  b.Call("aten::cat.out", {b.TensorList(items), dim, out, out});
  const int32_t ints = b.TensorList(std::vector<int32_t>(static_cast<size_t>(count), dim));
  b.method().values[static_cast<size_t>(ints)].kind = ValueKind::kIntList;
  return b.Build();
}

Method SharedList(int32_t items, int32_t calls) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(2, 0, {4, items});
  b.Input(in);
  b.Output(out);
  const int32_t list = b.TensorList(std::vector<int32_t>(static_cast<size_t>(items), in));
  const int32_t dim = b.Int(0);
  for (int32_t i = 0; i < calls; ++i) b.Call("aten::cat.out", {list, dim, out, out});
  return b.Build();
}

Method ManyViews(int32_t count) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t base = b.Planned(1, 16, {4});
  const int32_t out = b.Planned(1, 32, {4});
  b.Input(in);
  b.Output(out);
  b.Mul(in, in, base);
  for (int32_t i = 0; i < count; ++i) {
    const int32_t view = b.Planned(1, 16, {4});
    b.Mul(view, view, out);
  }
  return b.Build();
}

Method ForwardJumps(int32_t count) {
  Branching m;
  for (int32_t i = 0; i < count; ++i) {
    m.b.JumpFalse(m.condition, m.b.Next() + 2);
    m.b.Mul(m.in, m.out, m.out);
  }
  return m.b.Build();
}

Method NestedLoops(int32_t count) {
  Branching m;
  for (int32_t i = 0; i < count; ++i) m.b.Mul(m.in, m.out, m.out);
  for (int32_t i = 0; i < count; ++i) m.b.JumpFalse(m.condition, count - i);
  return m.b.Build();
}

Method JumpsToTheEnd(int32_t count) {
  Branching m;
  std::vector<int32_t> jumps;
  for (int32_t i = 0; i < count; ++i) {
    jumps.push_back(m.b.JumpFalse(m.condition, 0));
    m.b.Mul(m.in, m.out, m.out);
  }
  for (const int32_t jump : jumps) m.b.SetTarget(jump, m.b.Next());
  return m.b.Build();
}

Method ManyMoves(int32_t count) {
  Branching m;
  MethodBuilder& b = m.b;
  int32_t last = m.in;
  const int32_t never = b.Bool(false);
  for (int32_t i = 0; i < count; ++i) {
    const uint64_t turn = i % 2 == 0 ? 0 : kBytes;
    const int32_t yes = b.Planned(2, 0 + turn, {4});
    const int32_t no = b.Planned(2, 32 + turn, {4});
    const int32_t either = b.Planned(2, 64 + turn, {4});
    const int32_t branch = b.JumpFalse(m.condition, 0);
    b.Mul(last, last, yes);
    b.Move(yes, either);
    const int32_t leave = b.JumpFalse(never, 0);
    b.SetTarget(branch, b.Next());
    b.Mul(last, last, no);
    b.Move(no, either);
    b.SetTarget(leave, b.Next());
    last = either;
  }
  b.Mul(last, last, m.out);
  return b.Build();
}

Method MovesRound(int32_t count) {
  Branching m;
  MethodBuilder& b = m.b;
  std::vector<int32_t> ring;
  for (int32_t i = 0; i < count; ++i) {
    ring.push_back(b.Planned(2, kBytes * static_cast<uint64_t>(i), {4}));
    b.Mul(m.in, m.in, ring.back());
  }
  const int32_t start = b.Next();
  for (size_t i = 1; i < ring.size(); ++i) b.Move(ring[i], ring[i - 1]);
  b.Move(ring.front(), ring.back());
  b.JumpFalse(m.condition, start);
  b.Mul(ring.front(), ring.front(), m.out);
  return b.Build();
}

Method UnwrittenOverlaps(int32_t count) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(2, 0, {1});
  b.Input(in);
  b.Output(out);
  for (int32_t i = 0; i < count; ++i) b.Flip(b.Planned(1, 16, {i + 1}), out);
  return b.Build();
}

Program ManyMethods(int32_t count, int32_t states) {
  std::vector<Method> methods;
  for (int32_t m = 0; m < count; ++m) {
    MethodBuilder b("m" + std::to_string(m));
    const int32_t in = b.Planned(1, 0, {4});
    const int32_t out = b.Planned(1, 16, {4});
    b.Input(in);
    b.Output(out);
    UseStates(b, in, states);
    b.Mul(in, in, out);
    methods.push_back(b.Build());
  }
  return ProgramOf(std::move(methods));
}

}  // namespace pteproof
