/* Taking apart files of rule tests. The forms of `#:` lines are the rows of `directives`. */
#include "cli/mangle_test_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

#define TEST_MAX_BYTES ((size_t)1 << 28)

struct reader {
    struct test_file *file;
    struct test_case *test; /* the one at hand; NULL before the first */
    struct buf *section;    /* where lines go */
    struct buf *counted;    /* the section that `lines` is about: how many lines it has */
    uint32_t lines;
    uint32_t line; /* of the directive at hand */
    int status;
};

static void wrong(struct reader *r, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void wrong(struct reader *r, const char *hint, const char *format, ...)
{
    struct buf text = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "%s:%u: error: %s\n", r->file->path, r->line, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    if (hint)
        mgi_cli_hint("%s", hint);
    r->status = EXIT_USAGE;
}

static void nomem(struct reader *r)
{
    mgi_cli_error("out of memory");
    r->status = EXIT_USAGE;
}

/* ---- words ------------------------------------------------------------------------------- */

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The first word of *rest; empty at the end. */
static struct str next_word(struct str *rest)
{
    *rest = mgi_str_trim(*rest, " \t\r");
    struct str word = { rest->ptr, 0 };
    while (word.len < rest->len && !blank(rest->ptr[word.len]))
        word.len++;
    *rest = mgi_str_trim((struct str){ rest->ptr + word.len, rest->len - word.len }, " \t\r");
    return word;
}

static const char *keep(struct reader *r, struct str s)
{
    const char *copy = mgi_arena_str(&r->file->arena, s).ptr;
    if (!copy)
        nomem(r);
    return copy;
}

/* ---- what a directive does --------------------------------------------------------------- */

/* `a/./b` and `a/c/../b` are `a/b`: the same rules under one name, from wherever they are loaded.
 */
static void tidy_path(char *path)
{
    char *parts[256];
    size_t count = 0;
    bool absolute = path[0] == '/';
    struct buf out = { 0 };
    for (char *rest = path, *part; (part = strsep(&rest, "/"));) {
        if (!*part || strcmp(part, ".") == 0)
            continue;
        if (strcmp(part, "..") == 0 && count && strcmp(parts[count - 1], "..") != 0)
            count--;
        else if (count < sizeof parts / sizeof *parts)
            parts[count++] = part;
    }
    for (size_t i = 0; i < count; i++) {
        mgi_buf_puts(&out, i || absolute ? "/" : "");
        mgi_buf_puts(&out, parts[i]);
    }
    if (out.ptr)
        memcpy(path, out.ptr, out.len + 1); /* never longer than it was */
    mgi_buf_fini(&out);
}

static void load_one(struct reader *r, struct test_loads *loads, struct str name)
{
    const char *slash = strrchr(r->file->path, '/'), *why;
    int folder = slash && name.ptr[0] != '/' ? (int)(slash - r->file->path) + 1 : 0;
    char *path =
        mgi_arena_printf(&r->file->arena, "%.*s%.*s", folder, r->file->path, STR_ARG(name));
    if (!path || !mgi_grow(&loads->items, &loads->cap, loads->count + 1, sizeof *loads->items)) {
        nomem(r);
        return;
    }
    tidy_path(path);
    struct test_load *load = &loads->items[loads->count++];
    *load = (struct test_load){ .path = path };
    if (!mgi_cli_read_file(path, TEST_MAX_BYTES, &load->text, &why))
        wrong(r, "Files are named from the folder of the test file.", "cannot read %s: %s", path,
              why);
}

static void load(struct reader *r, struct str rest)
{
    struct test_loads *loads = r->test ? &r->test->loads : &r->file->loads;
    if (!rest.len)
        wrong(r, "Write #: load rules.mg.", "load needs the name of a file");
    while (rest.len)
        load_one(r, loads, next_word(&rest));
}

static void begin_test(struct reader *r, struct str name)
{
    struct test_file *f = r->file;
    if (!name.len)
        wrong(r, "Write #: test what is true.", "a test needs a name");
    if (!mgi_grow(&f->cases, &f->cap, f->count + 1, sizeof *f->cases)) {
        nomem(r);
        return;
    }
    r->test = &f->cases[f->count++];
    *r->test = (struct test_case){ .name = keep(r, name), .line = r->line, .now_ns = f->now_ns };
    r->section = &r->test->given;
}

static void set_now(struct reader *r, struct str time)
{
    int64_t *now = r->test ? &r->test->now_ns : &r->file->now_ns;
    enum time_parse parsed = mgi_time_parse(time, TIME_LOWER_CASE | TIME_LEAP_SECOND, now);
    if (parsed != TIME_OK)
        wrong(r, "Write it like 2026-02-19T14:30:00Z.", "now \"%.*s\": %s", STR_ARG(time),
              mgi_time_parse_text(parsed));
}

static void given(struct reader *r, struct str rest)
{
    if (rest.len)
        wrong(r, "Write the facts on the lines below it.", "given takes nothing");
    r->section = &r->test->given;
}

static void expect_none(struct reader *r, struct str rest)
{
    struct test_case *t = r->test;
    if (!rest.len)
        wrong(r, "Write #: expect none p/2 q.", "expect none needs predicates");
    while (rest.len) {
        struct str word = next_word(&rest);
        struct test_pred pred = { .arity = -1, .line = r->line };
        const char *slash = memchr(word.ptr, '/', word.len);
        if (slash) {
            char *end;
            struct str digits = { slash + 1, (size_t)(word.ptr + word.len - slash) - 1 };
            const char *number = keep(r, digits);
            pred.arity = number ? strtol(number, &end, 10) : 0;
            if (number && (!*number || *end || pred.arity < 0))
                wrong(r, NULL, "\"%.*s\" is no number of arguments", STR_ARG(digits));
            word.len = (size_t)(slash - word.ptr);
        }
        pred.name = keep(r, word);
        if (!mgi_grow(&t->none, &t->none_cap, t->none_count + 1, sizeof *t->none)) {
            nomem(r);
            return;
        }
        t->none[t->none_count++] = pred;
    }
}

static void expect(struct reader *r, struct str rest)
{
    struct str word = next_word(&rest);
    bool takes_more = str_is(word, "none") || str_is(word, "error");
    r->test->expects = true;
    if (rest.len && !takes_more)
        wrong(r, "Write the facts on the lines below it.", "\"%.*s\" is one word too many",
              STR_ARG(rest));
    r->section = &r->test->exact;
    if (str_is(word, "contains"))
        r->section = &r->test->contains;
    else if (str_is(word, "absent"))
        r->section = &r->test->absent;
    else if (str_is(word, "none"))
        expect_none(r, rest);
    else if (str_is(word, "error") && rest.len)
        r->test->error = keep(r, rest);
    else if (str_is(word, "error"))
        wrong(r, "Write #: expect error EVAL_ERROR, for example.", "expect error needs a class");
    else if (word.len)
        wrong(r, "There are: expect, expect contains, absent, none, error.",
              "\"%.*s\" is nothing that can be expected", STR_ARG(word));
}

static const struct {
    const char *word;
    void (*run)(struct reader *r, struct str rest);
    bool in_test; /* only in a test */
} directives[] = {
    { "load", load, false },  { "test", begin_test, false }, { "now", set_now, false },
    { "given", given, true }, { "expect", expect, true },
};

static void directive(struct reader *r, struct str rest)
{
    struct str word = next_word(&rest);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (!str_is(word, directives[i].word))
            continue;
        if (directives[i].in_test && !r->test)
            wrong(r, "Begin a test with #: test NAME.", "%s stands in a test only",
                  directives[i].word);
        else
            directives[i].run(r, rest);
        return;
    }
    wrong(r, "There are: load, test, now, given, expect.", "there is no directive \"%.*s\"",
          STR_ARG(word));
}

