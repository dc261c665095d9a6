/* A folder that takes another one's place: what is carried over, and that nothing is half there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/cli_folder.h"

static char home[] = "/tmp/cli_folder.XXXXXX";

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *text)
{
    char line[100] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is not there", path);
    assert_true(fgets(line, sizeof line, f) || !*text);
    fclose(f);
    assert_string_equal(line, text);
}

static mode_t mode_of(const char *path)
{
    struct stat s;
    assert_int_equal(lstat(path, &s), 0);
    return s.st_mode & 07777;
}

static ino_t inode_of(const char *path)
{
    struct stat s;
    assert_int_equal(lstat(path, &s), 0);
    return s.st_ino;
}

static bool is_there(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

static int enter(void **state)
{
    (void)state;
    return mkdtemp(home) && chdir(home) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 && mgi_cli_remove_folder(home) ? 0 : -1;
}

static bool keeps_all_but_new(void *context, const char *path)
{
    ++*(size_t *)context;
    return strcmp(path, "a/new") != 0 && strcmp(path, "gone") != 0;
}

static void what_is_the_authors_is_carried_over(void **state)
{
    size_t asked = 0;
    char target[20] = "";
    (void)state;
    assert_int_equal(mkdir("old", 0751) | mkdir("old/a", 0700) | mkdir("old/empty", 0755), 0);
    assert_int_equal(mkdir("old/.hidden", 0755) | mkdir("new", 0700) | mkdir("new/a", 0755), 0);
    put("old/a/new", "before");
    put("old/a/own", "mine");
    put("old/.hidden/x", "hidden");
    put("old/gone", "gone");
    put("new/a/new", "after");
    put("new/a/own", "template");
    assert_int_equal(chmod("old/a/new", 0640) | chmod("old/a/own", 0600), 0);
    assert_int_equal(symlink("nowhere", "old/link") | mkfifo("old/pipe", 0600), 0);
    assert_true(mgi_cli_carry_over("old", "new", keeps_all_but_new, &asked));
    holds("new/a/new", "after");
    holds("new/a/own", "mine");
    holds("new/.hidden/x", "hidden");
    assert_int_equal(readlink("new/link", target, sizeof target), 7);
    assert_string_equal(target, "nowhere");
    assert_true(is_there("new/empty") && is_there("new/pipe") && !is_there("new/gone"));
    assert_int_equal(mode_of("new/a/new"), 0640);
    assert_int_equal(mode_of("new/a/own"), 0600);
    assert_int_equal(mode_of("new"), 0751);
    assert_int_equal(mode_of("new/a"), 0700);
    assert_int_equal(inode_of("new/a/own"), inode_of("old/a/own"));
    assert_int_equal(asked, 6);
    holds("old/a/new", "before");
    assert_true(mgi_cli_remove_folder("old") && mgi_cli_remove_folder("new"));
}

/* A folder where a file would be: told, and the old one is as it was. */
static void what_cannot_be_carried_over_is_told(void **state)
{
    size_t asked = 0;
    (void)state;
    assert_int_equal(mkdir("old", 0755) | mkdir("old/a", 0755) | mkdir("new", 0755), 0);
    put("old/a/own", "mine");
    put("new/a", "a file");
    assert_false(mgi_cli_carry_over("old", "new", keeps_all_but_new, &asked));
    assert_false(mgi_cli_carry_over("nowhere", "new", keeps_all_but_new, &asked));
    holds("old/a/own", "mine");
    assert_true(mgi_cli_remove_folder("old") && mgi_cli_remove_folder("new"));
}

static void places_are_exchanged(void **state)
{
    bool (*const ways[])(const char *, const char *) = { mgi_cli_exchange,
                                                         mgi_cli_exchange_in_steps };
    (void)state;
    assert_int_equal(mkdir("a", 0755) | mkdir("b", 0755), 0);
    put("a/x", "1");
    put("b/x", "2");
    for (int i = 0; i < 2; i++) {
        assert_true(ways[i]("a", "b"));
        holds(i == 0 ? "b/x" : "a/x", "1");
        holds(i == 0 ? "a/x" : "b/x", "2");
        assert_false(ways[i]("a", "nowhere"));
        assert_false(ways[i]("nowhere", "a"));
        holds(i == 0 ? "a/x" : "b/x", "2");
        assert_false(is_there("b.old") || is_there("nowhere.old") || is_there("nowhere"));
    }
    assert_true(mgi_cli_remove_folder("a") && mgi_cli_remove_folder("b"));
}

static void a_folder_goes_whatever_its_modes(void **state)
{
    (void)state;
    assert_int_equal(mkdir("a", 0755) | mkdir("a/b", 0755) | mkdir("kept", 0755), 0);
    put("a/b/x", "1");
    put("kept/x", "kept");
    assert_int_equal(symlink("../kept", "a/link") | chmod("a/b", 0) | chmod("a", 0500), 0);
    assert_true(mgi_cli_remove_folder("a"));
    assert_false(is_there("a"));
    holds("kept/x", "kept");
    assert_true(mgi_cli_remove_folder("kept") && mgi_cli_remove_folder("kept"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_the_authors_is_carried_over),
        cmocka_unit_test(what_cannot_be_carried_over_is_told),
        cmocka_unit_test(places_are_exchanged),
        cmocka_unit_test(a_folder_goes_whatever_its_modes),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
