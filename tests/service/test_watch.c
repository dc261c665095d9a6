/* Watching what a server was loaded from: real folders, real events. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/watch.h"

struct world {
    char folder[64];
    uv_loop_t loop;
    uv_timer_t patience;
    struct watch *watch;
    struct arena arena;
    int changes;
    bool late;
};

static void at(const struct world *w, const char *name, char out[256])
{
    snprintf(out, 256, "%s/%s", w->folder, name);
}

static void make_folder(const struct world *w, const char *name)
{
    char path[256];
    at(w, name, path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void touch(const struct world *w, const char *name)
{
    char path[256];
    at(w, name, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

static void changed(void *context)
{
    struct world *w = context;
    w->changes++;
    uv_stop(&w->loop);
}

static void too_late(uv_timer_t *timer)
{
    struct world *w = timer->data;
    w->late = true;
    uv_stop(&w->loop);
}

/* Wait for `wanted` changes; false if they do not come in time. */
static bool wait_for(struct world *w, int wanted, unsigned ms)
{
    w->late = false;
    uv_update_time(&w->loop);
    uv_timer_start(&w->patience, too_late, ms, 0);
    while (!w->late && w->changes < wanted)
        uv_run(&w->loop, UV_RUN_DEFAULT);
    uv_timer_stop(&w->patience);
    return w->changes >= wanted;
}

static void watch_again(struct world *w)
{
    struct watch_list list = { 0 };
    const char *why;
    char tokens[256];
    at(w, "etc/tokens", tokens);
    mgi_arena_reset(&w->arena);
    assert_true(mgi_watch_list_domain(&w->arena, &list, w->folder));
    assert_true(mgi_watch_list_file(&w->arena, &list, tokens));
    assert_int_equal(mgi_watch_set(w->watch, &list, &why), 0);
}

static int setup(void **state)
{
    static struct world w;
    w = (struct world){ .changes = 0 };
    snprintf(w.folder, sizeof w.folder, "/tmp/watch_test.XXXXXX");
    assert_non_null(mkdtemp(w.folder));
    static const char *const folders[] = { "rules", "rules/policy", "tools", "etc", "data" };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        make_folder(&w, folders[i]);
    touch(&w, "domain.yaml");
    touch(&w, "etc/tokens");
    mgi_arena_init(&w.arena, 0);
    assert_int_equal(uv_loop_init(&w.loop), 0);
    assert_int_equal(uv_timer_init(&w.loop, &w.patience), 0);
    w.patience.data = &w;
    w.watch = mgi_watch_new(&w.loop, changed, &w);
    assert_non_null(w.watch);
    watch_again(&w);
    *state = &w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    char command[128];
    mgi_watch_close(w->watch);
    uv_close((uv_handle_t *)&w->patience, NULL);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&w->loop), 0);
    mgi_arena_fini(&w->arena);
    snprintf(command, sizeof command, "rm -rf '%s'", w->folder);
    return system(command) == 0 ? 0 : -1; /* NOLINT(cert-env33-c): a path of our own */
}

static void test_what_the_loader_reads_is_noticed(void **state)
{
    struct world *w = *state;
    static const char *const names[] = { "domain.yaml", "rules/a.mg", "rules/policy/b.mg",
                                         "tools/t.yaml", "etc/tokens" };
    for (int i = 0; i < 5; i++) {
        touch(w, names[i]);
        if (!wait_for(w, i + 1, 10000))
            fail_msg("%s was not noticed", names[i]);
    }
}

