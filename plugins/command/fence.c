/* A filter of system calls: see fence.h. It stands beside, and never loosens, what confines the
 * worker. */
#include "fence.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FENCE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FENCE_ARCH AUDIT_ARCH_AARCH64
#endif

#define X32_CALLS 0x40000000u /* the second table of x86-64 has the same calls once more */

/* Of this worker: two arguments behind those that setpgid() has. */
static uint64_t key[2];

bool mgi_fence_lead(void)
{
    return syscall(SYS_setpgid, 0L, 0L, key[0], key[1]) == 0;
}

#ifdef FENCE_ARCH

#define FIELD(name)           (unsigned)offsetof(struct seccomp_data, name)
#define IF(test, k, yes, no)  BPF_JUMP(BPF_JMP | (test) | BPF_K, (k), (yes), (no))
#define LOAD(offset)          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define COMPARE(offset, half) /* X, which begins as 0, collects all bits that differ */            \
    LOAD(offset), BPF_STMT(BPF_ALU | BPF_XOR | BPF_K, (half)),                                     \
        BPF_STMT(BPF_ALU | BPF_OR | BPF_X, 0), BPF_STMT(BPF_MISC | BPF_TAX, 0)
enum { COMPARE_STEPS = 4 };

static bool raise_filter(void)
{
    uint32_t half[4]; /* as they lie in memory, here and in what the filter sees */
    memcpy(half, key, sizeof half);
    const unsigned at = FIELD(args[2]);
    const struct sock_filter code[] = {
        LOAD(FIELD(arch)),
        IF(BPF_JEQ, FENCE_ARCH, 0, 4 * COMPARE_STEPS + 6), /* other tables: refused whole */
        LOAD(FIELD(nr)),
        IF(BPF_JGE, X32_CALLS, 4 * COMPARE_STEPS + 4, 0),
        IF(BPF_JEQ, SYS_setsid, 4 * COMPARE_STEPS + 3, 0),
        IF(BPF_JEQ, SYS_setpgid, 0, 4 * COMPARE_STEPS + 1),
        COMPARE(at, half[0]),
        COMPARE(at + 4, half[1]),
        COMPARE(at + 8, half[2]),
        COMPARE(at + 12, half[3]),
        IF(BPF_JEQ, 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code,
                                        (struct sock_filter *)(uintptr_t)code };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 || errno == EINVAL ||
           errno == ENOSYS;
}

#else

static bool raise_filter(void)
{
    return true;
}

#endif

bool mgi_fence_raise(void)
{
    return getrandom(key, sizeof key, 0) == (ssize_t)sizeof key &&
           prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           raise_filter();
}
