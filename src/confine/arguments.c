/* What a list of calls cannot say: which arguments a call may have, and the caller's own number,
 * which is not known before it runs. A second filter, written out. The stricter verdict of two
 * filters holds; this one refuses, and allows all the rest. Its calls leave the kernel's table of
 * calls that need no filter run; all others stay in it, and cost nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "confine/confine_int.h"

#ifdef CONFINE_ARCH

#define NEW_NAMESPACE 0x7e020000u /* CLONE_NEW... of clone(): for its child */
#define THREAD        0x10000u    /* CLONE_THREAD */
#define WHERE_NUMBER  ((uint32_t)offsetof(struct seccomp_data, nr))
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

struct program {
    struct sock_filter *code;
    uint16_t len;
};

static void put(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    p->code[p->len++] = (struct sock_filter){ code, yes, no, k };
}

static void put_load(struct program *p, uint32_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void put_return(struct program *p, uint32_t verdict)
{
    put(p, BPF_RET | BPF_K, verdict, 0, 0);
}

/* The low half: all arguments that are looked at are 32 bits wide to the kernel. */
static void put_load_argument(struct program *p, unsigned index)
{
    put_load(p, (uint32_t)(offsetof(struct seccomp_data, args) + 8 * index));
}

/* If the call is not `number`, skip the next `skip` instructions, which end in a verdict. */
static void put_unless(struct program *p, uint32_t number, uint8_t skip)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, number, 0, skip);
}

static void refuse_unless_self(struct program *p, uint32_t number, pid_t self)
{
    put_unless(p, number, 4);
    put_load_argument(p, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)self, 0, 1);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
}

static void refuse_values(struct program *p, uint32_t number, unsigned argument,
                          const uint32_t *values, uint8_t count)
{
    put_unless(p, number, (uint8_t)(count + 3));
    put_load_argument(p, argument);
    for (uint8_t i = 0; i < count; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], (uint8_t)(count - i), 0);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
}

/* Refuse if (argument & mask) == value. */
static void refuse_masked(struct program *p, uint32_t number, unsigned argument, uint32_t mask,
                          uint32_t value, uint32_t verdict)
{
    put_unless(p, number, 5);
    put_load_argument(p, argument);
    put(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, verdict);
}

static void kill_if_any(struct program *p, uint32_t number, unsigned argument, uint32_t mask)
{
    put_unless(p, number, 4);
    put_load_argument(p, argument);
    put(p, BPF_JMP | BPF_JSET | BPF_K, mask, 1, 0);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, SECCOMP_RET_KILL_PROCESS);
}

static void allow_values(struct program *p, uint32_t number, unsigned argument,
                         const uint32_t *values, uint8_t count)
{
    put_unless(p, number, (uint8_t)(count + 3));
    put_load_argument(p, argument);
    for (uint8_t i = 0; i < count; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], (uint8_t)(count - i), 0);
    put_return(p, REFUSE(EPERM));
    put_return(p, SECCOMP_RET_ALLOW);
}

static void allow_two(struct program *p, uint32_t number, uint32_t first, uint32_t second)
{
    put_unless(p, number, 6);
    put_load_argument(p, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, first, 0, 3);
    put_load_argument(p, 1);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, second, 0, 1);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
}

/* Whose first argument is a process or thread: 0, the caller, and no other one. Lowering a limit of
 * another process of the user, or its priority, would end it as surely as a signal. */
static void allow_own(struct program *p)
{
    static const uint32_t self[] = { 0 };
    const uint32_t calls[] = { SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler,
                               SYS_sched_setparam, SYS_sched_setattr };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        allow_values(p, calls[i], 0, self, 1);
    allow_two(p, SYS_setpriority, 0 /* PRIO_PROCESS */, 0);
    allow_two(p, SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, 0);
}

/* A pair of datagram sockets could be sent from to any other socket of the machine: streams, then,
 * and the resolver's question to the kernel which addresses this machine has. */
static void allow_sockets(struct program *p, unsigned may)
{
    put_unless(p, SYS_socketpair, 8);
    put_load_argument(p, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 5);
    put_load_argument(p, 1);
    put(p, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 0, 1);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
    if (!(may & CONFINE_NETWORK))
        return; /* socket() is not on the list */
    const uint32_t local = may & CONFINE_LOCAL_SOCKETS ? AF_UNIX : AF_INET;
    put_unless(p, SYS_socket, 9);
    put_load_argument(p, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 5, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 4, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, local, 3, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 3);
    put_load_argument(p, 2);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, NETLINK_ROUTE, 0, 1);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
}

