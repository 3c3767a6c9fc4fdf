// The seconds simdjson takes to parse a file into its DOM: FILE COUNT. Its buffers are kept from one parse to the next.
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    simdjson::padded_string text;
    if (simdjson::padded_string::load(arguments[1]).get(text)) return 1;
    simdjson::dom::parser parser;
    const long runs = std::atol(arguments[2]);
    for (int warm = 0; warm < 3; warm++) {
        if (parser.parse(text).error()) return 1;
    }
    const double start = now();
    for (long run = 0; run < runs; run++) {
        if (parser.parse(text).error()) return 1;
    }
    std::printf("%.12f\n", (now() - start) / double(runs));
}
