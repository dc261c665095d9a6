/* What the files of `manglecp doctor` share: what was looked at, and what was found.
 *
 *   files --> servers (the same one in two files is one) --> asked, side by side --> findings
 *
 * Everything lives in the examination's arena. Texts of findings may hold what servers say: what
 * nobody sees in it is made visible, and no value of a variable is in it. */
#ifndef MGI_CLI_MANGLECP_DOCTOR_H
#define MGI_CLI_MANGLECP_DOCTOR_H

#include "actions/client_config.h"
#include "cli/cli_files.h"
#include "cli/manglecp_clients.h"

enum { DOCTOR_FILES = 64, DOCTOR_SERVERS = 128, DOCTOR_TOOLS = 4096 };

enum check_severity { CHECK_ERROR, CHECK_WARNING, CHECK_NOTE };

/* clang-format off */
#define DOCTOR_CHECKS(X)                                                                           \
    X(FILE_BROKEN, "file-broken", CHECK_ERROR, "Repair it: the client cannot read it, either.")    \
    X(FILE_WRITABLE, "file-writable", CHECK_ERROR,                                                 \
      "chmod o-w,g-w: whoever may write it decides what your client starts.")                      \
    X(FILE_READABLE, "file-readable", CHECK_NOTE,                                                  \
      "chmod o-r, if there is or will be anything in it that is not for all users of this machine.") \
    X(LITERAL_SECRET, "literal-secret", CHECK_WARNING,                                             \
      "Put it into a variable, write ${NAME} (or what this client has for it) here, and renew it " \
      "if others could read the file.")                                                            \
    X(NO_SERVER, "no-server", CHECK_ERROR, "It needs a \"command\" or a \"url\", and not both.")   \
    X(NO_COMMAND, "no-command", CHECK_ERROR,                                                       \
      "Install it, or write its absolute path: a client may have another PATH than your shell.")   \
    X(UNSAFE_COMMAND, "unsafe-command", CHECK_ERROR, "chmod o-w: everybody can exchange it.")      \
    X(BAD_VALUE, "bad-value", CHECK_ERROR, "Correct the entry.")                                   \
    X(NO_VARIABLE, "no-variable", CHECK_ERROR,                                                     \
      "Set it where the client is started, or write ${NAME:-otherwise}.")                          \
    X(NOT_EXPANDED, "not-expanded", CHECK_WARNING,                                                 \
      "Hand the variable on as this client does (Codex: env_vars), or the server gets the text as " \
      "it stands.")                                                                                \
    X(UNPINNED, "unpinned", CHECK_WARNING,                                                         \
      "Write the version that you have looked at (name@1.2.3, name==1.2.3, image@sha256:…): else " \
      "each start may run other code.")                                                            \
    X(OLD_TRANSPORT, "old-transport", CHECK_WARNING,                                               \
      "Use the server's address for streamable HTTP (\"type\": \"http\"): this one is of 2024.")   \
    X(NOT_TRUSTED, "not-trusted", CHECK_NOTE,                                                      \
      "Read the entry; --yes starts what the files of this folder name.")                          \
    X(NOT_STARTED, "not-started", CHECK_ERROR,                                                     \
      "Run its command by hand and read what it says; --timeout-ms gives it longer.")              \
    X(NOT_REACHED, "not-reached", CHECK_ERROR,                                                     \
      "Look whether it runs, and at the entry: the address, and what it sends to be let in.")      \
    X(SLOW_START, "slow-start", CHECK_WARNING,                                                     \
      "Every start of the client waits for it. If npx, uvx or docker fetches it, install it.")     \
    X(OLD_REVISION, "old-revision", CHECK_NOTE, "Look for a newer version of the server.")         \
    X(NOISE, "noise", CHECK_WARNING,                                                               \
      "It writes what is no message to its standard output: clients may give it up. Log to "       \
      "standard error.")                                                                           \
    X(NO_TOOLS, "no-tools", CHECK_WARNING, "Take it out of the configuration if nobody needs it.") \
    X(BAD_TOOL, "bad-tool", CHECK_ERROR, "Clients leave such a tool out, or the whole server.")    \
    X(SCHEMA_INVALID, "schema-invalid", CHECK_ERROR,                                               \
      "Tell the server's author: models and clients guess what is meant.")                         \
    X(SCHEMA_KEYWORD, "schema-keyword", CHECK_WARNING,                                             \
      "Tell the server's author: nobody enforces what is unknown, and some clients refuse it.")    \
    X(SCHEMA_EMPTY, "schema-empty", CHECK_NOTE,                                                    \
      "If the tool takes arguments they should be in its schema; else say "                        \
      "\"additionalProperties\": false.")                                                          \
    X(NO_DESCRIPTION, "no-description", CHECK_WARNING,                                             \
      "Tell the server's author: the model chooses by the description alone.")                     \
    X(NO_ARGUMENT_DESCRIPTION, "no-argument-description", CHECK_NOTE,                              \
      "Tell the server's author, where the names do not say it all.")                              \
    X(NO_ANNOTATIONS, "no-annotations", CHECK_WARNING,                                             \
      "Tell the server's author: they count as destructive, so clients ask for each call.")        \
    X(CONTRADICTION, "contradiction", CHECK_WARNING,                                               \
      "Do not let the client run it without asking; tell the server's author.")                    \
    X(HIDDEN_TEXT, "hidden-text", CHECK_ERROR,                                                     \
      "Do not use this server before you know why: models read what you cannot see.")              \
    X(LONG_TEXT, "long-text", CHECK_WARNING,                                                       \
      "Each conversation pays for it; offer what is needed: manglecp mcp.")                        \
    X(NAME_CLASH, "name-clash", CHECK_WARNING,                                                     \
      "Switch one of them off in this client: the model may call the wrong one.")                  \
    X(SAME_NAME, "same-name", CHECK_NOTE, "Only one of them counts: rename one.")                  \
    X(MANY_TOKENS, "many-tokens", CHECK_WARNING,                                                   \
      "Put a domain in front that offers what is relevant: manglecp mcp.")                         \
    X(NO_FILTER, "no-seccomp", CHECK_WARNING,                                                      \
      "Use a kernel with seccomp filters: system calls of actions are not confined here.")         \
    X(NO_LANDLOCK, "no-landlock", CHECK_WARNING,                                                   \
      "Boot with Landlock (lsm=landlock,…; Linux 5.13 or later): files are not confined here.")    \
    X(NO_TOOLHOST, "no-toolhost", CHECK_ERROR,                                                     \
      "Install manglecp as a whole: nothing can be started without it.")
