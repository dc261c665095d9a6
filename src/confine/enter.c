/* Plans, and entering them: see confine.h. Below the line that says so, nothing but system calls.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine_int.h"
#include "confine/landlock_calls.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif
#define MDWE_REFUSE_EXEC_GAIN 1
#define MDWE_NO_INHERIT       2

/* ---- plans -------------------------------------------------------------------------------- */

static unsigned calls_of(const struct confinement *wanted)
{
    return wanted->may | (wanted->write_count > 0 ? CONFINE_WRITE : 0);
}

/* Where they differ in these alone, the outer one's filter of arguments serves the inner one, too:
 * it looks at sockets, which who has no network cannot ask for. */
static bool can_narrow(unsigned within, unsigned may)
{
    return within &&
           !((within ^ may) & ~(unsigned)(CONFINE_READ | CONFINE_WRITE | CONFINE_NETWORK));
}

const char *mgi_confine_plan_init(struct confine_plan *plan, const struct confinement *wanted,
                                  const struct confine_features *features, struct arena *arena)
{
    const char *why = NULL;
    *plan = (struct confine_plan){
        .may = calls_of(wanted),
        .limits = wanted->limits,
        .ruleset = -1,
        .trims_by_filter = features->landlock < LL_ABI_TRUNCATE,
        .lacks = mgi_confine_lacks(features, wanted->may),
        .narrows = can_narrow(wanted->within, calls_of(wanted)),
    };
    if (features->landlock > 0)
        plan->ruleset = mgi_confine_ruleset(wanted, features->landlock, arena, &why);
    if (!why && features->seccomp)
        plan->filter = plan->narrows ? mgi_confine_calls_less(wanted->within, plan->may,
                                                              &plan->filter_len, &why)
                                     : mgi_confine_calls(plan->may, &plan->filter_len, &why);
    return why;
}

void mgi_confine_plan_fini(struct confine_plan *plan)
{
    if (plan->ruleset >= 0)
        close(plan->ruleset);
    mgi_free(plan->filter);
    plan->ruleset = -1;
    plan->filter = NULL;
    plan->filter_len = 0;
}

/* ---- nothing but system calls from here on ------------------------------------------------ */

static bool limit_resource(int resource, uint64_t value, bool soft_only)
{
    struct rlimit limit;
    if (value == 0)
        return true;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return false;
    rlim_t least = (rlim_t)value < limit.rlim_max ? (rlim_t)value : limit.rlim_max;
    limit.rlim_cur = least;
    if (!soft_only)
        limit.rlim_max = least;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

static const char *enter_limits(const struct confine_limits *l)
{
    const struct rlimit no_core = { 0, 0 };
    if (setrlimit(RLIMIT_CORE, &no_core) != 0)
        return "core files";
    if (!limit_resource(RLIMIT_AS, l->memory_bytes, false))
        return "address space";
    if (!limit_resource(RLIMIT_FSIZE, l->file_bytes, false))
        return "file size";
    if (!limit_resource(RLIMIT_NOFILE, l->descriptors, false))
        return "descriptors";
    if (!limit_resource(RLIMIT_NPROC, l->processes, false))
        return "processes";
    if (!limit_resource(RLIMIT_CPU, l->cpu_seconds, l->cpu_soft_only))
        return "CPU time";
    return NULL;
}

/* User id 0 without capabilities is an ordinary user who owns root's files. What a program executed
 * later could get back is gone from the bounding set, and no_new_privs would not give it. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct none[2] = { { 0 } };
    for (int cap = 0; cap < 64; cap++)
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
            break; /* the last one there is; or we have none that could be dropped */
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0;
}

static bool add_filter(struct sock_filter *code, uint16_t len)
{
    const struct sock_fprog program = { len, code };
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0;
}

static bool enter_filters(const struct confine_plan *plan)
{
    struct sock_filter arguments[CONFINE_ARGUMENTS_MAX];
    if (!plan->filter)
        return true;
    if (plan->narrows)
        return add_filter(plan->filter, plan->filter_len);
    uint16_t len = mgi_confine_arguments(arguments, plan->may, plan->trims_by_filter, getpid());
    /* The younger filter's error is the one that is seen where both refuse. */
    return add_filter(plan->filter, plan->filter_len) && add_filter(arguments, len);
}

static const char *enter_surroundings(const struct confine_entry *entry)
{
    if (entry->own_session && setsid() < 0)
        return "session";
    if (entry->parent && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        return "the end with its parent";
    if (entry->parent && getppid() != entry->parent) /* it died before that was asked for */
        _exit(0);
    return NULL;
}

const char *mgi_confine_enter(const struct confine_plan *plan, const struct confine_entry *entry)
{
    const char *what = enter_surroundings(entry);
    if (!what)
        what = enter_limits(&plan->limits);
    if (what)
        return what;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "privileges";
    if (plan->limits_only)
        return NULL;
    if (!plan->narrows && !drop_capabilities())
        return "capabilities";
    if (!entry->will_exec && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return "reading of its memory";
    if (plan->ruleset >= 0 && ll_restrict(plan->ruleset) != 0)
        return "files";
    if (!enter_filters(plan))
        return "system calls";
    return NULL;
}

const char *mgi_confine_seal(const struct confine_plan *plan)
{
    struct sock_filter code[CONFINE_SEAL_MAX];
    if (!plan->filter || plan->may & CONFINE_MAKE_CODE)
        return NULL;
    if (plan->may &
        CONFINE_SPAWN) { /* kernels before 6.6 have no such seal, and it is one of two */
        prctl(PR_SET_MDWE, MDWE_REFUSE_EXEC_GAIN | MDWE_NO_INHERIT, 0, 0, 0);
        return NULL;
    }
    return add_filter(code, mgi_confine_no_new_code(code)) ? NULL : "executable memory";
}
