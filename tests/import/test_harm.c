/* How often the harm of a tool is guessed as people judge it: the files in judged/, some five
 * hundred tools. None that is destructive in the labels of others may be missed; how many are
 * besides, and how many are guessed too bad, stands here, so that a rule that makes it worse is
 * seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "import/tool.h"

enum { MOST_ROWS = 400, LINE_BYTES = 1024 };

struct judged {
    struct arena arena;
    struct import_tool tools[MOST_ROWS];
    enum import_harm harm[MOST_ROWS];
    bool labelled[MOST_ROWS]; /* by others */
    size_t count;
};

/* ---- reading ----------------------------------------------------------------------------------
 */

/* The text up to `end`, which is taken from *rest with what ends it. */
static struct str next_part(struct str *rest, char end)
{
    const char *at = rest->len ? memchr(rest->ptr, end, rest->len) : NULL;
    struct str part = { rest->ptr, at ? (size_t)(at - rest->ptr) : rest->len };
    size_t taken = part.len + (at != NULL);
    *rest = (struct str){ rest->ptr + taken, rest->len - taken };
    return part;
}

/* "force:boolean", "mode=soft,hard", "path". */
static void put_argument(struct json_writer *w, struct str argument)
{
    struct str rest = argument;
    bool choices = memchr(argument.ptr, '=', argument.len) != NULL;
    struct str name = next_part(&rest, choices ? '=' : ':');
    mgi_jw_key_str(w, name);
    mgi_jw_begin_object(w);
    if (choices) {
        mgi_jw_key(w, "enum");
        mgi_jw_begin_array(w);
        while (rest.len > 0)
            mgi_jw_string(w, next_part(&rest, ','));
        mgi_jw_end_array(w);
    } else if (!str_is(rest, "any")) {
        mgi_jw_member_str(w, "type", rest.len ? rest : STR_LIT("string"));
    }
    mgi_jw_end_object(w);
}

static const struct json *schema_of(struct arena *a, struct str arguments)
{
    struct json *schema = mgi_arena_calloc(a, 1, sizeof *schema);
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "properties");
    mgi_jw_begin_object(&w);
    while (arguments.len > 0) {
        struct str argument = next_part(&arguments, ' ');
        if (argument.len > 0)
            put_argument(&w, argument);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    assert_true(schema && mgi_json_take(a, &text, schema));
    return schema;
}

static int hint(char c)
{
    return c == '-' ? -1 : c == '1';
}

static void read_row(struct judged *j, struct str row)
{
    struct import_tool *t = &j->tools[j->count];
    struct str judgement = next_part(&row, ' ');
    *t = (struct import_tool){ .aid = STR_LIT("AID.MCP.A.B.v1") };
    t->server = next_part(&row, ' ');
    t->name = next_part(&row, ' ');
    struct str hints = next_part(&row, ' '), arguments = next_part(&row, '|');
    t->description = mgi_str_trim(row, " ");
    t->schema = schema_of(&j->arena, arguments);
    assert_int_equal(hints.len, 4);
    t->hints = (struct import_hints){ hint(hints.ptr[1]), hint(hints.ptr[3]), -1, -1 };
    j->labelled[j->count] = str_is(judgement, "DESTRUCTIVE");
    j->harm[j->count] = str_is(judgement, "none")    ? HARM_NONE
                        : str_is(judgement, "write") ? HARM_WRITE
                                                     : HARM_DESTRUCTIVE;
    assert_true(mgi_import_study(&j->arena, t));
    j->count++;
}

/* Servers, whose rows stand together, are heard one after the other. */
static void hear_servers(struct judged *j)
{
    for (size_t i = 0, end; i < j->count; i = end) {
        for (end = i + 1; end < j->count && str_eq(j->tools[i].server, j->tools[end].server);)
            end++;
        assert_true(mgi_import_hear_hints(&j->arena, &j->tools[i], end - i));
    }
}

static void read_judged(struct judged *j, const char *path)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    j->count = 0;
    mgi_arena_init(&j->arena, 0);
    while (fgets(line, sizeof line, file)) {
        struct str row = mgi_arena_str(&j->arena, mgi_str_trim(str_of(line), "\n"));
        if (row.len > 0 && row.ptr[0] != '#') {
            assert_true(j->count < MOST_ROWS);
            read_row(j, row);
        }
    }
    fclose(file);
    hear_servers(j);
}

/* ---- counting ---------------------------------------------------------------------------------
 */

struct confusion {
    size_t cells[3][3]; /* [judged][guessed] */
    size_t labelled_missed;
};

static bool tells(void)
{
    return getenv("HARM_TELLS") != NULL;
}

static struct confusion count_judged(const struct judged *j)
{
    struct confusion c = { 0 };
    for (size_t i = 0; i < j->count; i++) {
        const struct import_tool *t = &j->tools[i];
        c.cells[j->harm[i]][t->harm]++;
        c.labelled_missed += j->labelled[i] && t->harm != HARM_DESTRUCTIVE;
        if (tells() && t->harm != j->harm[i])
            print_message("%zu %.*s/%.*s is %s, guessed %s%s%s\n", i, STR_ARG(t->server),
                          STR_ARG(t->name), mgi_import_harm_name(j->harm[i]),
                          mgi_import_harm_name(t->harm), t->harm_why ? ": " : "",
                          t->harm_why ? t->harm_why : "");
    }
    return c;
}

static struct confusion confusion_of(const char *path)
{
    static struct judged j;
    read_judged(&j, path);
    struct confusion c = count_judged(&j);
    mgi_arena_fini(&j.arena);
    print_message("%s: judged none, write, destructive by guessed none, write, destructive\n",
                  strrchr(path, '/') + 1);
    for (int i = 0; i < 3; i++)
        print_message("  %4zu %4zu %4zu\n", c.cells[i][0], c.cells[i][1], c.cells[i][2]);
    return c;
}

static void check(const char *path, size_t missed, size_t too_bad)
{
    struct confusion c = confusion_of(path);
    assert_int_equal(c.labelled_missed, 0);
    assert_int_equal(c.cells[HARM_DESTRUCTIVE][0] + c.cells[HARM_DESTRUCTIVE][1], missed);
    assert_int_equal(c.cells[0][HARM_DESTRUCTIVE] + c.cells[1][HARM_DESTRUCTIVE], too_bad);
}

static void harm_of_published_tools_is_as_it_was_judged(void **state)
{
    (void)state;
    check(MGI_SOURCE_DIR "/tests/import/judged/published.txt", 0, 7);
}

static void harm_of_other_tools_is_nearly_as_it_was_judged(void **state)
{
    (void)state;
    check(MGI_SOURCE_DIR "/tests/import/judged/own.txt", 7, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harm_of_published_tools_is_as_it_was_judged),
        cmocka_unit_test(harm_of_other_tools_is_nearly_as_it_was_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
