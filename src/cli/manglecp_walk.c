/* manglecp walk: a whole conversation with a server, the way a client would have it.
 *
 *     manifest -> intent -> tools, and why -> invoke the best one -> apply the delta (retractions
 *     first) -> follow the suggested intent with the facts it asks for -> …
 *
 * Nothing in here knows a domain: intents, facts and tools are what the server says. At the end it
 * prints what the answers cost a client's context, beside a static list of the same tools, and the
 * commands that repeat each step. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_request.h"

#define BYTES_PER_TOKEN 4
#define MAX_STEPS       16

const struct cli_command mgi_command_walk = {
    .name = "manglecp walk",
    .usage = "TARGET --intent NAME [OPTIONS]",
    .help = "Hold a whole conversation: follow suggested intents, step by step.",
    .run = mgi_run_walk,
};

struct walk {
    struct target target;
    const char *target_word;
    const char *program; /* as a command that works from here */
    struct intent_options intent;
    struct cli_list args; /* preferred arguments, k=v */

    int64_t steps;
    const char *save;
    manglecp_facts *facts;
    struct arena arena; /* of the process */
    const struct json *manifest;
    struct cost {
        const char *of;
        size_t tools, result, state, proofs; /* bytes */
    } costs[2 * MAX_STEPS + 1];
    size_t cost_count;
    struct buf repeat; /* commands */
    const struct cli_style *style;
};

static void heading(const struct walk *w, const char *what, const char *name, const char *about)
{
    printf("\n%s── %s%s%s ──%s  %s%s%s\n", w->style->bold, what, name[0] ? " " : "", name,
           w->style->reset, w->style->dim, about, w->style->reset);
}

static size_t member_bytes(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v ? v->text.len : 0;
}

/* What an answer brings: tools and results are what a model reads; the state (facts, and the rest
 * of the message) is kept by the client's program, and proofs come only if asked for. */
static void count_cost(struct walk *w, const char *what, size_t bytes, const struct json *answer)
{
    if (w->cost_count == sizeof w->costs / sizeof *w->costs)
        return;
    struct cost *c = &w->costs[w->cost_count++];
    *c = (struct cost){ .of = what,
                        .tools = member_bytes(answer, "macro_tools"),
                        .result = member_bytes(answer, "result"),
                        .proofs = member_bytes(answer, "proof_hints") };
    c->state = bytes - c->tools - c->result - c->proofs;
}

/* ---- choosing ---------------------------------------------------------------------------- */

/* The predicates that the manifest lists for `intent`, NULL-terminated: what a request carries. */
static const char *const *listed_predicates(struct walk *w, const char *intent)
{
    static const char *const lists[] = { "required_facts", "optional_facts" };
    const struct json *intents = mgi_json_get(w->manifest, "intents");
    for (uint32_t i = 0; intents && i < intents->count; i++) {
        const struct json *one = &intents->items[i];
        const struct json *name = mgi_json_get(one, "name");
        if (!name || name->type != JSON_STRING || !str_is(name->string, intent))
            continue;
        const char **out = NULL;
        size_t count = 0, cap = 0;
        for (int k = 0; k < 2; k++) {
            const struct json *list = mgi_json_get(one, lists[k]);
            for (uint32_t n = 0; list && list->type == JSON_ARRAY && n < list->count; n++) {
                if (!mgi_arena_grow(&w->arena, &out, &cap, count + 2, sizeof *out))
                    return NULL;
                out[count++] = mgi_arena_str(&w->arena, list->items[n].string).ptr;
            }
        }
        if (out)
            out[count] = NULL;
        return out;
    }
    return NULL;
}

static bool flag(const struct json *object, const char *name)
{
    const struct json *v = object ? mgi_json_get(object, name) : NULL;
    return v && v->type == JSON_BOOL && v->boolean;
}

/* The best tool that is shown in full and asks nobody: tools come in the server's order. */
static const struct json *choose_tool(const struct json *tools)
{
    for (uint32_t i = 0; tools && i < tools->count; i++) {
        const struct json *tool = &tools->items[i];
        if (mgi_json_get(tool, "input_schema") &&
            !flag(mgi_json_get(tool, "safety"), "requires_user_confirmation"))
            return tool;
    }
    return NULL;
}

/* The value of the k=v word for `name`; ptr NULL if there is none. */
static struct str find_word(const struct cli_list *words, struct str name)
{
    for (size_t i = 0; i < words->count; i++) {
        struct str word = str_of(words->items[i]);
        if (word.len > name.len + 1 && mgi_str_starts(word, name) && word.ptr[name.len] == '=')
            return (struct str){ word.ptr + name.len + 1, word.len - name.len - 1 };
    }
    return (struct str){ NULL, 0 };
}

