/* manglecp confirm: a person approves, at a terminal, what a program asked a server for. What they
 * are shown comes from the server, which made the challenge. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/manglecp_ask.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_confirm.h"
#include "cli/manglecp_credentials.h"
#include "cli/manglecp_http.h"
#include "cli/manglecp_view.h"
#include "service/consent_socket.h"

#define ANSWER_MS     10000
#define CHALLENGE_MAX 512
#define MAX_PARENTS   16 /* between a server and who started it */

const struct cli_command mgi_command_confirm = {
    .name = "manglecp confirm",
    .usage = "[TARGET] CHALLENGE",
    .help = "Approve or refuse, as a person, a tool that a program asked a server for.",
    .run = mgi_run_confirm,
    .more =
        "TARGET is the address of a server or of its operations listener. The token's permissions\n"
        "include confirm, and it is another one than that which asked. The tool, its arguments "
        "and\n"
        "its effects are shown, and nothing but an answer at the terminal approves it: once, for\n"
        "this call alone.\n"
        "\n"
        "Exit status: 0 approved, 1 refused, or nothing waits under this challenge, 2 the server\n"
        "could not be asked.\n",
};

struct confirmation {
    const char *target, *challenge;
    struct cli_http http;
    struct view view; /* its arena: all that the server said */
};

static void say(struct confirmation *c, const struct json *answer, long http_status)
{
    const char *message = mgi_view_text(&c->view, mgi_json_get(answer, "payload"), "message");
    if (message[0])
        mgi_cli_error("%s", message);
    else
        mgi_cli_error("%s answers /confirm with status %ld", c->target, http_status);
    if (http_status == 401 || http_status == 403)
        mgi_cli_hint("Give the token of a person (--token, MANGLECP_TOKEN), whose permissions "
                     "include confirm: it is another one than that of the program that asks.");
    else if (http_status == 404)
        mgi_cli_hint("Ask for the tool again; and is this the address of the operations pages?");
}

/* POST it. True: the server answered, *answer with *http_status; its text lives in the view. */
static bool transact(struct confirmation *c, const char *approve, struct json *answer,
                     long *http_status, struct buf *why)
{
    struct buf request = { 0 }, body = { 0 };
    struct json_writer w;
    *answer = (struct json){ 0 };
    mgi_json_writer_init(&w, &request, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "challenge", c->challenge);
    if (approve)
        mgi_jw_member_bool(&w, "approve", strcmp(approve, "yes") == 0);
    mgi_jw_end_object(&w);
    c->http.body = request.ptr;
    bool answered =
        !request.oom && mgi_cli_http(&c->http, c->target, "/confirm", &body, http_status, why);
    struct str kept = mgi_arena_str(&c->view.arena, mgi_buf_view(&body));
    if (answered && kept.ptr)
        (void)mgi_json_parse(&c->view.arena, kept, NULL, answer, NULL);
    mgi_buf_fini(&request);
    mgi_buf_fini(&body);
    return answered;
}

/* The same, and what went wrong is said. EXIT_ANSWERED: *answer is what the server says of it. */
static int post(struct confirmation *c, const char *approve, struct json *answer)
{
    struct buf why = { 0 };
    long http_status = 0;
    bool answered = transact(c, approve, answer, &http_status, &why);
    if (!answered)
        mgi_cli_unreached(why.ptr ? why.ptr : "out of memory");
    else if (http_status != 200)
        say(c, answer, http_status);
    mgi_buf_fini(&why);
    if (answered && http_status == 200)
        return EXIT_ANSWERED;
    return http_status == 403 || http_status == 404 ? EXIT_WRONG : EXIT_USAGE;
}

/* ---- a server of this user, which speaks on standard input and output --------------------------
 */

/* The parent of a process; 0: it is not there. */
static long parent_of(long pid)
{
    char path[64], line[256];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "PPid:", 5) == 0)
            parent = strtol(line + 5, NULL, 10);
    if (f)
        (void)fclose(f);
    return parent;
}

/* Did this process start that one, or what started it? */
static bool is_ours(long pid)
{
    for (int i = 0; i < MAX_PARENTS && pid > 1; i++) {
        pid = parent_of(pid);
        if (pid == (long)getpid())
            return true;
    }
    return false;
}

static bool is_candidate(const char *name, bool ours)
{
    char *end;
    long pid = strtol(name, &end, 10);
    return pid > 0 && strcmp(end, CONSENT_SOCKET_SUFFIX) == 0 && (!ours || is_ours(pid));
}

static bool knows_challenge(struct confirmation *c, const char *folder, const char *name)
{
    struct json answer;
    struct buf why = { 0 };
    long http_status = 0;
    c->target = mgi_arena_printf(&c->view.arena, "unix:%s/%s", folder, name);
    bool knows = c->target && transact(c, NULL, &answer, &http_status, &why) && http_status == 200;
    mgi_buf_fini(&why);
    return knows;
}

/* The target is the server that made the challenge; `ours`: that this process has started. False:
 * none of them did. */
static bool find_server(struct confirmation *c, bool ours)
{
    struct buf folder = { 0 };
    bool found = false;
    mgi_consent_folder((const char *const *)environ, &folder);
    bool good = !folder.oom && mgi_consent_folder_is_ours(folder.ptr);
    DIR *names = good ? opendir(folder.ptr) : NULL;
    for (struct dirent *e; names && !found && (e = readdir(names));)
        found = is_candidate(e->d_name, ours) && knows_challenge(c, folder.ptr, e->d_name);
    if (names)
        (void)closedir(names);
    mgi_buf_fini(&folder);
    return found;
}

