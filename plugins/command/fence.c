/* A filter of system calls: see fence.h. It stands beside, and never loosens, what confines the
 * worker. */
#include "fence.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
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

static uint32_t key[2]; /* of the worker; the upper halves of both arguments */

bool mgi_fence_lead(void)
{
    return syscall(SYS_setpgid, (uint64_t)key[0] << 32, (uint64_t)key[1] << 32) == 0;
}

#ifdef FENCE_ARCH

#define FIELD(name)    (unsigned)offsetof(struct seccomp_data, name)
#define LOAD(offset)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define LOW(argument)  (FIELD(args) + 8 * (argument)) /* both machines are little-endian */
#define HIGH(argument) (LOW(argument) + 4)
/* Go on if what was loaded is `k`, else skip. */
#define UNLESS(k, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, (skip))

bool mgi_fence_raise(void)
{
    if (getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
        return false;
    const struct sock_filter code[] = {
        LOAD(FIELD(arch)),
        UNLESS(FENCE_ARCH, 13), /* other tables: refused whole */
        LOAD(FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 11, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 10, 0),
        UNLESS(SYS_setpgid, 8),
        LOAD(HIGH(0)),
        UNLESS(key[0], 7),
        LOAD(HIGH(1)),
        UNLESS(key[1], 5),
        LOAD(LOW(0)),
        UNLESS(0, 3),
        LOAD(LOW(1)),
        UNLESS(0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code,
                                        (struct sock_filter *)(uintptr_t)code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 || errno == EINVAL ||
           errno == ENOSYS;
}

#else

bool mgi_fence_raise(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

#endif
