/* Runs an attempt in a confined child, for the tests of this folder: as root and as an ordinary
 * user, where the test is root. The child tells by its exit status what became of the attempt. */
#ifndef TESTS_CONFINE_CONFINED_H
#define TESTS_CONFINE_CONFINED_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "confine/confine.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

enum { NOBODY = 65534, DONE = 0, PLAN_FAILED = 251, ENTER_FAILED = 252, SIGNALLED = 1000 };

/* An attempt returns 0 if it succeeded, else errno. */
typedef int attempt_fn(void *context);

struct trial {
    unsigned may;
    const char *read[4], *write[4];
    struct confine_limits limits;
    const struct confine_features *features; /* NULL: those of this kernel */
    const char *private_folder;
    bool seal, as_nobody, will_exec;
};

static inline size_t trial_count(const char *const *paths)
{
    size_t n = 0;
    while (n < 4 && paths[n])
        n++;
    return n;
}

static inline void trial_become_nobody(void)
{
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
        _exit(PLAN_FAILED);
}

static inline const char *trial_enter(const struct trial *t, struct confine_plan *plan)
{
    struct arena arena;
    struct confine_features features;
    mgi_arena_init(&arena, 0);
    mgi_confine_probe(&features);
    const struct confinement wanted = {
        .may = t->may,
        .read = t->read,
        .read_count = trial_count(t->read),
        .write = t->write,
        .write_count = trial_count(t->write),
        .private_folder = t->private_folder,
        .limits = t->limits,
    };
    const char *why =
        mgi_confine_plan_init(plan, &wanted, t->features ? t->features : &features, &arena);
    if (why) {
        fprintf(stderr, "plan: %s\n", why);
        _exit(PLAN_FAILED);
    }
    const struct confine_entry entry = { .parent = getppid(),
                                         .own_session = true,
                                         .will_exec = t->will_exec };
    why = mgi_confine_enter(plan, &entry);
    return why || !t->seal ? why : mgi_confine_seal(plan);
}

/* 0, errno, or SIGNALLED + the signal that ended the child. */
static inline int trial_run(const struct trial *t, attempt_fn *attempt, void *context)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct confine_plan plan;
        signal(SIGSYS, SIG_DFL); /* a sanitizer may have a handler */
        signal(SIGSEGV, SIG_DFL);
        if (t->as_nobody)
            trial_become_nobody();
        const char *why = trial_enter(t, &plan);
        if (why) {
            fprintf(stderr, "enter: %s: %s\n", why, strerror(errno));
            _exit(ENTER_FAILED);
        }
        _exit(attempt(context) & 0xff);
    }
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

static inline int outcome(long rc)
{
    return rc < 0 ? errno : DONE;
}

static inline bool kernel_has(int landlock_abi)
{
    struct confine_features f;
    mgi_confine_probe(&f);
    return f.seccomp && f.landlock >= landlock_abi;
}

#endif
