/* fs: while an action runs, somebody exchanges a folder below the root for a link that leads out of
 * it, as fast as he can. Nothing outside is ever read, written, moved or deleted. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <linux/fs.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "plugins/fs/fs.h"

#define ROUNDS 1000

static atomic_bool over;
static atomic_long exchanges;

/* root/d is a folder now, a link to ../outside then. */
static void *exchange(void *unused)
{
    (void)unused;
    char a[200], b[200];
    snprintf(a, sizeof a, "%s/root/d", scratch);
    snprintf(b, sizeof b, "%s/root/e", scratch);
    while (!atomic_load(&over)) {
        syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
        atomic_fetch_add(&exchanges, 1);
    }
    return NULL;
}

static void check_outside(void)
{
    struct stat st;
    assert_string_equal(get_text(at("outside/f")), "SECRET");
    assert_string_equal(get_text(at("outside/g")), "SECRET");
    assert_int_equal(stat(at("outside"), &st), 0);
    assert_int_equal(st.st_nlink, 3); /* one folder in it, as at the beginning */
    assert_int_equal(stat(at("outside/h"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_false(is_there(at("outside/new")));
    assert_false(is_there(at("outside/copy")));
    assert_false(is_there(at("outside/made")));
}

static const char *const rows[][2] = {
    { "fs_read", "{\"path\":\"d/f\"}" },
    { "fs_stat", "{\"path\":\"d/f\",\"digest\":true}" },
    { "fs_list", "{\"path\":\"d\",\"depth\":3}" },
    { "fs_search", "{\"pattern\":\"SECRET\",\"path\":\".\"}" },
    { "fs_search", "{\"pattern\":\"SECRET\",\"path\":\"d\"}" },
    { "fs_write", "{\"path\":\"d/new\",\"text\":\"x\",\"mode\":\"either\"}" },
    { "fs_write", "{\"path\":\"d/f\",\"text\":\"y\",\"mode\":\"either\"}" },
    { "fs_patch", "{\"edits\":[{\"path\":\"d/g\",\"old\":\"S\",\"new\":\"S\"}]}" },
    { "fs_mkdir", "{\"path\":\"d/h/made\",\"parents\":true}" },
    { "fs_mkdir", "{\"path\":\"d/made\",\"parents\":true}" },
    { "fs_copy", "{\"path\":\"d/f\",\"to\":\"d/copy\"}" },
    { "fs_copy", "{\"path\":\"d\",\"to\":\"taken\",\"recursive\":true}" },
    { "fs_move", "{\"path\":\"d/f\",\"to\":\"taken/f2\"}" },
    { "fs_delete", "{\"path\":\"taken\",\"recursive\":true}" },
    { "fs_delete", "{\"path\":\"d/g\"}" },
    { "fs_delete", "{\"path\":\"d/h\",\"recursive\":true}" },
    { "fs_delete", "{\"path\":\"d\",\"recursive\":true}" },
};

static void make_inside(void)
{
    mkdir(at("root/d"), 0755);
    mkdir(at("root/taken"), 0755);
    mkdir(at("root/in"), 0755);
    assert_int_equal(symlink("../outside", at("root/e")), 0);
}

/* What was deleted or moved comes back, so that every round finds something. */
static void refill(long round)
{
    struct stat st;
    for (int i = 0; i < 2; i++) { /* whichever of the two is the folder */
        const char *folder = i ? "root/e" : "root/d";
        int fd = open(at("%s", folder), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (fd < 0)
            continue;
        for (int k = 0; k < 2; k++) {
            int file = openat(fd, k ? "g" : "f", O_WRONLY | O_CREAT | O_TRUNC, 0644);
            if (file >= 0) {
                assert_int_equal(write(file, "Sinside", 7), 7);
                close(file);
            }
        }
        mkdirat(fd, "h", 0755);
        close(fd);
    }
    mkdir(at("root/taken"), 0755);
    if (round % 16 == 0) {
        unlink(at("root/taken/f2"));
        if (lstat(at("root/d"), &st) != 0)
            mkdir(at("root/d"), 0755);
        if (lstat(at("root/e"), &st) != 0 && symlink("../outside", at("root/e")) != 0)
            assert_int_equal(errno, EEXIST); /* the other thread was quicker */
        if (lstat(at("root/d"), &st) == 0 && S_ISLNK(st.st_mode) && lstat(at("root/e"), &st) == 0 &&
            S_ISLNK(st.st_mode) && unlink(at("root/e")) == 0)
            mkdir(at("root/e"), 0755);
    }
}

static void race(bool plain)
{
    pthread_t thread;
    long worked = 0, failed = 0;
    scratch_begin();
    char settings[200];
    snprintf(settings, sizeof settings, "{\"root\":\"%s/root\",\"write\":true}", scratch);
    plugin_load(settings);
    const struct {
        const th_host *host;
        const struct action_plugin *plugin;
    } *offered = plugin_tool("fs_write")->user;
    ((struct fs_settings *)offered->plugin->settings)->plain = plain;
    make_inside();
    put_text(at("outside/f"), "SECRET");
    put_text(at("outside/g"), "SECRET");
    mkdir(at("outside/h"), 0700);
    atomic_store(&over, false);
    atomic_store(&exchanges, 0);
    assert_int_equal(pthread_create(&thread, NULL, exchange, NULL), 0);
    for (long i = 0; i < ROUNDS; i++) {
        size_t row = (size_t)i % (sizeof rows / sizeof *rows);
        th_call call = { 0 };
        refill(i);
        th_status status = plugin_run(&call, rows[row][0], rows[row][1]);
        worked += status == TH_OK;
        failed += status != TH_OK;
        if (call.output.len && strstr(call.output.ptr, "SECRET"))
            fail_msg("%s: %s", rows[row][0], call.output.ptr);
        call_fini(&call);
        if (i % 100 == 0)
            check_outside();
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    check_outside();
    print_message("# %ld calls worked, %ld failed, over %ld exchanges\n", worked, failed,
                  atomic_load(&exchanges));
    assert_true(worked > ROUNDS / 20);
    assert_true(failed > ROUNDS / 20);
    assert_true(atomic_load(&exchanges) > ROUNDS);
    plugin_unload();
    scratch_end();
}

static void test_a_folder_that_becomes_a_link_leads_nowhere(void **state)
{
    (void)state;
    race(false);
}

static void test_nor_does_it_without_openat2(void **state)
{
    (void)state;
    race(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_folder_that_becomes_a_link_leads_nowhere),
        cmocka_unit_test(test_nor_does_it_without_openat2),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