/* A JSON value as a word that --arg and --param read back: text stays bare unless it looks like
 * something else. */
static struct str value_word(struct walk *w, const struct json *value)
{
    struct json other;
    if (value->type == JSON_STRING &&
        mgi_json_parse(&w->arena, value->string, NULL, &other, NULL) != JSON_OK)
        return value->string;
    return value->text;
}

/* An argument for a parameter: as told by --arg, as the intent says, or, where one is required, the
 * first value it may have. Defaults are left to the server. */
static struct str choose_argument(struct walk *w, const struct json_member *parameter, bool needed)
{
    struct str told = find_word(&w->args, parameter->name);
    if (!told.ptr)
        told = find_word(&w->intent.params, parameter->name);
    const struct json *choice = mgi_json_get(&parameter->value, "enum");
    if (!told.ptr && needed && choice && choice->type == JSON_ARRAY && choice->count > 0)
        return value_word(w, &choice->items[0]);
    return told;
}

/* Fill `args` with k=v words for what the schema wants. False: a required one has no value. */
static bool choose_arguments(struct walk *w, const struct json *schema, struct cli_list *args)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    const struct json *required = mgi_json_get(schema, "required");
    for (uint32_t i = 0; properties && i < properties->count; i++) {
        const struct json_member *p = &properties->members[i];
        bool needed = false;
        for (uint32_t k = 0; required && k < required->count; k++)
            needed |= str_eq(required->items[k].string, p->name);
        struct str value = choose_argument(w, p, needed);
        if (!value.ptr && needed) {
            mgi_cli_error("the tool needs %.*s; give it with --arg", STR_ARG(p->name));
            return false;
        }
        char *word =
            value.ptr ? mgi_arena_printf(&w->arena, "%.*s=%.*s", STR_ARG(p->name), STR_ARG(value))
                      : NULL;
        if (word && !mgi_cli_list_add(args, word))
            return false;
    }
    return true;
}

/* ---- the commands that repeat a step ------------------------------------------------------ */

static void shell_word(struct buf *out, const char *word)
{
    bool plain = word[0] != '\0';
    for (const char *p = word; *p; p++)
        plain &= strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%",
                        *p) != NULL;
    if (plain) {
        mgi_buf_puts(out, word);
        return;
    }
    mgi_buf_putc(out, '\'');
    for (const char *p = word; *p; p++)
        mgi_buf_puts(out, *p == '\'' ? "'\\''" : (char[]){ *p, 0 });
    mgi_buf_putc(out, '\'');
}

static void repeat_options(struct walk *w, const char *facts_file, const struct cli_list *params)
{
    struct buf *out = &w->repeat;
    for (size_t i = 0; i < params->count; i++) {
        mgi_buf_puts(out, " --param ");
        shell_word(out, params->items[i]);
    }
    if (facts_file)
        mgi_buf_printf(out, " --facts %s", facts_file);
    const struct host_options *host = &w->target.host.options;
    for (size_t i = 0; w->target.local && i < host->set.count; i++) {
        mgi_buf_puts(out, " --set ");
        shell_word(out, host->set.items[i]);
    }
    if (w->target.local && host->fixed_clock) {
        mgi_buf_puts(out, " --clock ");
        mgi_time_print(out, host->clock_ns);
    }
}

/* Write the facts of a request beside the others, so that it can be repeated. NULL without --save.
 */
static const char *save_facts(struct walk *w, const char *json, int64_t step)
{
    if (!w->save)
        return NULL;
    if (mkdir(w->save, 0755) != 0 && errno != EEXIST) {
        mgi_cli_error("%s: %s", w->save, strerror(errno));
        return NULL;
    }
    const char *path = mgi_arena_printf(&w->arena, "%s/facts-%" PRId64 ".json", w->save, step);
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) {
        mgi_cli_error("%s: %s", path ? path : w->save, strerror(errno));
        return NULL;
    }
    fputs(json, f);
    fputc('\n', f);
    if (fclose(f) != 0) {
        mgi_cli_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    return path;
}

/* ---- one step ---------------------------------------------------------------------------- */

static const struct json *payload_of(struct walk *w)
{
    struct str text = mgi_arena_str(&w->arena, mgi_buf_view(&w->target.answer));
    const struct json *payload = text.ptr ? mgi_render_payload(&w->arena, text) : NULL;
    if (!payload)
        mgi_cli_error("the server's answer is no message");
    return payload;
}

