/* The texts in tests/seeds/text/ are those of the project's founding documents, byte for byte, and
 * are never edited: one file per printed block (.mg, .json), or one line per form printed in a
 * table or in prose (.txt). A file is named <document>-<section>: data-model (specification 03),
 * tools (06), invocation (07), white-paper, toolhost. What a text needs around it stands elsewhere.
 */
#ifndef TEST_SEEDS_SEED_TEXT_H
#define TEST_SEEDS_SEED_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

#define SEED_FOLDER MGI_SOURCE_DIR "/tests/seeds/"

/* The whole file, ended by NUL and the caller's (free); NULL if there is none. */
static inline char *seed_file(const char *folder, const char *name, size_t len)
{
    char path[512];
    snprintf(path, sizeof path, SEED_FOLDER "%s/%.*s", folder, (int)len, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = calloc(1, 1 << 16);
    size_t got = text ? fread(text, 1, (1 << 16) - 1, f) : 0;
    fclose(f);
    if (got == 0 || got == (1 << 16) - 1) {
        free(text);
        return NULL;
    }
    return text;
}

/* Line `number`, from 1, without its end; the caller's. NULL if there is none. */
static inline char *seed_line(const char *text, int number)
{
    for (; text && number > 1; number--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text && *text ? strndup(text, strcspn(text, "\n")) : NULL;
}

/* `text` with every `from` replaced by `to`; frees `text`. The result is the caller's. */
static inline char *seed_replace(char *text, const char *from, const char *to)
{
    size_t count = 0, from_len = strlen(from);
    for (const char *at = text; (at = strstr(at, from)) != NULL; at += from_len)
        count++;
    char *out = calloc(1, strlen(text) + count * strlen(to) + 1), *end = out;
    const char *at = text;
    for (const char *hit; (hit = strstr(at, from)) != NULL; at = hit + from_len) {
        memcpy(end, at, (size_t)(hit - at));
        end += hit - at;
        end = stpcpy(end, to);
    }
    strcpy(end, at);
    free(text);
    return out;
}

#endif
