// The module pteproof._core: the command called from Python. Its functions are private to the
// package, which gives them arguments, types and words (python/pteproof).
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments/command_line.h"
#include "cli/io/interruption.h"
#include "cli/io/output.h"
#include "cli/io/standard_streams.h"
#include "pteproof/version.h"
#include "python/core/call.h"
#include "python/core/z3_library.h"

namespace nb = nanobind;

namespace pteproof::python {
namespace {

// A buffer of Python's while a call reads it: any thread may give it back.
class LentBuffer {
 public:
  explicit LentBuffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
  }
  ~LentBuffer() {
    const nb::gil_scoped_acquire gil;
    PyBuffer_Release(&view_);
  }
  LentBuffer(const LentBuffer&) = delete;
  LentBuffer& operator=(const LentBuffer&) = delete;

  [[nodiscard]] Bytes bytes() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

// A call with the buffers that it reads.
class PythonCall : public Call {
 public:
  using Buffers = std::vector<std::unique_ptr<LentBuffer>>;

  PythonCall(std::vector<std::string> words, Hosted hosted, Buffers buffers)
      : Call(std::move(words), std::move(hosted)), buffers_(std::move(buffers)) {}

  // After it has ended. Of a call that was left behind its thread does so.
  void GiveBack() { buffers_.clear(); }

 private:
  Buffers buffers_;
};

constexpr std::chrono::milliseconds kLook(50);       // between two looks for Ctrl-C
constexpr std::chrono::milliseconds kPatience(500);  // with a call that was asked to end

// Lets Python's other threads run meanwhile. Throws what a signal's handler in Python throws,
// KeyboardInterrupt by default, or TimeoutError after that many seconds (0: none), once the call
// has ended or takes too long to.
void WaitFor(const std::shared_ptr<PythonCall>& call, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point started = Clock::now();
  for (;;) {
    bool ended = false;
    {
      const nb::gil_scoped_release others;
      ended = call->Wait(kLook);
    }
    if (ended) return;
    const std::chrono::duration<double> taken = Clock::now() - started;
    if (PyErr_CheckSignals() == 0) {
      if (seconds == 0 || taken.count() < seconds) continue;
      PyErr_SetString(PyExc_TimeoutError, "the time is over");
    }
    nb::python_error interrupted;
    {
      const nb::gil_scoped_release others;
      Call::Stop(call);
      static_cast<void>(call->Wait(kPatience));
    }
    throw interrupted;
  }
}

nb::bytes BytesOf(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

nb::tuple Run(std::vector<std::string> words, const std::map<std::string, nb::object>& files,
              const std::vector<std::string>& results, double seconds) {
  Hosted hosted;
  PythonCall::Buffers buffers;
  for (const auto& [name, object] : files) {
    buffers.push_back(std::make_unique<LentBuffer>(object));
    hosted.files[name] = buffers.back()->bytes();
  }
  for (const std::string& name : results) hosted.results[name];
  const auto call =
      std::make_shared<PythonCall>(std::move(words), std::move(hosted), std::move(buffers));
  Call::Start(call);
  WaitFor(call, seconds);
  call->GiveBack();
  const Hosted& ended = call->hosted();
  nb::dict kept;
  for (const auto& [name, content] : ended.results) kept[name.c_str()] = BytesOf(content);
  return nb::make_tuple(static_cast<int>(call->end()), static_cast<int>(call->code()), call->why(),
                        BytesOf(ended.output), BytesOf(ended.text), BytesOf(ended.complaints),
                        ended.wrong_manifest, kept);
}

// The command itself, with the process's streams and signals.
int Main(const std::vector<std::string>& words) {
  const nb::gil_scoped_release others;
  HoldClosedStreams();
  WatchForInterruption();
  try {
    CommandLine command_line;
    const ExitCode code = command_line.Run(words);
    if (FlushOutput()) return static_cast<int>(code);
    Complain("the output cannot be written");
  } catch (const NoSolver& none) {
    Complain(none.what());
  } catch (const std::bad_alloc&) {
    Complain("out of memory");
  } catch (const std::length_error&) {
    Complain("out of memory");
  } catch (const std::exception& mistake) {
    Complain(std::string("a mistake of pteproof itself, please report it: ") + mistake.what());
  }
  return static_cast<int>(ExitCode::kInternal);
}

void WaitForCalls() {
  const nb::gil_scoped_release others;
  WaitForAllCalls();
}

}  // namespace
}  // namespace pteproof::python

NB_MODULE(_core, m) {
  namespace py = pteproof::python;
  m.def("run", &py::Run, nb::arg("words"), nb::arg("files"), nb::arg("results"),
        nb::arg("seconds") = 0.0);
  m.def("main", &py::Main, nb::arg("words"));
  m.def("look_for_z3_in", &py::LookForZ3In, nb::arg("candidates"));
  m.def("opened_z3", &py::OpenedZ3);
  m.def("wait_for_calls", &py::WaitForCalls);
  m.attr("version") = std::string(pteproof::Version());
}