/* What the client sends along. */
static void print_request(struct walk *w, const char *facts_json)
{
    struct json facts = { 0 };
    if (facts_json)
        (void)mgi_json_parse(&w->arena, str_of(facts_json), NULL, &facts, NULL);
    uint32_t count = facts.type == JSON_ARRAY ? facts.count : 0;
    printf("  client sends %u fact%s", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < w->intent.params.count; i++)
        printf("%s %s", i ? "," : " and", w->intent.params.items[i]);
    putchar('\n');
}

static const struct json *ask(struct walk *w, int64_t step, const char **facts_file)
{
    struct buf payload = { 0 };
    const struct json *answer = NULL;
    char *json = manglecp_facts_json(w->facts, listed_predicates(w, w->intent.name));
    heading(w, "intent", w->intent.name,
            "what the client wants and knows; rules prove which tools it needs");
    print_request(w, json);
    if (json && mgi_request_intent(&payload, &w->intent, json)) {
        *facts_file = save_facts(w, json, step);
        int status = mgi_target_request(&w->target, "intent_request", mgi_buf_view(&payload));
        if (status != EXIT_USAGE)
            answer = payload_of(w);
        if (answer && status == EXIT_WRONG) {
            mgi_render_error(stderr, answer);
            answer = NULL;
        }
    }
    manglecp_free(json);
    mgi_buf_fini(&payload);
    if (!answer)
        return NULL;
    count_cost(w, mgi_arena_printf(&w->arena, "intent %s", w->intent.name), w->target.answer.len,
               answer);
    mgi_render_intent(stdout, answer, true);
    mgi_buf_printf(&w->repeat, "%s intent %s %s", w->program, w->target_word, w->intent.name);
    repeat_options(w, *facts_file, &w->intent.params);
    mgi_buf_puts(&w->repeat, " --why\n");
    return answer;
}

static bool write_invoke(struct buf *payload, const struct json *tool, const struct cli_list *args)
{
    struct json_writer jw;
    mgi_json_writer_init(&jw, payload, 0);
    mgi_jw_begin_object(&jw);
    mgi_jw_key(&jw, "macro_id");
    mgi_jw_value(&jw, mgi_json_get(tool, "macro_id"));
    mgi_jw_key(&jw, "args");
    if (!mgi_request_members(&jw, args))
        return false;
    mgi_jw_end_object(&jw);
    return !payload->oom;
}

static const struct json *run(struct walk *w, const struct json *tool, const char *facts_file)
{
    struct cli_list args = { 0 };
    struct buf payload = { 0 };
    const struct json *answer = NULL;
    const char *name = mgi_render_text(&w->arena, mgi_json_get(tool, "name"));
    heading(w, "invoke", name, "one call; the chain of actions behind it runs on the server");
    if (choose_arguments(w, mgi_json_get(tool, "input_schema"), &args) &&
        write_invoke(&payload, tool, &args)) {
        for (size_t i = 0; i < args.count; i++)
            printf("  with %s%s%s\n", w->style->cyan, args.items[i], w->style->reset);
        int status = mgi_target_request(&w->target, "invoke_request", mgi_buf_view(&payload));
        if (status != EXIT_USAGE)
            answer = payload_of(w);
        if (answer && status == EXIT_WRONG) {
            mgi_render_error(stderr, answer);
            answer = NULL;
        }
    }
    if (answer) {
        count_cost(w, mgi_arena_printf(&w->arena, "invoke %s", name), w->target.answer.len, answer);
        mgi_render_invoke(stdout, answer, true);
        mgi_buf_printf(&w->repeat, "%s invoke %s %s --intent %s", w->program, w->target_word, name,
                       w->intent.name);
        for (size_t i = 0; i < args.count; i++) {
            mgi_buf_puts(&w->repeat, " --arg ");
            shell_word(&w->repeat, args.items[i]);
        }
        repeat_options(w, facts_file, &w->intent.params);
        mgi_buf_putc(&w->repeat, '\n');
    }
    mgi_buf_fini(&payload);
    return answer;
}

/* Apply the delta and take in the continuation facts. */
static void learn(struct walk *w, const struct json *answer)
{
    const struct json *delta = mgi_json_get(answer, "state_delta");
    const struct json *next = mgi_json_get(answer, "next");
    const struct json *facts = next ? mgi_json_get(next, "continuation_facts") : NULL;
    size_t retracted = 0, asserted = 0, before;
    if (delta && !manglecp_facts_apply(w->facts, mgi_arena_str(&w->arena, delta->text).ptr,
                                       &retracted, &asserted))
        mgi_cli_error("the state delta could not be applied");
    before = manglecp_facts_count(w->facts);
    if (facts && !manglecp_facts_add(w->facts, mgi_arena_str(&w->arena, facts->text).ptr))
        mgi_cli_error("the continuation facts are no facts");
    size_t more = manglecp_facts_count(w->facts) - before;
    printf("  %sclient%s  retracts %zu, asserts %zu", w->style->bold, w->style->reset, retracted,
           asserted);
    if (more)
        printf(", takes %zu more to continue with", more);
    printf("; it now holds %zu facts\n", manglecp_facts_count(w->facts));
}

