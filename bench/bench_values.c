/* What a value costs: made new, found again in the base from a request, and thrown away with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "mangle/value/value.h"
#include "sys/clock.h"

#define SHARED      1000000 /* strings in the base */
#define REQUESTS    20000
#define PER_REQUEST 100 /* values of a request, half of them new */

static double seconds_since(int64_t start)
{
    return (double)(mgi_clock_mono_ns() - start) / 1e9;
}

static void report(const char *what, double seconds, double count)
{
    printf("%-44s %8.1f ns each, %6.2f s\n", what, seconds / count * 1e9, seconds);
}

static mangle_value string_of(mangle_values *t, const char *prefix, int i)
{
    char text[48];
    size_t len = strlen(prefix);
    memcpy(text, prefix, len);
    for (int n = i; n > 0; n /= 10)
        text[len++] = (char)('0' + n % 10);
    return mangle_string(t, text, len);
}

static void fill(mangle_values *t)
{
    int64_t start = mgi_clock_mono_ns();
    for (int i = 1; i <= SHARED; i++)
        string_of(t, "https://example.org/item/", i);
    report("new strings into a base", seconds_since(start), SHARED);
    printf("%-44s %8.1f bytes each\n", "memory", (double)mgi_values_bytes(t) / SHARED);
}

static void find_again(const mangle_values *base)
{
    mangle_values *t = mgi_values_new(base, 0);
    int64_t start = mgi_clock_mono_ns();
    uint32_t at = 1;
    for (int i = 0; i < SHARED; i++) {
        at = at * 1664525u + 1013904223u;
        string_of(t, "https://example.org/item/", 1 + (int)(at % SHARED));
    }
    report("known strings, in random order, by a request", seconds_since(start), SHARED);
    mgi_values_free(t);
}

static void serve(const mangle_values *base)
{
    mangle_values *t = mgi_values_new(base, 0);
    for (int i = 1; i < SHARED / 5; i++) /* one large request: the slots stay many */
        string_of(t, "large", i);
    mgi_values_reset(t);
    int64_t start = mgi_clock_mono_ns();
    for (int r = 0; r < REQUESTS; r++) {
        for (int i = 1; i <= PER_REQUEST; i++)
            string_of(t, i % 2 ? "request" : "https://example.org/item/",
                      r * PER_REQUEST % SHARED + i);
        mgi_values_reset(t);
    }
    report("values of small requests, and their reset", seconds_since(start),
           (double)REQUESTS * PER_REQUEST);
    mgi_values_free(t);
}

static void make_structs(const mangle_values *base)
{
    mangle_values *t = mgi_values_new(base, 0);
    mangle_value labels[8], values[8];
    for (int i = 0; i < 8; i++) {
        char text[16];
        snprintf(text, sizeof text, "/k%d", i);
        labels[i] = mangle_name(t, text, strlen(text));
    }
    int64_t start = mgi_clock_mono_ns();
    for (int i = 0; i < SHARED / 10; i++) {
        for (int k = 0; k < 8; k++)
            values[k] = mangle_number(t, i * 8 + k);
        mangle_struct(t, labels, values, 8);
    }
    report("structs of eight fields", seconds_since(start), SHARED / 10.0);
    mgi_values_free(t);
}

static void print_floats(mangle_values *t)
{
    struct buf out = { 0 };
    int64_t start = mgi_clock_mono_ns();
    for (int i = 0; i < SHARED / 2; i++) {
        mgi_buf_clear(&out);
        mgi_float_print(&out, i * 0.1);
    }
    report("floats printed", seconds_since(start), SHARED / 2.0);
    mgi_buf_clear(&out);
    start = mgi_clock_mono_ns();
    mangle_value s = string_of(t, "https://example.org/item/", 12345);
    for (int i = 0; i < SHARED; i++) {
        mgi_buf_clear(&out);
        mgi_value_print(&out, t, s, MANGLE_FILE);
    }
    report("strings printed", seconds_since(start), SHARED);
    mgi_buf_fini(&out);
}

int main(void)
{
    mangle_values *t = mgi_values_new(NULL, 0);
    if (!t)
        return 1;
    fill(t);
    print_floats(t);
    mgi_values_freeze(t);
    find_again(t);
    serve(t);
    make_structs(t);
    mgi_values_free(t);
    return 0;
}
