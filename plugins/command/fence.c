/* A filter of system calls: see fence.h. It stands beside, and never loosens, what confines the
 * worker. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "fence.h"

#if defined(__x86_64__)
#define FENCE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FENCE_ARCH AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) (unsigned)offsetof(struct seccomp_data, name)
#define X32_CALLS   0x40000000u /* the second table of x86-64 has the same calls once more */

bool mgi_fence(void)
{
#ifdef FENCE_ARCH
    static const struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FENCE_ARCH, 0, 4), /* other tables: refused whole */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpgid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    static const struct sock_fprog program = { sizeof code / sizeof *code,
                                               (struct sock_filter *)code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 || errno == EINVAL ||
           errno == ENOSYS;
#else
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
#endif
}
