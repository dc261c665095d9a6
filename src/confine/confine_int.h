/* What the files of this room share. */
#ifndef MGI_CONFINE_CONFINE_INT_H
#define MGI_CONFINE_CONFINE_INT_H

#include "confine/confine.h"

#if defined(__x86_64__)
#define CONFINE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CONFINE_ARCH AUDIT_ARCH_AARCH64
#endif

enum { FIRST_FD = 10 }; /* of what is open for long */

/* The youngest call that was looked at when the list of calls was written. A number above it is of
 * a kernel of the future: "not there" lets the C library fall back, where EPERM would be final. */
#define CONFINE_YOUNGEST_CALL 466

/* files.c: a ruleset for `wanted`, or -1 with *why set (in `arena`, or static). */
int mgi_confine_ruleset(const struct confinement *wanted, int abi, struct arena *arena,
                        const char **why);

/* calls.c: the list of calls for `may` as a program, of mgi_alloc(). NULL: *why (static). */
struct sock_filter *mgi_confine_calls(unsigned may, uint16_t *len, const char **why);

/* Those of it alone that are other ones than for `within`, whose program stays in force: together
 * they are the program for `may`. NULL without *why: there are none. */
struct sock_filter *mgi_confine_calls_less(unsigned within, unsigned may, uint16_t *len,
                                           const char **why);

/* arguments.c: what no list of calls can say. At most this many instructions. */
enum { CONFINE_ARGUMENTS_MAX = 256, CONFINE_SEAL_MAX = 24 };
uint16_t mgi_confine_arguments(struct sock_filter code[CONFINE_ARGUMENTS_MAX], unsigned may,
                               bool refuse_trimming, pid_t self);
uint16_t mgi_confine_no_new_code(struct sock_filter code[CONFINE_SEAL_MAX]);

/* group_place.c: the folder of the group `own` (as in /proc/self/cgroup), if this line of mountinfo
 * is of a version 2 mount that shows it. */
bool mgi_confine_group_folder(const char *mount_line, const char *own, char *out, size_t cap);

#endif
