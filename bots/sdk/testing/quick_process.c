/* A process bot that plays random legal moves immediately, to measure the host's cost per ply. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 17];

int main(void) {
  uint64_t state = 1;
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "uci\n", 4) == 0) {
      puts("id name quick\noption name UCI_Variant type combo default tri-d var tri-d "
           "var triumvirate var three-way\n"
           "option name LegalMoves type check default false\nuciok");
    } else if (strncmp(line, "isready", 7) == 0) {
      puts("readyok");
    } else if (strncmp(line, "quit", 4) == 0) {
      return 0;
    } else if (strncmp(line, "go", 2) == 0) {
      const char *legal = strstr(line, " legal ") + 7;
      size_t count = 1;
      for (const char *c = legal; *c; ++c) count += *c == ' ';
      state = state * 6364136223846793005u + 1442695040888963407u;
      for (size_t skip = (state >> 33) % count; skip > 0; --skip) legal = strchr(legal, ' ') + 1;
      printf("bestmove %.*s\n", (int)strcspn(legal, " \n"), legal);
    }
    fflush(stdout);
  }
  return 0;
}
