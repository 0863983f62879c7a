// What AddressSanitizer does by default in the targets and tools that are linked with this; the
// environment's ASAN_OPTIONS go first.
extern "C" const char* __asan_default_options();

// No input's memory is used by a later one: a short quarantine finds as much, and stays in the
// cache, which is a quarter of the time. So are frames that outlive their calls; the tests, which
// replay all corpora, have them. Who allocated what is half, and of use only where something was
// found: malloc_context_size=30 shows it.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=1:"
         "detect_stack_use_after_return=0";
}