static void test_what_it_does_not_read_is_not(void **state)
{
    struct world *w = *state;
    static const char *const names[] = { "server.log",  "state.db",   "state.db-wal",
                                         "etc/other",   "data/x",     "rules/.a.mg.swp",
                                         "rules/a.mg~", "rules/b.tmp" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        touch(w, names[i]);
    assert_false(wait_for(w, 1, 2 * WATCH_SETTLE_MS + 200));
}

static void test_a_folder_that_is_new_is_noticed_and_then_watched(void **state)
{
    struct world *w = *state;
    make_folder(w, "rules/domain");
    assert_true(wait_for(w, 1, 10000));
    watch_again(w);
    touch(w, "rules/domain/c.mg");
    assert_true(wait_for(w, 2, 10000));
    make_folder(w, "skills"); /* beside domain.yaml */
    assert_true(wait_for(w, 3, 10000));
}

static void test_a_file_that_is_replaced_is_noticed_every_time(void **state)
{
    struct world *w = *state;
    char from[256], to[256];
    at(w, "etc/new", from);
    at(w, "etc/tokens", to);
    for (int i = 1; i <= 3; i++) {
        touch(w, "etc/new");
        assert_int_equal(rename(from, to), 0);
        assert_true(wait_for(w, i, 10000));
    }
}

static void test_a_folder_that_is_exchanged_is_watched_under_its_name(void **state)
{
    struct world *w = *state;
    char old[256], aside[256];
    at(w, "tools", old);
    at(w, "aside", aside);
    assert_int_equal(rename(old, aside), 0);
    make_folder(w, "tools");
    assert_true(wait_for(w, 1, 10000));
    watch_again(w);
    touch(w, "tools/t.yaml");
    assert_true(wait_for(w, 2, 10000));
}

struct busy {
    struct world *w;
    uv_timer_t timer;
};

static void write_on(uv_timer_t *timer)
{
    touch(((struct busy *)timer->data)->w, "rules/busy.mg");
}

/* Many events are one change; the bound: events that never stop are still told. */
static void test_what_comes_together_is_one_change_within_bounds(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < 50; i++)
        touch(w, i % 2 ? "rules/a.mg" : "domain.yaml");
    assert_true(wait_for(w, 1, 10000));
    assert_false(wait_for(w, 2, 2 * WATCH_SETTLE_MS));
    struct busy busy = { .w = w };
    assert_int_equal(uv_timer_init(&w->loop, &busy.timer), 0);
    busy.timer.data = &busy;
    uv_timer_start(&busy.timer, write_on, 0, WATCH_SETTLE_MS / 4);
    uint64_t begun = uv_hrtime();
    assert_true(wait_for(w, 2, 20000));
    assert_true((uv_hrtime() - begun) / 1000000 >= WATCH_MOST_MS - WATCH_SETTLE_MS);
    uv_close((uv_handle_t *)&busy.timer, NULL);
    uv_run(&w->loop, UV_RUN_NOWAIT);
}

static void test_more_folders_than_are_watched_are_said(void **state)
{
    struct world *w = *state;
    struct watch_list list = { 0 };
    char name[64];
    for (int i = 0; i < WATCH_FOLDERS_MAX; i++) {
        snprintf(name, sizeof name, "tools/f%d", i);
        make_folder(w, name);
    }
    mgi_arena_reset(&w->arena);
    assert_true(mgi_watch_list_domain(&w->arena, &list, w->folder));
    assert_int_equal(list.count, WATCH_FOLDERS_MAX);
    assert_true(list.full);
}

static void test_a_folder_that_cannot_be_watched_is_said(void **state)
{
    struct world *w = *state;
    struct watch_list list = { 0 };
    const char *why = NULL;
    assert_true(mgi_watch_list_file(&w->arena, &list, "/no/such/folder/file"));
    assert_int_equal(mgi_watch_set(w->watch, &list, &why), 1);
    assert_non_null(why);
}

int main(void)
{
#define ONE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ONE(test_what_the_loader_reads_is_noticed),
        ONE(test_what_it_does_not_read_is_not),
        ONE(test_a_folder_that_is_new_is_noticed_and_then_watched),
        ONE(test_a_file_that_is_replaced_is_noticed_every_time),
        ONE(test_a_folder_that_is_exchanged_is_watched_under_its_name),
        ONE(test_what_comes_together_is_one_change_within_bounds),
        ONE(test_more_folders_than_are_watched_are_said),
        ONE(test_a_folder_that_cannot_be_watched_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
