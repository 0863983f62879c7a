// The C interface: a verb of the command `pteproof`, run inside this process on a thread of its
// own. What the command would read from files may lie in the caller's memory, and what it would
// write is handed back.
//
//   const char *options = "{\"verb\": \"check\", \"files\": [\"m.pte\"], \"json\": true}";
//   pteproof_call *call = NULL;
//   int32_t code = pteproof_call_make(options, strlen(options), NULL, &call);
//   if (code == 0) code = pteproof_call_lend(call, "m.pte", data, size);
//   if (code == 0) code = pteproof_call_run(call);      // PTEPROOF_SAFE, PTEPROOF_UNSAFE, ...
//   pteproof_bytes report = pteproof_call_output(call);  // JSON
//   pteproof_call_free(call);
//
// Codes. A function that returns int32_t without another word returns PTEPROOF_SAFE (0) when it has
// done its work, else PTEPROOF_USAGE (a null pointer, options that are not understood, a call in
// the wrong state) or PTEPROOF_NO_MEMORY. No exception and no signal comes out of any function.
//
// Ownership. A call belongs to who made it, until pteproof_call_free. What was lent to it is read
// in place and must stay as it is until the call is freed; names and options are copied. What a
// call hands back lives as long as the call.
//
// Threads. Calls are independent of each other. Of one call, wait and stop may be used by any
// thread at any time; all else by one thread at a time.
//
// Versions. Functions are never taken away or changed under one PTEPROOF_ABI. Structs begin with
// their size, so that a later library knows what an earlier caller has.
#ifndef PTEPROOF_PTEPROOF_H_
#define PTEPROOF_PTEPROOF_H_

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define PTEPROOF_API __declspec(dllexport)
#else
#define PTEPROOF_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PTEPROOF_ABI 1

// The exit codes of the command (docs/reference/exit-codes.md), and three that it does not need.
enum {
  PTEPROOF_SAFE = 0,         // and of other verbs: done
  PTEPROOF_UNSAFE = 1,       // and: differs, refuted, no plan
  PTEPROOF_MALFORMED = 2,    // a file is damaged
  PTEPROOF_UNDECIDED = 3,    // or it depends on the loader
  PTEPROOF_USAGE = 64,       // wrong options
  PTEPROOF_UNREADABLE = 66,  // a file that cannot be read
  PTEPROOF_NO_SOLVER = 69,   // it needs Z3, which cannot be opened
  PTEPROOF_INTERNAL = 70,    // a mistake of pteproof
  PTEPROOF_NO_MEMORY = 71,   // the command: 70
  PTEPROOF_STOPPED = 130     // by pteproof_call_stop
};

typedef struct pteproof_call pteproof_call;

// `data` may be null where `size` is 0. Text is UTF-8 and does not end in a zero.
typedef struct pteproof_bytes {
  const void* data;
  size_t size;
} pteproof_bytes;

typedef struct pteproof_settings {
  size_t size;  // sizeof(pteproof_settings)
  // Told how far the call has come, on the call's thread: "checked" 3 of 12; `of` 0: unknown. The
  // text lives until it returns. Of the call it may use pteproof_call_stop alone. May be null.
  void (*progress)(void* user, const char* stage, size_t done, size_t of);
  void* user;
} pteproof_settings;

// The PTEPROOF_ABI of the library, and its version, "1.2.3".
PTEPROOF_API int32_t pteproof_abi(void);
PTEPROOF_API const char* pteproof_version(void);

// Makes a call of a JSON object: `verb`, `files` (a name or a list of names), and the verb's flags
// by their long names, with a string, a number, true, or a list of them:
//
//   {"verb": "check", "files": ["a.pte", "b.pte"], "policy": "share-all", "json": true}
//
// false and null leave a flag out. `settings` may be null. `*call` is null unless 0 is returned.
PTEPROOF_API int32_t pteproof_call_make(const char* options, size_t size,
                                        const pteproof_settings* settings, pteproof_call** call);
// The same of words, as they follow `pteproof` on a command line.
PTEPROOF_API int32_t pteproof_call_make_of_words(const char* const* words, size_t count,
                                                 const pteproof_settings* settings,
                                                 pteproof_call** call);

// Before the call starts. The bytes are the content of the file of that name.
PTEPROOF_API int32_t pteproof_call_lend(pteproof_call* call, const char* name, const void* data,
                                        size_t size);
// Before the call starts. The file of that name is kept in memory instead of being written.
PTEPROOF_API int32_t pteproof_call_keep(pteproof_call* call, const char* name);

// Starts the call, once.
PTEPROOF_API int32_t pteproof_call_start(pteproof_call* call);
// Waits at most so long, for ever if it is negative. Returns 1 if the call has ended, else 0.
PTEPROOF_API int32_t pteproof_call_wait(pteproof_call* call, int64_t milliseconds);
// Asks a call that runs to end soon; it ends with PTEPROOF_STOPPED, if it has not ended before.
PTEPROOF_API void pteproof_call_stop(pteproof_call* call);
// Starts the call, waits for its end, and returns its code.
PTEPROOF_API int32_t pteproof_call_run(pteproof_call* call);

// Of a call that has ended: its code. PTEPROOF_USAGE if it has not.
PTEPROOF_API int32_t pteproof_call_code(const pteproof_call* call);
// Of a call that has ended: what the command writes to standard output; of a report in JSON, the
// same for people; what it writes to standard error; and what was kept. Empty if it has not ended.
PTEPROOF_API pteproof_bytes pteproof_call_output(const pteproof_call* call);
PTEPROOF_API pteproof_bytes pteproof_call_text(const pteproof_call* call);
PTEPROOF_API pteproof_bytes pteproof_call_complaints(const pteproof_call* call);
PTEPROOF_API pteproof_bytes pteproof_call_kept(const pteproof_call* call, const char* name);
// Of a call that has ended: 1 if a manifest is wrong or of another program, else 0.
PTEPROOF_API int32_t pteproof_call_has_wrong_manifest(const pteproof_call* call);

// Stops the call if it runs, waits for its end, and frees it. Null: does nothing.
PTEPROOF_API void pteproof_call_free(pteproof_call* call);

// Paths and names of Z3's library to try, in order, before the first proof; without it libz3.so.4
// and libz3.so, on macOS libz3.4.dylib and libz3.dylib, on Windows libz3.dll. Z3 is opened when it
// is first needed.
PTEPROOF_API int32_t pteproof_look_for_solver(const char* const* candidates, size_t count);
// Opens it now. The path or name that was opened; null: none can be. Lives as long as the library.
PTEPROOF_API const char* pteproof_solver(void);

// The command itself, with the streams and signals of the process. Returns its exit code.
PTEPROOF_API int32_t pteproof_main(const char* const* words, size_t count);

#ifdef __cplusplus
}
#endif

#endif  // PTEPROOF_PTEPROOF_H_
