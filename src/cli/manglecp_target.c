/* Reaching a server, wherever it is, and saying what went wrong. */
#include "cli/manglecp_target.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/manglecp_ask.h"
#include "cli/manglecp_confirm.h"
#include "cli/manglecp_http.h"
#include "cli/manglecp_render.h"

static void say_escaped(const char *text)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, str_of(text));
    mgi_cli_error("%s", out.ptr ? out.ptr : "");
    mgi_buf_fini(&out);
}

/* ---- what the library asks of the program ------------------------------------------------------
 */

void mgi_target_clear_progress(struct target *t)
{
    if (t->drawn)
        fprintf(stderr, "\r\033[K");
    t->drawn = false;
}

static void show_progress(void *context, const char *status, const char *detail, double percent)
{
    struct target *t = context;
    const struct cli_style *s = mgi_cli_style(stderr);
    struct buf text = { 0 };
    if (t->options.quiet || !isatty(STDERR_FILENO))
        return;
    mgi_utf8_show(&text, str_of(status));
    mgi_buf_putc(&text, ' ');
    mgi_utf8_show(&text, str_of(detail));
    fprintf(stderr, "\r\033[K%s%s", s->dim, text.ptr ? text.ptr : "");
    if (percent >= 0)
        fprintf(stderr, " %.0f%%", percent);
    fprintf(stderr, "%s", s->reset);
    t->drawn = true;
    mgi_buf_fini(&text);
}

