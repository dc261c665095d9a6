/* The child's side of a start: see start.h. */
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REPORT_FD = 3 };

/* The sources may be any numbers, so first everything is moved out of the way. */
static int arrange_descriptors(const struct relay_child *c)
{
    int high[4];
    const int from[] = { c->in, c->out, c->err, c->report };
    for (int i = 0; i < 4; i++) {
        high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, REPORT_FD + 1);
        if (high[i] < 0)
            return -1;
    }
    for (int i = 0; i < REPORT_FD; i++)
        if (dup2(high[i], i) < 0)
            return -1;
    return dup3(high[REPORT_FD], REPORT_FD, O_CLOEXEC) < 0 ? -1 : 0;
}

static void close_others(void)
{
    struct rlimit limit;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, REPORT_FD + 1, ~0u, 0) == 0)
        return;
#endif
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 65536)
        limit.rlim_cur = 65536;
    for (int fd = REPORT_FD + 1; fd < (int)limit.rlim_cur; fd++)
        close(fd);
}

/* SIGXFSZ stays ignored, as the worker has it: a write beyond the limit fails instead of killing.
 */
static void reset_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    for (int n = 1; n < NSIG; n++)
        if (n != SIGKILL && n != SIGSTOP && n != SIGXFSZ)
            signal(n, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The worker's own limit moves with its calls; a program that outlives many has the hard one, and
 * what relay_program_allow_cpu() sets. */
static void raise_cpu_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

static int become(const struct relay_child *c)
{
    if (setsid() < 0 || arrange_descriptors(c) != 0)
        return -1;
    close_others();
    reset_signals();
    raise_cpu_limit();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || chdir(c->folder) != 0)
        return -1;
    if (getppid() != c->parent) /* it died before the signal was asked for */
        _exit(1);
    return execve(c->path, c->argv, c->envp);
}

_Noreturn void relay_child_run(const struct relay_child *c)
{
    become(c);
    int why = errno;
    ssize_t written = write(REPORT_FD, &why, sizeof why);
    if (written < 0) /* it did not get that far */
        written = write(c->report, &why, sizeof why);
    (void)written;
    _exit(127);
}