static void begin(struct program *p)
{
    put_load(p, (uint32_t)offsetof(struct seccomp_data, arch));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, CONFINE_ARCH, 1, 0);
    put_return(p, SECCOMP_RET_KILL_PROCESS);
    put_load(p, WHERE_NUMBER);
}

/* Reading with O_TRUNC empties a file without opening it for writing, and a Landlock that does not
 * know truncation lets that pass. */
static void refuse_trimming(struct program *p)
{
    const uint32_t verdict = REFUSE(EACCES);
#ifdef SYS_open
    refuse_masked(p, SYS_open, 1, O_ACCMODE | O_TRUNC, O_TRUNC, verdict);
#endif
    refuse_masked(p, SYS_openat, 2, O_ACCMODE | O_TRUNC, O_TRUNC, verdict);
    put_unless(p, SYS_openat2, 1); /* its flags are out of sight */
    put_return(p, REFUSE(ENOSYS));
    put_unless(p, SYS_truncate, 1);
    put_return(p, verdict);
}

uint16_t mgi_confine_arguments(struct sock_filter code[CONFINE_ARGUMENTS_MAX], unsigned may,
                               bool no_trimming, pid_t self)
{
    /* Input pushed into a terminal; a signal of one's choice sent by a descriptor to anybody; a
     * lease that makes whoever opens the file wait. */
    static const uint32_t controls[] = { 0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */,
                                         0x5423 /* TIOCSETD */, 0x8901 /* FIOSETOWN */,
                                         0x8902 /* SIOCSPGRP */ };
    static const uint32_t owners[] = { 8 /* F_SETOWN */, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */,
                                       1024 /* F_SETLEASE */ };
    static const uint32_t own_end[] = { PR_SET_PDEATHSIG, PR_SET_MM };
    /* Asking, and the plain one: none that maps all memory executable. */
    static const uint32_t personalities[] = { 0, 0xffffffff };
    struct program p = { code, 0 };
    begin(&p);
    refuse_values(&p, SYS_ioctl, 1, controls, sizeof controls / sizeof *controls);
    refuse_values(&p, SYS_fcntl, 1, owners, sizeof owners / sizeof *owners);
    allow_values(&p, SYS_personality, 0, personalities, 2);
    allow_own(&p);
    allow_sockets(&p, may);
    if (may & CONFINE_SPAWN) {
        kill_if_any(&p, SYS_clone, 0, NEW_NAMESPACE);
    } else {
        refuse_masked(&p, SYS_clone, 0, THREAD, 0, REFUSE(EPERM));
        refuse_values(&p, SYS_prctl, 0, own_end, sizeof own_end / sizeof *own_end);
        refuse_unless_self(&p, SYS_kill, self);
        refuse_unless_self(&p, SYS_tgkill, self);
        refuse_unless_self(&p, SYS_rt_sigqueueinfo, self);
        refuse_unless_self(&p, SYS_rt_tgsigqueueinfo, self);
    }
    if (no_trimming)
        refuse_trimming(&p);
    put_return(&p, SECCOMP_RET_ALLOW);
    return p.len;
}

static void refuse_executable(struct program *p, uint32_t number)
{
    put_unless(p, number, 4);
    put_load_argument(p, 2);
    put(p, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
    put_return(p, SECCOMP_RET_ALLOW);
    put_return(p, REFUSE(EPERM));
}

uint16_t mgi_confine_no_new_code(struct sock_filter code[CONFINE_SEAL_MAX])
{
    struct program p = { code, 0 };
    begin(&p);
    refuse_executable(&p, SYS_mmap);
    refuse_executable(&p, SYS_mprotect);
    refuse_executable(&p, SYS_pkey_mprotect);
    put_return(&p, SECCOMP_RET_ALLOW);
    return p.len;
}

#else

uint16_t mgi_confine_arguments(struct sock_filter code[CONFINE_ARGUMENTS_MAX], unsigned may,
                               bool no_trimming, pid_t self)
{
    (void)code, (void)may, (void)no_trimming, (void)self;
    return 0;
}

uint16_t mgi_confine_no_new_code(struct sock_filter code[CONFINE_SEAL_MAX])
{
    (void)code;
    return 0;
}

#endif
