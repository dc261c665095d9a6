/* A scratch root with a folder `policies`, scripts in it, and a loop to run them on. */
#ifndef TEST_SELECT_SCRIPTS_H
#define TEST_SELECT_SCRIPTS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <uv.h>

#include "select/policy_settings.h"

struct scratch {
    char root[64];
    uv_loop_t loop;
    struct arena arena;
    struct policy_settings settings;
};

static int remove_tree(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf -- '%s'", path);
    return system(command);
}

static void scratch_begin(struct scratch *s)
{
    char path[128];
    strcpy(s->root, "/tmp/manglecp-select-XXXXXX");
    assert_non_null(mkdtemp(s->root));
    snprintf(path, sizeof path, "%s/policies", s->root);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/tmp", s->root);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(uv_loop_init(&s->loop), 0);
    mgi_arena_init(&s->arena, 0);
}

static void scratch_end(struct scratch *s)
{
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&s->loop), 0);
    mgi_arena_fini(&s->arena);
    assert_int_equal(remove_tree(s->root), 0);
}

/* `text` with $ROOT as policies/NAME. */
static void script(struct scratch *s, const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/policies/%s", s->root, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    chmod(path, 0700);
}

/* Settings from "NAME=value" …, NULL, beside MACHINA_ROOT and TMPDIR in the scratch. */
static void settings(struct scratch *s, const char *const *more)
{
    char root[128], tmp[128];
    char *env[16] = { root, tmp, (char *)(uintptr_t) "PATH=/usr/bin:/bin" };
    struct buf problems = { 0 };
    size_t n = 3;
    snprintf(root, sizeof root, "MACHINA_ROOT=%s", s->root);
    snprintf(tmp, sizeof tmp, "TMPDIR=%s/tmp", s->root);
    for (; *more; more++)
        env[n++] = (char *)(uintptr_t)*more;
    bool good = mgi_policy_settings_read(&s->arena, env, "/", &s->settings, &problems);
    if (!good)
        fail_msg("%s", problems.ptr ? problems.ptr : "memory");
    mgi_buf_fini(&problems);
}

/* How many entries a folder has. */
static size_t entries_of(const char *path)
{
    size_t n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static size_t payloads_left(const struct scratch *s)
{
    char path[128];
    snprintf(path, sizeof path, "%s/tmp", s->root);
    return entries_of(path);
}

/* Processes that have the scratch in their command line or their environment, and are no zombies.
 */
static size_t processes_left(const struct scratch *s)
{
    size_t found = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; proc && (e = readdir(proc));) {
        static const char *const files[] = { "cmdline", "environ" };
        for (int i = 0; i < 2 && e->d_name[0] >= '1' && e->d_name[0] <= '9'; i++) {
            char path[300], text[8192];
            if (atoi(e->d_name) == (int)getpid())
                continue;
            snprintf(path, sizeof path, "/proc/%s/%s", e->d_name, files[i]);
            int fd = open(path, O_RDONLY | O_CLOEXEC);
            ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
            if (fd >= 0)
                close(fd);
            if (n > 0 && memmem(text, (size_t)n, s->root, strlen(s->root))) {
                found++;
                break;
            }
        }
    }
    if (proc)
        closedir(proc);
    return found;
}

/* What was killed may take a moment to be gone. */
static void assert_nothing_left(const struct scratch *s)
{
    const struct timespec moment = { .tv_nsec = 5000000 };
    for (int i = 0; i < 200 && processes_left(s) > 0; i++)
        nanosleep(&moment, NULL);
    assert_int_equal(processes_left(s), 0);
    assert_int_equal(payloads_left(s), 0);
}

#endif
