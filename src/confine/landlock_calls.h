/* Landlock's system calls and constants as the kernel has them today: the headers of a stable
 * distribution are years older, and a kernel that does not know a bit is asked for its ABI first.
 * https://docs.kernel.org/userspace-api/landlock.html */
#ifndef MGI_CONFINE_LANDLOCK_CALLS_H
#define MGI_CONFINE_LANDLOCK_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset /* the same numbers on every machine */
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#define LL_EXECUTE     (UINT64_C(1) << 0)
#define LL_WRITE_FILE  (UINT64_C(1) << 1)
#define LL_READ_FILE   (UINT64_C(1) << 2)
#define LL_READ_DIR    (UINT64_C(1) << 3)
#define LL_REMOVE_DIR  (UINT64_C(1) << 4)
#define LL_REMOVE_FILE (UINT64_C(1) << 5)
#define LL_MAKE_CHAR   (UINT64_C(1) << 6)
#define LL_MAKE_DIR    (UINT64_C(1) << 7)
#define LL_MAKE_REG    (UINT64_C(1) << 8)
#define LL_MAKE_SOCK   (UINT64_C(1) << 9)
#define LL_MAKE_FIFO   (UINT64_C(1) << 10)
#define LL_MAKE_BLOCK  (UINT64_C(1) << 11)
#define LL_MAKE_SYM    (UINT64_C(1) << 12)
#define LL_REFER       (UINT64_C(1) << 13) /* ABI 2 */
#define LL_TRUNCATE    (UINT64_C(1) << 14) /* ABI 3 */
#define LL_IOCTL_DEV   (UINT64_C(1) << 15) /* ABI 5 */

#define LL_BIND_TCP    (UINT64_C(1) << 0) /* ABI 4 */
#define LL_CONNECT_TCP (UINT64_C(1) << 1)

#define LL_SCOPE_ABSTRACT (UINT64_C(1) << 0) /* ABI 6 */
#define LL_SCOPE_SIGNAL   (UINT64_C(1) << 1)

enum { LL_ABI_REFER = 2, LL_ABI_TRUNCATE = 3, LL_ABI_NET = 4, LL_ABI_IOCTL = 5, LL_ABI_SCOPE = 6 };

struct ll_ruleset {
    uint64_t files, net, scoped; /* what is denied unless a rule allows it */
};

struct ll_path {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

#define LL_RULE_PATH 1

static inline long ll_abi(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
}

static inline int ll_create(const struct ll_ruleset *r, size_t size)
{
    return (int)syscall(SYS_landlock_create_ruleset, r, size, 0U);
}

static inline int ll_add_path(int ruleset, const struct ll_path *rule)
{
    return (int)syscall(SYS_landlock_add_rule, ruleset, LL_RULE_PATH, rule, 0U);
}

static inline int ll_restrict(int ruleset)
{
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0U);
}

#endif
