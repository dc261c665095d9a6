/* What a server is told: one YAML file, the environment and the command line, made into one struct.
 *
 * Everything that can be said is a row of one table: its place in the file, its flag, its variable
 * (MANGLECP_SERVE_ and the flag in capitals), its kind, range and default, and a line of help. The
 * reader, the program's options, --print-config and the JSON Schema (docs/serve.schema.json) all
 * read the rows, so to add a setting is to add a field, a row and a line in docs/serving.md.
 *
 * A flag wins over the environment, that over the file, that over the default. Flags and variables
 * of a listener count for every listener that serves the protocol. Relative paths count from the
 * folder of the file that holds them; those of flags and variables from the working folder.
 *
 * Nothing here opens a file or reads the environment: texts come in. All faults are reported, each
 * with its place (docs/serving.md). */
#ifndef MGI_SERVICE_CONFIG_H
#define MGI_SERVICE_CONFIG_H

#include "base/arena.h"
#include "base/log.h"
#include "domain/domain.h"

struct config_list {
    const char **items; /* NULL-terminated */
    size_t count;
};

enum operations {                  /* are the pages of operations.c (/health, …) served here? */
                  OPERATIONS_AUTO, /* on a loopback address that no proxy stands in front of */
                  OPERATIONS_NEVER,
                  OPERATIONS_ALSO, /* beside the protocol */
                  OPERATIONS_ONLY
};

struct listener_config {
    const char *address; /* HOST:PORT, [HOST]:PORT, :PORT, systemd or systemd:NAME */
    const char *certificate, *key, *client_ca; /* PEM files, or NULL */
    bool client_optional, self_signed;
    struct config_list hosts, origins;
    bool behind_tls_proxy;
    int64_t max_connections;
    int64_t operations; /* enum operations */
    const char *origin; /* where it was said, for findings: a file or a flag */
    uint32_t line, column;
};

enum access_log { ACCESS_ALL, ACCESS_ERRORS, ACCESS_NONE };
enum log_format { LOG_TEXT, LOG_JSON };
enum decision_facts { DECISION_FACTS_FULL, DECISION_FACTS_DIGEST };

struct service_config {
    const char *domain;     /* the folder */
    struct config_list set; /* "key=value": over domain.yaml */
    struct config_list plugins;
    const char *toolhost; /* NULL: found */
    struct listener_config *listeners;
    size_t listener_count;
    bool stdio;
    const char *auth_file;    /* or NULL */
    const char *signing_keys; /* file, or NULL: one is made at the start */
    bool open_demo;
    struct oauth_config { /* another issuer of tokens; issuer NULL: none */
        const char *issuer, *resource, *audience, *token_url;
        const char *keys_url, *keys, *introspection, *client, *ca;
        const char *identity, *identity_prefix, *permissions, *prefix, *trust;
        int64_t skew_ms, timeout_ms, remember_ms;
    } oauth;
    const char *store_sqlite; /* NULL: in memory */
    int64_t quick_workers, slow_workers, max_waiting, max_open_requests;
    int64_t budget_bytes, idle_ms, head_ms, body_ms, write_ms, ping_ms;
    int64_t log_level, log_format, log_access; /* enum log_level, log_format, access_log */
    int64_t slow_rule_ms;                      /* 0: nobody looks */
    const char *decision_log;                  /* a file, or "stdout"; NULL: none */
    int64_t decision_facts;                    /* enum decision_facts */
    int64_t decision_rotate_bytes, decision_keep;
    const char *decision_key; /* or NULL */
    const char *journal;      /* a file; NULL: none */
    int64_t journal_max_bytes, journal_keep_ms, journal_keep_runs;
    bool journal_patches;
    bool watch;
    const char *snapshot; /* NULL: the one in the user's cache, if there is one */
    bool without_snapshot;
    int64_t drain_ms;
    bool fixed_clock;
    int64_t clock_ns;
};

/* ---- the rows ------------------------------------------------------------------------------ */

enum config_kind {
    CONFIG_TEXT,
    CONFIG_PATH,
    CONFIG_TEXTS, /* a list */
    CONFIG_PATHS,
    CONFIG_SET, /* a map of keys and values; flags give KEY=VALUE */
    CONFIG_BOOL,
    CONFIG_NUMBER,
    CONFIG_BYTES,    /* a number, or with KiB, MiB, GiB */
    CONFIG_DURATION, /* milliseconds; written as 30s */
    CONFIG_WORD,     /* one of `words`; its position is kept */
    CONFIG_TIME,     /* RFC 3339 */
    CONFIG_LISTENERS /* `listen` itself; flags give addresses */
};

enum config_scope { CONFIG_SERVER, CONFIG_LISTENER, CONFIG_OPERATIONS_LISTENER };

struct config_row {
    const char *path; /* "log.level"; of a listener below its entry: "tls.key" */
    enum config_kind kind;
    enum config_scope scope;
    size_t offset;      /* in struct service_config or listener_config */
    size_t more_offset; /* CONFIG_TIME: of the bool that says it was given */
    int64_t fallback, min, max;
    const char *const *words; /* CONFIG_WORD; of a CONFIG_PATH, what stands for no path */
    const char *flag;         /* "--log" or, of what stands alone on the command line, "DOMAIN" */
    const char *value_name;   /* "FILE"; NULL for flags without a value */
    const char *help;         /* one line */
    const char *(*fault)(const char *text); /* CONFIG_TEXTS: what is wrong with one; or NULL */
};

extern const struct config_row mgi_config_rows[];
extern const size_t mgi_config_row_count;

/* ---- reading ------------------------------------------------------------------------------- */

/* What a flag said, in the order of the command line. */
struct config_flag {
    const char *name;  /* "--log", or "DOMAIN" */
    const char *value; /* NULL for a flag without a value */
};

struct config_sources {             /* all borrowed during the call */
    const char *file;               /* name, for findings; NULL: none */
    struct str text;                /* what stands in it */
    const char *file_folder;        /* absolute; what its paths count from */
    const char *folder;             /* absolute; what other paths count from */
    const char *const *environment; /* NULL-terminated, or NULL */
    const struct config_flag *flags;
    size_t flag_count;
    bool token;             /* there is a MANGLECP_TOKEN: a network listener has a credential */
    bool listens_elsewhere; /* it may name no listener: they are added later */
};

/* Everything into *out, whose texts live in `arena`. False: at least one finding is an error, or
 * memory is short (then a finding says so). `arena` and `findings` are the caller's. */
bool mgi_config_read(const struct config_sources *sources, struct arena *arena,
                     struct findings *findings, struct service_config *out);

/* The name of the environment's variable that says what `row` is about: "MANGLECP_SERVE_LOG". */
void mgi_config_variable(struct buf *out, const struct config_row *row);

/* ---- writing ------------------------------------------------------------------------------- */

/* As a YAML file that says the same when it is read again; absolute paths. Values of `set` whose
 * keys look like secrets are left out, with a comment that says so. */
void mgi_config_print(struct buf *out, const struct service_config *config);

/* The JSON Schema (2020-12) of the file. */
void mgi_config_schema(struct buf *out);

/* ---- addresses ----------------------------------------------------------------------------- */

struct listen_address {
    bool activated; /* a socket of the service manager: `host` is its name, or "" */
    char host[128]; /* a numeric address, or "localhost" */
    int port;       /* 0: any */
    bool is_loopback;
};

/* "HOST:PORT", "[::1]:PORT", ":PORT" (loopback), "systemd", "systemd:NAME". NULL, or what is wrong
 * with it. */
const char *mgi_listen_address_parse(const char *text, struct listen_address *out);

#endif