/* What a spawned server writes to its standard error. */
static void show_child_line(void *context, const char *line, size_t len)
{
    struct buf text = { 0 };
    mgi_target_clear_progress(context);
    mgi_utf8_show(&text, (struct str){ line, len });
    fprintf(stderr, "%s\n", text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
}

/* Only a person at a terminal, or --yes, says yes. */
static bool ask_person(void *context, const struct manglecp_consent *what)
{
    struct target *t = context;
    mgi_target_clear_progress(t);
    fflush(stdout);
    if (!t->options.yes && !mgi_ask_can()) {
        struct buf text = { 0 };
        mgi_buf_printf(&text, "%s needs the user's consent", what->tool);
        say_escaped(text.ptr ? text.ptr : "");
        mgi_buf_fini(&text);
        mgi_cli_hint("Run it at a terminal and answer there, or say --yes.");
        t->refused = true;
        return false;
    }
    bool seen = mgi_ask_show(what, NULL);
    if (t->options.yes && what->differs) {
        mgi_cli_error("the server asks for something else than the tool said");
        mgi_cli_hint("--yes is a yes to the tool as it was shown: answer this at a terminal.");
        t->refused = true;
        return false;
    }
    return t->options.yes || (seen && mgi_ask_yes("Run it?"));
}

/* Where this process is the server, or has started it, the person sits before it: what they agreed
 * to is approved. */
static bool approve_here(void *context, const char *challenge)
{
    const struct target *t = context;
    if (t->local)
        return mgi_local_approve(t->local, challenge);
    return !t->word && mgi_confirm_here(challenge);
}

static int64_t fixed_clock(void *context)
{
    return ((const struct target *)context)->options.host.clock_ns;
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool was_interrupted(void *context)
{
    (void)context;
    return interrupted != 0;
}

void mgi_target_catch_interrupt(void)
{
    struct sigaction act = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigaction(SIGINT, &act, NULL);
}

/* ---- opening ------------------------------------------------------------------------------------
 */

static bool is_address(const char *target)
{
    return strstr(target, "://") != NULL;
}

/* The key that answers challenges leaves the environment, so that no server that is started here
 * gets it. One in this process asks the person before it, and needs none. */
static void take_confirm_key(struct target *t)
{
    static const char name[] = "MANGLECP_CONFIRM_KEY";
    const char *said = getenv(name);
    bool wanted = t->options.may_ask && !t->options.confirm_key && !(t->word && !t->remembers);
    char *copy = said && wanted ? mgi_cli_keep(strlen(said) + 1) : NULL;
    if (copy)
        t->options.confirm_key = memcpy(copy, said, strlen(said) + 1);
    (void)unsetenv(name);
}

static struct manglecp_options client_options(struct target *t)
{
    const struct target_options *o = &t->options;
    const char *token = o->token ? o->token : getenv("MANGLECP_TOKEN");
    struct manglecp_options out = {
        .token = t->local ? NULL : token,
        .credentials = t->remembers ? mgi_credentials_path(o->credentials) : NULL,
        .confirm_key = o->confirm_key,
        .ca_file = o->ca_file,
        .certificate = o->certificate,
        .certificate_key = o->certificate_key,
        .insecure = o->insecure,
        .websocket = o->websocket,
        .connect_timeout_ms = o->connect_timeout_ms,
        .manifest_timeout_ms = o->manifest_timeout_ms,
        .timeout_ms = o->timeout_ms,
        .ready_timeout_ms = o->ready_timeout_ms,
        .progress = show_progress,
        .consent = o->may_ask ? ask_person : NULL,
        .approve = approve_here,
        .child_line = show_child_line,
        .context = t,
    };
    if (o->host.fixed_clock && t->local)
        out.clock_ns = fixed_clock;
    if (o->stops_on_signal)
        out.abandon = was_interrupted;
    return out;
}

/* "localhost:8765" is an address that lacks its scheme, if there is no such folder. */
static bool lacks_scheme(const char *word)
{
    const char *colon = strrchr(word, ':');
    return colon && colon > word && isdigit((unsigned char)colon[1]) && access(word, F_OK) != 0;
}

static int open_folder(struct target *t)
{
    struct buf why = { 0 };
    struct host_options host = t->options.host;
    int status;
    host.domain = t->word;
    t->local = mgi_local_new(&host, &status);
    if (!t->local)
        return status;
    struct manglecp_options o = client_options(t);
    if (mgi_client_open(mgi_local_link(t->local), &o, &t->client, &why)) {
        say_escaped(why.ptr ? why.ptr : "out of memory");
        t->local = NULL;
        status = EXIT_USAGE;
    }
    mgi_buf_fini(&why);
    return status;
}

static int open_elsewhere(struct target *t)
{
    char message[1024] = "";
    struct manglecp_options o = client_options(t);
    enum manglecp_status status =
        t->word ? manglecp_connect(t->word, &o, &t->client, message, sizeof message)
                : manglecp_spawn(t->command.items, &o, &t->client, message, sizeof message);
    if (!status)
        return EXIT_ANSWERED;
    say_escaped(message[0] ? message : "out of memory");
    if (status == MANGLECP_ERR_TIMEOUT)
        mgi_cli_hint("--connect-timeout-ms and --manifest-timeout-ms say how long is waited.");
    else if (status == MANGLECP_ERR_CREDENTIALS && strstr(message, "has ended"))
        mgi_credentials_hint(t->word);
    else
        mgi_cli_unreached_hint(message);
    return EXIT_USAGE;
}

/* Waits are at least a millisecond; only that for a ready server may be declined. */
static bool waits_make_sense(const struct target_options *o)
{
    if (o->timeout_ms >= 0 && o->connect_timeout_ms >= 0 && o->manifest_timeout_ms >= 0)
        return true;
    mgi_cli_error("a time to wait is not negative");
    return false;
}

/* Options that say nothing to such a target. All are told. */
static bool options_fit(const struct target *t)
{
    const struct target_options *o = &t->options;
    const bool folder = t->word && !t->remembers, address = t->remembers;
    const struct {
        const char *name;
        bool said, fits;
    } rows[] = {
        { "--token", o->token != NULL, !folder },
        { "--credentials", o->credentials != NULL, address },
        { "--insecure", o->insecure, address },
        { "--websocket", o->websocket, address },
        { "--ca", o->ca_file != NULL, address },
        { "--certificate", o->certificate != NULL, address },
        { "--certificate-key", o->certificate_key != NULL, address },
        { "--set", o->host.set.count > 0, folder },
        { "--plugins", o->host.plugin_paths.count > 0, folder },
        { "--toolhost", o->host.toolhost != NULL, folder },
    };
    bool fit = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].said && !rows[i].fits) {
            mgi_cli_error("%s says nothing to %s", rows[i].name,
                          folder    ? "a domain folder"
                          : address ? "a server at an address"
                                    : "the server that a command starts");
            fit = false;
        }
    return fit;
}

