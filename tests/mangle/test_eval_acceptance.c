/* The acceptance set, section 21 of docs/reference/mangle.md, read from the document itself: one
 * test for every program A-n, named as there. A program must come to exactly the printed text, run
 * two ways: everything in the base, and with every predicate open to requests. What the engine
 * refuses as not supported yet, or what this machine has no data for, is skipped and says why.
 *
 * A-53, a proof tree, is compared in test_explain.c. Of A-54 the column file is compared. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/mangle_run.h"

#define DOCUMENT     MGI_SOURCE_DIR "/docs/reference/mangle.md"
#define MAX_PROGRAMS 128

struct program {
    int number;
    char *name; /* "A-1 closure and stratified negation" */
    char *text; /* NULL: the document has no program to run */
    char *expected;
    bool bounds;
};

struct acceptance {
    struct program programs[MAX_PROGRAMS];
    struct CMUnitTest tests[MAX_PROGRAMS];
    size_t count;
};

/* ---- the document ------------------------------------------------------------------------ */

static char *read_document(void)
{
    FILE *f = fopen(DOCUMENT, "rb");
    if (!f)
        return NULL;
    char *text = calloc(1, 1 << 20);
    size_t n = text ? fread(text, 1, (1 << 20) - 1, f) : 0;
    fclose(f);
    if (n == 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The heading of a program without asterisks, backquotes and the mark of the reference. */
static char *name_of(const char *line)
{
    char name[80];
    size_t len = 0;
    for (; *line && *line != '\n' && len + 1 < sizeof name; line++)
        if (*line != '*' && *line != '`' && (unsigned char)*line < 0x80)
            name[len++] = *line;
    while (len > 0 && name[len - 1] == ' ')
        len--;
    name[len] = 0;
    return strdup(name);
}

/* What stands in the next backquotes, followed by `end`; *at moves behind it. NULL: there is none
 * before the end of the line. */
static char *next_quoted(const char **at, const char *end)
{
    size_t to = strcspn(*at, "`\n");
    if ((*at)[to] != '`')
        return NULL;
    const char *text = *at + to + 1;
    size_t len = strcspn(text, "`");
    char *copy = calloc(1, len + strlen(end) + 1);
    if (copy) {
        memcpy(copy, text, len);
        strcat(copy, end);
    }
    *at = text + len + (text[len] == '`');
    return copy;
}

/* A-54 says a program and the lines of its column file. */
static void read_column_program(const char *line, struct program *p)
{
    const char *comment = strstr(line, " (the atom hashes"), *at = line;
    char *part;
    p->text = next_quoted(&at, "\n");
    p->expected = calloc(1, 256);
    while (comment && at < comment && (part = next_quoted(&at, "\n")) != NULL) {
        if (at <= comment)
            strncat(p->expected, part, 255 - strlen(p->expected));
        free(part);
    }
}

static void read_program(const char *line, struct program *p)
{
    const char *bounds = strstr(line, "bounds check on"), *eol = strchr(line, '\n');
    const char *next = strstr(line, "\n**A-"), *code = strstr(line, "\n```\n");
    p->number = atoi(line + 4);
    p->name = name_of(line);
    p->bounds = bounds && bounds < eol;
    if (p->number == 54) {
        read_column_program(line, p);
        return;
    }
    const char *mid = code ? strstr(code, "\n=>\n") : NULL;
    if (!mid || (next && mid > next))
        return;
    const char *end = strstr(mid + 3, "\n```");
    p->text = strndup(code + 5, (size_t)(mid + 1 - code - 5));
    p->expected = strndup(mid + 4, (size_t)(end + 1 - mid - 4));
}

/* ---- a program --------------------------------------------------------------------------- */

static const char *not_here(const struct program *p)
{
    if (p->number == 40 && access(MANGLE_ZONE_FOLDER "/America/New_York", R_OK) != 0)
        return "no time zone data on this machine";
    return NULL;
}

static char *run_columns(const char *text, const struct run_options *options)
{
    struct mangle_run run = mangle_run(text, options);
    char *out = NULL;
    size_t len;
    if (!run.status)
        run.status = mangle_overlay_columns(run.overlay, NULL, 0, &out, &len, &run.error);
    mangle_run_end(&run);
    return out;
}

static void test_program(void **state)
{
    const struct program *p = *state;
    const char *reason = not_here(p);
    bool same = true;
    for (int all = 0; all < 2 && !reason; all++) {
        struct run_options options = { .check_bounds = p->bounds };
        options.changeable = all ? run_changes_all : NULL;
        if (p->number == 51)
            options.limits.max_facts = 100;
        char *got = p->number == 54 ? run_columns(p->text, &options) : run_text(p->text, &options);
        assert_non_null(got);
        if (strcmp(got, p->expected) != 0) {
            print_error("%s (%s changeable)\n%s=>\n%sgot\n%s\n", p->name, all ? "all" : "nothing",
                        p->text, p->expected, got);
            same = false;
        }
        mangle_free(got);
    }
    assert_true(same);
    if (reason) {
        print_message("# not run: %s: %s\n", p->name, reason);
        skip();
    }
}

int main(void)
{
    static struct acceptance set;
    char *document = read_document();
    if (!document) {
        fprintf(stderr, "cannot read %s\n", DOCUMENT);
        return 1;
    }
    for (const char *at = document;
         (at = strstr(at, "\n**A-")) != NULL && set.count < MAX_PROGRAMS;) {
        struct program *p = &set.programs[set.count];
        if (atoi(++at + 4) == 53)
            continue;
        read_program(at, p);
        set.tests[set.count++] = (struct CMUnitTest){ p->name, test_program, NULL, NULL, p };
    }
    free(document);
    if (set.count < 53) {
        fprintf(stderr, "only %zu programs found in %s\n", set.count, DOCUMENT);
        return 1;
    }
    int failed = _cmocka_run_group_tests("acceptance", set.tests, set.count, NULL, NULL);
    for (size_t i = 0; i < MAX_PROGRAMS; i++) {
        free(set.programs[i].name);
        free(set.programs[i].text);
        free(set.programs[i].expected);
    }
    return failed;
}
