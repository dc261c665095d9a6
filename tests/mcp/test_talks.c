/* Conversations with a server as lines, of each revision: talks/NAME.talk. UPDATE_CASES=1 writes
 * what comes out into the files; the difference is to be read like code. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "support/mcp_talk.h"

#define FOLDER MGI_SOURCE_DIR "/tests/mcp/talks/"

static char *read_file(const char *path)
{
    struct buf text = { 0 };
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        mgi_buf_append(&text, piece, n);
    fclose(f);
    return mgi_buf_take(&text, NULL);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool holds(const char *name)
{
    char path[512];
    struct talk t;
    snprintf(path, sizeof path, FOLDER "%s", name);
    char *script = read_file(path);
    talk_init(&t);
    assert_non_null(t.peer);
    char *actual = talk_play(&t, script);
    talk_fini(&t);
    bool same = actual == NULL;
    if (!same && getenv("UPDATE_CASES"))
        write_file(path, actual);
    else if (!same)
        print_error("%s is now\n%s", path, actual);
    mgi_free(actual);
    mgi_free(script);
    return same;
}

static void test_conversations_are_as_written(void **state)
{
    (void)state;
    DIR *d = opendir(FOLDER);
    int count = 0, wrong = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        count++;
        wrong += !holds(e->d_name);
    }
    closedir(d);
    assert_true(count > 10);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_conversations_are_as_written) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