int mgi_target_read(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest)
{
    *t = (struct target){ .options = *options };
    bool command = after_dashes != SIZE_MAX && after_dashes < words->count;
    size_t first = command ? 0 : 1, end = command ? after_dashes : words->count;
    if (!command && words->count == 0) {
        mgi_cli_error("a TARGET is needed");
        mgi_cli_hint("Give a domain folder, an http:// or ws:// address, or -- and the command of "
                     "a server.");
        return EXIT_USAGE;
    }
    if (!waits_make_sense(options))
        return EXIT_USAGE;
    for (size_t i = first; i < end; i++)
        if (!mgi_cli_list_add(rest, words->items[i]))
            return EXIT_USAGE;
    for (size_t i = after_dashes; command && i < words->count; i++)
        (void)mgi_cli_list_add(&t->command, words->items[i]);
    (void)mgi_cli_list_add(&t->command, NULL);
    t->word = command ? NULL : words->items[0];
    t->remembers = t->word && is_address(t->word);
    if (!options_fit(t))
        return EXIT_USAGE;
    if (t->word && !t->remembers && lacks_scheme(t->word)) {
        mgi_cli_error("%s is neither a domain folder nor an address", t->word);
        mgi_cli_hint("Did you mean http://%s?", t->word);
        return EXIT_USAGE;
    }
    take_confirm_key(t);
    return EXIT_ANSWERED;
}

int mgi_target_open(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest)
{
    int status = mgi_target_read(t, options, words, after_dashes, rest);
    if (status)
        return status;
    return t->word && !t->remembers ? open_folder(t) : open_elsewhere(t);
}

void mgi_target_close(struct target *t)
{
    mgi_target_clear_progress(t);
    manglecp_close(t->client);
    t->client = NULL;
    t->local = NULL;
}

bool mgi_target_took_all(struct target *t, const struct cli_list *rest)
{
    if (rest->count == 0)
        return true;
    mgi_cli_error("\"%s\" stands where nothing is expected", rest->items[0]);
    mgi_target_close(t);
    return false;
}

/* ---- failing ------------------------------------------------------------------------------------
 */

/* A message that names what it speaks of needs no pointer to it. */
static bool tells_where(const char *where)
{
    static const char *const known[] = { "", "/intent/name", "/macro_id", "/facts" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(where, known[i]) == 0)
            return false;
    return true;
}

static void say_problems(const manglecp_client *c)
{
    for (size_t i = 0; i < manglecp_problem_count(c); i++) {
        const struct manglecp_problem *p = manglecp_problem(c, i);
        struct buf line = { 0 };
        if (tells_where(p->where)) {
            mgi_utf8_show(&line, str_of(p->where));
            mgi_buf_puts(&line, ": ");
        }
        mgi_utf8_show(&line, str_of(p->message));
        mgi_cli_error("%s", line.ptr ? line.ptr : "");
        mgi_buf_fini(&line);
        if (strcmp(p->what, "missing_facts") == 0)
            mgi_cli_hint(
                "Give each with --fact '{\"pred\":\"NAME\",\"args\":[...]}'; a client that "
                "stays (walk, mcp) has those that its earlier tools brought.");
    }
}

static void say_answer(const manglecp_client *c)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *payload = mgi_render_payload(&arena, str_of(manglecp_error(c)->json));
    if (payload)
        mgi_render_error(stderr, payload);
    mgi_arena_fini(&arena);
}