/* clang-format on */

enum check {
#define X(name, word, severity, advice) CHECK_##name,
    DOCTOR_CHECKS(X)
#undef X
};

struct check_row {
    const char *word;
    enum check_severity severity;
    const char *advice;
};
extern const struct check_row mgi_doctor_checks[];
extern const size_t mgi_doctor_check_count;

struct doctor_finding {
    enum check check;
    enum check_severity severity;
    const char *text;
};

struct doctor_findings {
    struct doctor_finding *items;
    size_t count, cap;
};

struct doctor_file {
    const struct client_file *row; /* NULL: named on the command line */
    const char *path;
    const char *scope; /* "user", "project", "local", "given" */
    size_t server_count;
    bool trusted; /* what it names is started */
    struct doctor_findings findings;
};

enum server_state { SERVER_OFF, SERVER_LEFT, SERVER_FAILED, SERVER_STARTED };

struct doctor_server {
    struct str name;
    const struct yaml_node *entry;
    struct str document;       /* how it is started; len 0: it cannot be */
    const struct str *secrets; /* values that no text may have */
    size_t secret_count;
    struct doctor_file **files; /* where it is named */
    size_t file_count, file_cap;
    enum server_state state;
    const char *why;   /* SERVER_FAILED */
    struct json offer; /* SERVER_STARTED: client_offer.h */
    int64_t start_ms;
    size_t tool_count, tokens;
    struct doctor_findings findings;
    struct arena answer; /* the thread's that asks */
};

struct examination {
    struct arena arena;
    struct yaml_context yaml;
    struct doctor_file *files[DOCTOR_FILES];
    size_t file_count;
    struct doctor_server *servers[DOCTOR_SERVERS];
    size_t server_count;
    struct doctor_findings machine;
    const char *folder;            /* where the command runs: the project */
    const char *toolhost, *plugin; /* NULL: there is none */
    int64_t slow_ms;               /* from when on a start is slow */
    bool full;                     /* more files or servers than are looked at */
};

/* Memory that is short is in arena.oom. */
void mgi_doctor_add(struct examination *e, struct doctor_findings *to, enum check check,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* One file; what is wrong with it and with its entries is told. `row` NULL: FILE was given. */
void mgi_doctor_read(struct examination *e, const char *path, const struct client_file *row);

/* A text of a server, or about it, without the values that it is told. */
const char *mgi_doctor_without_secrets(struct examination *e, const struct doctor_server *s,
                                       struct str text);

/* An entry: its secrets, its command, and `document`, how it is started. */
void mgi_doctor_entry(struct examination *e, struct doctor_server *s);
/* What was found while reading, from that finding on, becomes ours. */
void mgi_doctor_move(struct examination *e, struct doctor_findings *to, size_t from);

/* Start what is trusted, a few side by side, and wait until all have answered. False: memory. */
bool mgi_doctor_start(struct examination *e, int64_t timeout_ms);

/* What a server offers, and what servers offer together. */
void mgi_doctor_judge(struct examination *e, struct doctor_server *s);
void mgi_doctor_compare(struct examination *e);

/* The machine itself. */
void mgi_doctor_machine(struct examination *e);

void mgi_doctor_print(struct examination *e);
bool mgi_doctor_print_json(struct examination *e);
size_t mgi_doctor_count(const struct examination *e, enum check_severity severity);

#endif
