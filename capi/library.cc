// The functions of include/pteproof/pteproof.h: each checks its pointers, and lets no exception
// out.
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/call.h"
#include "capi/options.h"
#include "capi/z3_library.h"
#include "cli/arguments/whole_command.h"
#include "pteproof/pteproof.h"
#include "pteproof/version.h"

struct pteproof_call : pteproof::capi::Call {
  using Call::Call;
};

namespace pteproof::capi {
namespace {

// Runs `work`, which returns a code.
template <class Work>
int32_t Guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return PTEPROOF_NO_MEMORY;
  } catch (const std::length_error&) {
    return PTEPROOF_NO_MEMORY;
  } catch (const std::exception&) {  // no thread can be started
    return PTEPROOF_INTERNAL;
  }
}

// `all` null is a list only if it is empty.
bool Take(const char* const* all, size_t count, std::vector<std::string>& words) {
  if (all == nullptr) return count == 0;
  for (size_t i = 0; i < count; ++i) {
    if (all[i] == nullptr) return false;
    words.emplace_back(all[i]);
  }
  return true;
}

int32_t Make(std::vector<std::string> words, const pteproof_settings* settings,
             pteproof_call** call) {
  auto made = std::make_unique<pteproof_call>(std::move(words));
  if (settings != nullptr) {
    if (settings->size < sizeof(pteproof_settings)) return PTEPROOF_USAGE;
    if (settings->progress != nullptr) {
      made->hosted.progress = [tell = settings->progress, user = settings->user](
                                  std::string_view stage, size_t done, size_t of) {
        tell(user, std::string(stage).c_str(), done, of);
      };
    }
  }
  *call = made.release();
  return PTEPROOF_SAFE;
}

pteproof_bytes BytesOf(const std::string& text) {
  return {text.data(), text.size()};
}

// What a call that has ended holds.
pteproof_bytes After(const pteproof_call* call, std::string Hosted::* what) {
  if (call == nullptr || !call->HasEnded()) return {nullptr, 0};
  return BytesOf(call->hosted.*what);
}

bool IsWaiting(const pteproof_call* call) {
  return call != nullptr && !call->HasStarted();
}

}  // namespace
}  // namespace pteproof::capi

namespace capi = pteproof::capi;

int32_t pteproof_abi() {
  return PTEPROOF_ABI;
}

const char* pteproof_version() {
  static const std::string version(pteproof::Version());
  return version.c_str();
}

int32_t pteproof_call_make(const char* options, size_t size, const pteproof_settings* settings,
                           pteproof_call** call) {
  if (call == nullptr) return PTEPROOF_USAGE;
  *call = nullptr;
  if (options == nullptr) return PTEPROOF_USAGE;
  return capi::Guarded([&] {
    auto words = capi::WordsOf({options, size});
    if (!words) return int32_t{PTEPROOF_USAGE};
    return capi::Make(std::move(*words), settings, call);
  });
}

int32_t pteproof_call_make_of_words(const char* const* words, size_t count,
                                    const pteproof_settings* settings, pteproof_call** call) {
  if (call == nullptr) return PTEPROOF_USAGE;
  *call = nullptr;
  return capi::Guarded([&] {
    std::vector<std::string> taken;
    if (!capi::Take(words, count, taken)) return int32_t{PTEPROOF_USAGE};
    return capi::Make(std::move(taken), settings, call);
  });
}

int32_t pteproof_call_lend(pteproof_call* call, const char* name, const void* data, size_t size) {
  if (!capi::IsWaiting(call) || name == nullptr || (data == nullptr && size > 0)) {
    return PTEPROOF_USAGE;
  }
  return capi::Guarded([&] {
    call->hosted.files[name] = {static_cast<const std::byte*>(data), size};
    return PTEPROOF_SAFE;
  });
}

int32_t pteproof_call_keep(pteproof_call* call, const char* name) {
  if (!capi::IsWaiting(call) || name == nullptr) return PTEPROOF_USAGE;
  return capi::Guarded([&] {
    call->hosted.results[name];
    return PTEPROOF_SAFE;
  });
}

int32_t pteproof_call_start(pteproof_call* call) {
  if (call == nullptr) return PTEPROOF_USAGE;
  return capi::Guarded([&] { return call->Start() ? PTEPROOF_SAFE : PTEPROOF_USAGE; });
}

int32_t pteproof_call_wait(pteproof_call* call, int64_t milliseconds) {
  if (call == nullptr || !call->HasStarted()) return 0;
  if (milliseconds < 0) {
    call->WaitForEnd();
    return 1;
  }
  constexpr int64_t kYear = 365LL * 24 * 3600 * 1000;  // what a clock can add
  return call->Wait(std::chrono::milliseconds(std::min(milliseconds, kYear))) ? 1 : 0;
}

void pteproof_call_stop(pteproof_call* call) {
  if (call == nullptr) return;
  capi::Guarded([&] {
    call->Stop();
    return PTEPROOF_SAFE;
  });
}

int32_t pteproof_call_run(pteproof_call* call) {
  if (const int32_t code = pteproof_call_start(call); code != PTEPROOF_SAFE) return code;
  call->WaitForEnd();
  return call->code();
}

int32_t pteproof_call_code(const pteproof_call* call) {
  return call != nullptr && call->HasEnded() ? call->code() : PTEPROOF_USAGE;
}

pteproof_bytes pteproof_call_output(const pteproof_call* call) {
  return capi::After(call, &pteproof::Hosted::output);
}

pteproof_bytes pteproof_call_text(const pteproof_call* call) {
  return capi::After(call, &pteproof::Hosted::text);
}

pteproof_bytes pteproof_call_complaints(const pteproof_call* call) {
  return capi::After(call, &pteproof::Hosted::complaints);
}

pteproof_bytes pteproof_call_kept(const pteproof_call* call, const char* name) {
  if (call == nullptr || name == nullptr || !call->HasEnded()) return {nullptr, 0};
  const std::map<std::string, std::string>& kept = call->hosted.results;
  for (const auto& [known, content] : kept) {
    if (known == name) return capi::BytesOf(content);
  }
  return {nullptr, 0};
}

int32_t pteproof_call_has_wrong_manifest(const pteproof_call* call) {
  return call != nullptr && call->HasEnded() && call->hosted.wrong_manifest ? 1 : 0;
}

void pteproof_call_free(pteproof_call* call) {
  delete call;
}

int32_t pteproof_look_for_solver(const char* const* candidates, size_t count) {
  return capi::Guarded([&] {
    std::vector<std::string> taken;
    if (!capi::Take(candidates, count, taken)) return PTEPROOF_USAGE;
    capi::LookForZ3In(std::move(taken));
    return PTEPROOF_SAFE;
  });
}

const char* pteproof_solver() {
  const char* opened = nullptr;
  capi::Guarded([&] {
    opened = capi::OpenedZ3().c_str();
    return PTEPROOF_SAFE;
  });
  return opened;
}

int32_t pteproof_main(const char* const* words, size_t count) {
  return capi::Guarded([&] {
    std::vector<std::string> taken;
    if (!capi::Take(words, count, taken)) return int32_t{PTEPROOF_USAGE};
    return static_cast<int32_t>(pteproof::RunCommand(taken));
  });
}
