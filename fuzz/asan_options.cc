// What AddressSanitizer does by default in the targets and tools that are linked with this; the
// environment's ASAN_OPTIONS go first.
extern "C" const char* __asan_default_options();

// No input's memory is used by a later one: a short quarantine finds as much, and stays in the
// cache.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=8:malloc_context_size=8";
}