static void hint_at_recovery(const manglecp_client *c)
{
    static const struct {
        const char *code, *hint;
    } rows[] = {
        { "auth_required", "Give a token with --token or in MANGLECP_TOKEN." },
        { "auth_invalid", "The server does not know the token, or it has ended: get a new one." },
        { "macro_not_found",
          "Add --intent NAME and its facts: the same facts give the same tool." },
        { "macro_expired",
          "Its time is over, or this machine's clock is wrong: --server-time leaves "
          "the time to the server." },
        { "rate_limited", "--ready-timeout-ms says how long the client may wait for it." },
        { "server_not_ready", "--ready-timeout-ms says how long the client may wait for it." },
        { "confirmation_required",
          "Give the confirmation key of your token with --confirm-key or in "
          "MANGLECP_CONFIRM_KEY; manglecp token --confirm-key makes one." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(manglecp_error(c)->code, rows[i].code) == 0)
            mgi_cli_hint("%s", rows[i].hint);
}

/* Does its manifest say that somebody gives tokens for it? */
static bool takes_logins(const manglecp_client *c)
{
    struct arena arena;
    size_t len;
    const char *text = manglecp_manifest(c, &len);
    bool takes = false;
    mgi_arena_init(&arena, 0);
    const struct json *payload = mgi_render_payload(&arena, (struct str){ text, len });
    const struct json *auth = payload ? mgi_json_get(payload, "auth") : NULL;
    const struct json *schemes = mgi_json_get(auth, "schemes");
    for (uint32_t i = 0; schemes && schemes->type == JSON_ARRAY && i < schemes->count; i++)
        takes = takes || (schemes->items[i].type == JSON_STRING &&
                          str_is(schemes->items[i].string, "oauth2"));
    mgi_arena_fini(&arena);
    return takes;
}

static void hint_at_login(const struct target *t)
{
    const char *code = manglecp_error(t->client)->code;
    if (code[0] && strcmp(code, "auth_required") != 0 && strcmp(code, "auth_invalid") != 0)
        return;
    if (t->remembers && takes_logins(t->client))
        mgi_credentials_hint(t->word);
}

int mgi_target_failed(struct target *t, enum manglecp_status status, bool json)
{
    const manglecp_client *c = t->client;
    bool answered = manglecp_error(c)->json[0] != '\0';
    mgi_target_clear_progress(t);
    if (json && answered)
        mgi_render_envelope(stdout, str_of(manglecp_error(c)->json));
    switch (status) {
    case MANGLECP_OK:
        return EXIT_ANSWERED;
    case MANGLECP_ERR_ANSWER:
        if (!json && answered)
            say_answer(c);
        else if (!answered)
            say_escaped(manglecp_message(c));
        if (!json) {
            hint_at_recovery(c);
            hint_at_login(t);
        }
        return EXIT_WRONG;
    case MANGLECP_ERR_INVALID:
        say_problems(c);
        return EXIT_WRONG;
    case MANGLECP_ERR_CONSENT:
        if (!t->refused)
            say_escaped(manglecp_message(c));
        return EXIT_WRONG;
    case MANGLECP_ERR_INDETERMINATE:
        say_escaped(manglecp_message(c));
        return EXIT_UNKNOWN;
    case MANGLECP_ERR_GONE:
        say_escaped(manglecp_message(c));
        return EXIT_WRONG;
    case MANGLECP_ERR_NOMEM:
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    default:
        say_escaped(manglecp_message(c));
        if (status == MANGLECP_ERR_TIMEOUT)
            mgi_cli_hint("--timeout-ms says how long is waited.");
        if (status == MANGLECP_ERR_CREDENTIALS) {
            mgi_cli_hint("Give a token with --token or in MANGLECP_TOKEN.");
            hint_at_login(t);
        }
        if (status == MANGLECP_ERR_NOT_READY)
            mgi_cli_hint("--ready-timeout-ms says how long a booting server is waited for.");
        return EXIT_USAGE;
    }
}
