/* Checks the memory plan of a program, by the C interface:
 *
 *   cc -std=c11 check_plan.c $(pkg-config --cflags --libs pteproof) -o check_plan
 *   ./check_plan model.pte
 */
#include <inttypes.h>
#include <pteproof/pteproof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file, which the caller frees; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char *data = NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    long end = ftell(file);
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0) data = malloc((size_t)end + 1);
    if (data != NULL) *size = fread(data, 1, (size_t)end, file);
  }
  fclose(file);
  return data;
}

static void print(pteproof_bytes text, FILE *to) {
  if (text.size > 0) fwrite(text.data, 1, text.size, to);
}

static void tell(void *user, const char *stage, size_t done, size_t of) {
  fprintf(user, "%s %zu of %zu\n", stage, done, of);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: check_plan MODEL.pte\n");
    return PTEPROOF_USAGE;
  }
  size_t size = 0;
  char *data = read_file(argv[1], &size);
  if (data == NULL) {
    fprintf(stderr, "check_plan: '%s' cannot be read\n", argv[1]);
    return PTEPROOF_UNREADABLE;
  }
  const char *options = "{\"verb\": \"check\", \"files\": \"<model>\", \"policy\": \"share-all\"}";
  const pteproof_settings settings = {sizeof settings, tell, stderr};
  pteproof_call *call = NULL;
  int32_t code = pteproof_call_make(options, strlen(options), &settings, &call);
  if (code == 0) code = pteproof_call_lend(call, "<model>", data, size);
  if (code == 0) code = pteproof_call_run(call);
  print(pteproof_call_output(call), stdout);
  print(pteproof_call_complaints(call), stderr);
  pteproof_call_free(call);
  free(data);
  return code;
}