/* Make the first suggested intent the next one. False: none. */
static bool follow(struct walk *w, const struct json *answer)
{
    const struct json *next = mgi_json_get(answer, "next");
    const struct json *intents = next ? mgi_json_get(next, "suggested_intents") : NULL;
    if (!intents || intents->type != JSON_ARRAY || intents->count == 0)
        return false;
    const struct json *name = mgi_json_get(&intents->items[0], "name");
    const struct json *params = mgi_json_get(&intents->items[0], "params");
    if (!name || name->type != JSON_STRING)
        return false;
    w->intent.name = mgi_arena_str(&w->arena, name->string).ptr;
    w->intent.params.count = 0;
    for (uint32_t i = 0; params && params->type == JSON_OBJECT && i < params->count; i++) {
        const struct json_member *m = &params->members[i];
        char *word = mgi_arena_printf(&w->arena, "%.*s=%.*s", STR_ARG(m->name),
                                      STR_ARG(value_word(w, &m->value)));
        if (word)
            (void)mgi_cli_list_add(&w->intent.params, word);
    }
    return true;
}

/* ---- what it cost ------------------------------------------------------------------------ */

static size_t tokens(size_t bytes)
{
    return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
}

/* What a static list of the domain's tools would put into the context: name, description, schema.
 */
static size_t static_list(const struct snapshot *s, bool actions)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < (actions ? s->action_count : s->tool_count); i++) {
        mgi_jw_begin_object(&w);
        mgi_jw_member_str(&w, "name", actions ? s->actions[i].name : s->tools[i].name);
        mgi_jw_member_str(&w, "description",
                          actions ? s->actions[i].description : s->tools[i].description);
        mgi_jw_key(&w, "inputSchema");
        if (actions)
            mgi_jw_raw(&w, s->actions[i].input_schema_text.len ? s->actions[i].input_schema_text
                                                               : STR_LIT("{}"));
        else
            mgi_jw_value(&w, &s->tools[i].input_schema);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    size_t bytes = text.len;
    mgi_buf_fini(&text);
    return bytes;
}

static size_t skill_bytes(const struct snapshot *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < s->skill_count; i++)
        bytes += s->skills[i].content.len;
    return bytes;
}

static void print_static_lists(const struct walk *w)
{
    const struct snapshot *s = w->target.host.snapshot;
    char label[64];
    printf("  a static list instead, in every turn:\n");
    snprintf(label, sizeof label, "its macro-tools (%zu), skills (%zu)", s->tool_count,
             s->skill_count);
    printf("    %-30s %8zu\n", label, tokens(static_list(s, false) + skill_bytes(s)));
    snprintf(label, sizeof label, "its actions (%zu), without a plan", s->action_count);
    printf("    %-30s %8zu\n", label, tokens(static_list(s, true)));
}

static void print_costs(const struct walk *w)
{
    struct cost sum = { .of = "together" };
    heading(w, "what it cost", "", "tokens, estimated as bytes / 4");
    printf("  %s%-32s %8s %8s %8s %8s%s\n", w->style->dim, "", "tools", "result", "state", "proofs",
           w->style->reset);
    for (size_t i = 0; i <= w->cost_count; i++) {
        const struct cost *c = i < w->cost_count ? &w->costs[i] : &sum;
        printf("  %-32s %8zu %8zu %8zu %8zu\n", c->of, tokens(c->tools), tokens(c->result),
               tokens(c->state), tokens(c->proofs));
        sum.tools += c->tools;
        sum.result += c->result;
        sum.state += c->state;
        sum.proofs += c->proofs;
    }
    printf("  %sTools and results are for the model's context; state (manifest, facts) stays with "
           "the\n  client's program, and proofs are sent only to who asks.%s\n",
           w->style->dim, w->style->reset);
    if (w->target.local)
        print_static_lists(w);
}

/* Does the shell find `path` under its name alone? */
static bool in_search_path(const char *path)
{
    char candidate[PATH_MAX], real[PATH_MAX];
    const char *name = strrchr(path, '/') + 1, *folders = getenv("PATH");
    while (folders && *folders) {
        size_t len = strcspn(folders, ":");
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)len, folders, name);
        if (len > 0 &&
            access(candidate, X_OK) == 0) /* the first that it finds is the one it runs */
            return realpath(candidate, real) && strcmp(real, path) == 0;
        folders += len + (folders[len] == ':');
    }
    return false;
}