static const char *text_of(struct arena *arena, const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    const char *text = v && v->type == JSON_STRING ? mgi_arena_str(arena, v->string).ptr : NULL;
    return text ? text : "";
}

/* False: it could not be shown, and why was said. */
static bool show(struct confirmation *c, const struct json *request)
{
    struct arena *a = &c->view.arena;
    const struct json *effects = mgi_json_get(request, "side_effects");
    const struct json *args = mgi_json_get(request, "args");
    const struct json *bound = mgi_json_get(request, "bound");
    uint32_t count = mgi_view_count(effects);
    const char **list = mgi_arena_calloc(a, (size_t)count + 1, sizeof *list);
    const struct json *inputs = mgi_json_get(request, "inputs");
    bool within = mgi_json_get(request, "question") != NULL; /* it runs, and asks */
    struct manglecp_consent what = {
        .question = within ? text_of(a, request, "question") : NULL,
        .action = within ? text_of(a, request, "action") : NULL,
        .inputs = within && inputs ? mgi_arena_str(a, inputs->text).ptr : "{}",
        .tool = text_of(a, request, "tool"),
        .description = text_of(a, request, "description"),
        .args = args ? mgi_arena_str(a, args->text).ptr : "{}",
        .bound = bound ? mgi_arena_str(a, bound->text).ptr : "[]",
        .side_effects = list,
        .reversible = mgi_view_true(request, "reversible"),
        .told_by_server = true,
    };
    for (uint32_t i = 0; list && i < count; i++)
        if (effects->items[i].type == JSON_STRING)
            list[what.side_effect_count++] = mgi_arena_str(a, effects->items[i].string).ptr;
    if (a->oom) {
        mgi_cli_error("out of memory");
        return false;
    }
    bool seen = mgi_ask_show(&what, text_of(a, request, "who"));
    if (!seen)
        mgi_cli_error("what cannot be shown is not approved");
    return seen;
}

static bool state_is(const struct json *answer, const char *word)
{
    const struct json *state = mgi_json_get(answer, "state");
    return state && state->type == JSON_STRING && str_is(state->string, word);
}

static int confirm(struct confirmation *c)
{
    struct json answer;
    int status = post(c, NULL, &answer);
    if (status)
        return status;
    bool seen = show(c, mgi_json_get(&answer, "request"));
    if (!state_is(&answer, "waiting"))
        fprintf(stderr, "It was %s before.\n", mgi_view_text(&c->view, &answer, "state"));
    if (!seen || state_is(&answer, "refused"))
        return EXIT_WRONG;
    status = post(c, mgi_ask_yes("Approve it?") ? "yes" : "no", &answer);
    if (status)
        return status;
    printf("%s\n", mgi_view_text(&c->view, &answer, "state"));
    return state_is(&answer, "approved") ? EXIT_ANSWERED : EXIT_WRONG;
}

/* Another server's challenge, which one that we started has got hold of, is not what the person
 * agreed to: only servers of ours are asked. */
bool mgi_confirm_here(const char *challenge)
{
    struct confirmation c = { .challenge = challenge,
                              .http = { .post = true, .timeout_ms = ANSWER_MS } };
    struct json answer;
    struct buf why = { 0 };
    long http_status = 0;
    mgi_view_open(&c.view, stderr);
    bool good = find_server(&c, true) && transact(&c, "yes", &answer, &http_status, &why) &&
                state_is(&answer, "approved");
    mgi_view_close(&c.view);
    mgi_buf_fini(&why);
    return good;
}

static int run(struct confirmation *c)
{
    if (c->target || find_server(c, false))
        return confirm(c);
    mgi_cli_error("no server of this user waits for the answer to this challenge");
    mgi_cli_hint(
        "For one that is spoken to over a network give its address, too: TARGET CHALLENGE.");
    return EXIT_WRONG;
}

int mgi_run_confirm(int argc, char **argv)
{
    struct confirmation c = { .http = { .post = true, .timeout_ms = ANSWER_MS } };
    bool helped;
    const struct cli_option options[] = {
        { "--token", OPTION_TEXT, &c.http.token, NULL, "TOKEN",
          "bearer token (else MANGLECP_TOKEN)" },
        CREDENTIALS_OPTION_ROW(&c.http.credentials),
        INSECURE_OPTION_ROW(&c.http.insecure),
        MGI_CLI_TLS_OPTIONS(&c.http),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_confirm, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    const char *challenge = words.count > 0 ? words.items[words.count - 1] : "";
    if (words.count < 1 || words.count > 2 || strlen(challenge) > CHALLENGE_MAX) {
        mgi_cli_error("confirm needs the CHALLENGE, and the TARGET where it waits");
        return EXIT_USAGE;
    }
    if (!mgi_ask_can()) {
        mgi_cli_error("only a person at a terminal approves, and there is none");
        return EXIT_USAGE;
    }
    c.target = words.count == 2 ? words.items[0] : NULL;
    c.challenge = challenge;
    if (!c.http.token)
        c.http.token = getenv("MANGLECP_TOKEN");
    c.http.credentials = mgi_credentials_path(c.http.credentials);
    mgi_view_open(&c.view, stderr);
    int status = run(&c);
    mgi_view_close(&c.view);
    return status;
}
