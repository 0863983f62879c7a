// What AddressSanitizer does by default in the targets and tools that are linked with this; the
// environment's ASAN_OPTIONS go first.
extern "C" const char* __asan_default_options();

// No input's memory is used by a later one: a short quarantine finds as much, and stays in the
// cache. Who allocated what is half of the time, and of use only where something was found:
// malloc_context_size=30 shows it.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=8:malloc_context_size=1";
}