/* This program as a command that works from here: its name if the shell finds it so, else its path,
 * relative to the working directory if it lies below. */
static const char *own_path(struct arena *a)
{
    char path[PATH_MAX], here[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0 || !getcwd(here, sizeof here))
        return "manglecp";
    path[n] = '\0';
    size_t len = strlen(here);
    bool below = strncmp(path, here, len) == 0 && path[len] == '/';
    const char *shown = below ? path + len + 1 : path;
    const char *out = mgi_arena_strdup(a, in_search_path(path) ? strrchr(path, '/') + 1 : shown);
    return out ? out : "manglecp";
}

/* ---- the walk ---------------------------------------------------------------------------- */

static int converse(struct walk *w)
{
    const char *facts_file = NULL;
    struct str text = mgi_arena_str(&w->arena, mgi_buf_view(&w->target.manifest));
    w->manifest = text.ptr ? mgi_render_payload(&w->arena, text) : NULL;
    if (!w->manifest)
        return EXIT_USAGE;
    heading(w, "manifest", "", "what the server says of itself");
    mgi_render_manifest(stdout, w->manifest, true);
    count_cost(w, "manifest", w->target.manifest.len, w->manifest);
    mgi_buf_printf(&w->repeat, "%s manifest %s\n", w->program, w->target_word);
    for (int64_t step = 1; step <= w->steps; step++) {
        const struct json *answer = ask(w, step, &facts_file);
        const struct json *tool = answer ? choose_tool(mgi_json_get(answer, "macro_tools")) : NULL;
        if (!answer)
            return EXIT_WRONG;
        if (!tool) {
            printf(
                "  No tool is shown in full that may run without consent: the walk ends here.\n");
            mgi_hint_of_no_tools(w->manifest, w->intent.name, mgi_json_get(answer, "macro_tools"));
            return EXIT_ANSWERED;
        }
        answer = run(w, tool, facts_file);
        if (!answer)
            return EXIT_WRONG;
        learn(w, answer);
        if (!follow(w, answer)) {
            printf("  No intent is suggested: the walk ends here.\n");
            return EXIT_ANSWERED;
        }
    }
    return EXIT_ANSWERED;
}

int mgi_run_walk(int argc, char **argv)
{
    static struct walk w;
    struct target_options target = { .quiet = true, .host = { .quiet_clock = true } };
    w = (struct walk){ .intent = { .max_tools = NOT_SAID, .max_tokens = NOT_SAID, .why = true },
                       .steps = 2 };
    bool helped;
    const struct cli_option options[] = {
        { "--intent", OPTION_TEXT, &w.intent.name, NULL, "NAME", "the first intent" },
        { "--steps", OPTION_NUMBER, &w.steps, NULL, "N", "intents to follow (2)" },
        { "--arg", OPTION_LIST, &w.args, NULL, "K=V", "an argument to use where a tool has it" },
        { "--save", OPTION_TEXT, &w.save, NULL, "DIR", "keep each request's facts there" },
        INTENT_OPTION_ROWS(w.intent),
        TARGET_OPTION_ROWS(target),
        { 0 },
    };
    struct cli_list words = { 0 }, rest = { 0 };
    size_t dashes;
    if (!mgi_cli_parse(&mgi_command_walk, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (!w.intent.name || w.steps < 1 || w.steps > MAX_STEPS) {
        mgi_cli_error("walk needs --intent NAME and --steps of 1 to %d", MAX_STEPS);
        return EXIT_USAGE;
    }
    int status = mgi_target_open(&w.target, &target, &words, dashes, &rest);
    if (status)
        return status;
    w.target_word = words.count ? words.items[0] : "";
    w.style = mgi_cli_style(stdout);
    w.facts = manglecp_facts_new();
    mgi_arena_init(&w.arena, 0);
    w.program = own_path(&w.arena);
    if (w.facts && mgi_request_facts(&w.intent, w.facts))
        status = converse(&w);
    else
        status = EXIT_USAGE;
    if (status == EXIT_ANSWERED) {
        print_costs(&w);
        heading(&w, "by hand", "",
                w.save ? "each step, to be repeated from here"
                       : "each step; --save DIR keeps the facts that they need");
        printf("%s", w.repeat.ptr ? w.repeat.ptr : "");
    }
    mgi_buf_fini(&w.repeat);
    manglecp_facts_free(w.facts);
    mgi_arena_fini(&w.arena);
    mgi_target_close(&w.target);
    return status;
}
