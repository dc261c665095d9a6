/* Loading beside a server that goes on: domain folder, credentials, TLS certificates, and what to
 * watch, on a thread of its own, so that the loop never waits for a file or a rule.
 *
 *     begin ──thread──> loaded ──loop──> done(load) ──> its owner takes what it wants ──> free
 *
 * A thread, because libuv's pool ends the program when it cannot start one; here that is an error.
 * A load that is not wanted any more can be abandoned: its thread frees what it made when it is
 * done. */
#ifndef MGI_SERVICE_LOAD_H
#define MGI_SERVICE_LOAD_H

#include <uv.h>

#include "base/arena.h"
#include "base/buf.h"
#include "domain/domain.h"
#include "net/tls.h"
#include "security/auth.h"
#include "security/jwks.h"
#include "security/signing.h"
#include "service/watch.h"
#include "store/store.h"

/* What to load; borrowed during mgi_load_begin, which copies it. */
struct load_plan {
    const char *domain;
    const char *const *set; /* "key=value" */
    size_t set_count;
    const char *const *plugin_paths;
    size_t plugin_path_count;
    const char *toolhost;               /* program */
    struct farewells *farewells;        /* of hosts that stay */
    const char *auth_file;              /* or NULL */
    const char *issuer_keys;            /* a JWKS file, or NULL */
    const char *token;                  /* the operator's, or NULL */
    const char *store_sqlite;           /* open this store; NULL: none is opened */
    bool open_store;                    /* open one at all: the first time */
    const struct tls_server_files *tls; /* one per listener; certificate NULL: none */
    size_t tls_count;
    bool watch;                /* make the list of what to watch */
    const char *snapshot_file; /* a file of `manglecp build`, or NULL */
};

#define LOAD_STORE_BYTES ((size_t)64 * 1024 * 1024) /* of a store in memory */

struct load {
    struct arena arena;
    struct load_plan plan;

    /* What came of it. Everything is NULL or empty when anything went wrong; `text` then says what,
     * as `manglecp check` does. There may be warnings either way. */
    bool good;
    bool domain_good; /* else it is the domain that does not load, if nothing else */
    bool nomem;       /* else it may be memory alone */
    struct snapshot *snapshot;
    struct auth *auth;
    struct jwks *issuer_keys; /* NULL where none */
    struct tls_context **tls; /* by listener; NULL where none */
    struct store store;
    struct watch_list watch;
    struct buf text, warnings; /* lines */
    struct buf remarks;        /* lines for a log, of what went well otherwise */
};

/*
 * Begin; `done` is called once on the loop (never from inside this call), and `load` is then its
 * owner's, ended by mgi_load_free. NULL: memory, or no thread could be started.
 */
struct load *mgi_load_begin(uv_loop_t *loop, const struct load_plan *plan,
                            void (*done)(void *context, struct load *load), void *context);

/* The same on this thread, before there is a loop. NULL: memory. */
struct load *mgi_load_now(const struct load_plan *plan);

/* Nobody waits for it any more, but for half a second: `done` is not called, and what it made is
 * freed when its thread ends. True: that may be after the loop is closed, and a program that ends
 * meanwhile should do so without tidying up (_exit). */
bool mgi_load_abandon(struct load *load);

/* Whatever was not taken (set to NULL or {0}) is freed. NULL is fine. */
void mgi_load_free(struct load *load);

/* A small file that configures who may come in, appended to `out`. NULL, or what is wrong with it.
 */
const char *mgi_load_small_file(const char *path, struct buf *out);

/* Credentials alone: the operator's token, and a file of hashed ones. NULL: `text` says why. */
struct auth *mgi_load_auth(const char *token, const char *file, struct buf *text);
/* The same for signing keys. `file` NULL: one of 256 random bits. */
struct signing_keys *mgi_load_signing(const char *file, struct buf *text);
/* The key by which a decision log hides values: 16 bytes of a file or more, in `arena`. NULL, or
 * what is wrong with it. */
const char *mgi_load_decision_key(const char *file, struct arena *arena, struct str *out);
/* May others than its owner read the file, and does `word` stand in it? */
bool mgi_load_is_open_secret(const char *file, const char *word);

#endif
