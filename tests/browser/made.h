/* Captures made by hand: a folder in the temporary directory, filled by a test, removed after it.
 */
#ifndef TESTS_BROWSER_MADE_H
#define TESTS_BROWSER_MADE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct made {
    char dir[64];
};

static inline void made_file(const struct made *m, const char *name, const void *bytes, size_t len)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", m->dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    fclose(f);
}

static inline void made_text(const struct made *m, const char *name, const char *text)
{
    made_file(m, name, text, strlen(text));
}

/* Both required files at once. NULL leaves one out. */
static inline void made_begin(struct made *m, const char *har, const char *console)
{
    snprintf(m->dir, sizeof m->dir, "/tmp/capture-XXXXXX");
    assert_non_null(mkdtemp(m->dir));
    if (har)
        made_text(m, "network.har", har);
    if (console)
        made_text(m, "console.jsonl", console);
}

static inline void made_end(const struct made *m)
{
    static const char *const names[] = { "network.har",  "console.jsonl",    "dom.json",
                                         "storage.json", "performance.json", "screenshot.png" };
    char path[160];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", m->dir, names[i]);
        unlink(path);
        rmdir(path);
    }
    rmdir(m->dir);
}

/* A HAR around the text of its entries. */
#define HAR(entries) "{\"log\":{\"version\":\"1.2\",\"entries\":[" entries "]}}"

/* One entry: seconds after 12:00:00 as text, milliseconds, method, address, status, type, body. */
#define ENTRY(second, ms, method, url, status, mime, body)                                         \
    "{\"startedDateTime\":\"2026-03-01T12:00:" second "Z\",\"time\":" ms                           \
    ",\"request\":{\"method\":\"" method "\",\"url\":\"" url                                       \
    "\"},\"response\":{\"status\":" status ",\"content\":{\"mimeType\":\"" mime "\"" body "}}}"

/* One console error at 12:00:00 plus so many milliseconds. 1772366400000 is that instant. */
#define ERROR_AT(ms5, text, rest)                                                                  \
    "{\"ts\":17723664" ms5 ",\"level\":\"error\",\"text\":\"" text "\"" rest "}\n"

#endif