/* ---- lines ------------------------------------------------------------------------------- */

/* A section knows its place: lines that are not its own are empty. */
static void keep_line(struct reader *r, struct str line)
{
    struct buf *section = r->section;
    if (r->counted != section) {
        r->counted = section;
        r->lines = 0;
        for (size_t i = 0; i < section->len; i++)
            r->lines += section->ptr[i] == '\n';
    }
    for (; r->lines + 1 < r->line; r->lines++)
        mgi_buf_putc(section, '\n');
    mgi_buf_str(section, line);
    mgi_buf_putc(section, '\n');
    r->lines++;
    if (section->oom)
        nomem(r);
}

static void read_lines(struct reader *r)
{
    struct str text = mgi_buf_view(&r->file->text);
    while (text.len && r->status == EXIT_ANSWERED) {
        const char *end = memchr(text.ptr, '\n', text.len);
        struct str line = { text.ptr, end ? (size_t)(end - text.ptr) : text.len };
        text = (struct str){ text.ptr + line.len + (end != NULL),
                             text.len - line.len - (end != NULL) };
        r->line++;
        if (mgi_str_starts(line, STR_LIT("#:")))
            directive(r, (struct str){ line.ptr + 2, line.len - 2 });
        else if (line.len)
            keep_line(r, line);
    }
}

static void check_cases(struct reader *r)
{
    for (size_t i = 0; i < r->file->count && !r->status; i++) {
        r->line = r->file->cases[i].line;
        if (!r->file->cases[i].expects)
            wrong(r, "Add #: expect and the facts that follow.", "the test \"%s\" expects nothing",
                  r->file->cases[i].name);
    }
    r->line = 1;
    if (!r->file->count && !r->status)
        wrong(r, "Begin one with #: test NAME.", "there is no test in this file");
}

int mgi_test_file_read(const char *path, struct test_file *out)
{
    const char *why;
    struct reader r = { .file = out, .section = &out->shared };
    *out = (struct test_file){ .path = path };
    mgi_arena_init(&out->arena, 0);
    if (!mgi_cli_read_file(path, TEST_MAX_BYTES, &out->text, &why)) {
        mgi_cli_error("cannot read %s: %s", path, why);
        return EXIT_USAGE;
    }
    read_lines(&r);
    check_cases(&r);
    return r.status;
}

static void free_loads(struct test_loads *loads)
{
    for (size_t i = 0; i < loads->count; i++)
        mgi_buf_fini(&loads->items[i].text);
    mgi_free(loads->items);
}

void mgi_test_file_free(struct test_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct test_case *t = &f->cases[i];
        free_loads(&t->loads);
        mgi_buf_fini(&t->given);
        mgi_buf_fini(&t->exact);
        mgi_buf_fini(&t->contains);
        mgi_buf_fini(&t->absent);
        mgi_free(t->none);
    }
    mgi_free(f->cases);
    free_loads(&f->loads);
    mgi_buf_fini(&f->shared);
    mgi_buf_fini(&f->text);
    mgi_arena_fini(&f->arena);
}
