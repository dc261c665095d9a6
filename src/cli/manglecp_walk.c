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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "cli/manglecp_ask.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_costs.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_repeat.h"
#include "cli/manglecp_request.h"
#include "cli/manglecp_view.h"

#define MAX_STEPS   16
#define FEW_CHOICES 8
#define FEW_FACTS   8    /* that many, and */
#define FEW_BYTES   1000 /* so many bytes of them, stand in a command; more go into a file */

const struct cli_command mgi_command_walk = {
    .name = "manglecp walk",
    .usage = "TARGET --intent NAME [OPTIONS] | --intent NAME [OPTIONS] -- COMMAND...",
    .help = "Hold a whole conversation: follow suggested intents, step by step.",
    .run = mgi_run_walk,
    .more =
        "A tool's argument that has to be one of a few values, and that nothing says, is asked for "
        "at\n"
        "a terminal; else it is the first of them, which the walk says.\n"
        "At the end it prints the commands that repeat each step. Facts that they need stand in\n"
        "files: below --save DIR, or in a new folder for temporary files.\n",
};

struct walk {
    struct target target;
    const char *program; /* as a command that works from here */
    struct intent_options options;
    struct manglecp_intent intent; /* the next one */
    struct cli_list args;          /* preferred arguments, k=v */

    int64_t steps;
    const char *save; /* where facts are kept; NULL: nowhere yet */
    manglecp_facts *facts;
    struct arena arena;      /* of the process */
    manglecp_result *result; /* of the last step: the next intent points into it */
    bool show_model;
    manglecp_shown *shown;
    struct costs costs;
    struct buf repeat; /* commands */
    const struct cli_style *style;
};

/* Escaped for a terminal; in w->arena. */
static const char *shown_word(struct walk *w, const char *text)
{
    return mgi_render_text(&w->arena,
                           &(struct json){ .type = JSON_STRING, .string = str_of(text) });
}

static void heading(const struct walk *w, const char *what, const char *name, const char *about)
{
    printf("\n%s── %s%s%s ──%s  %s%s%s\n", w->style->bold, what, name[0] ? " " : "", name,
           w->style->reset, w->style->dim, about, w->style->reset);
}

static const struct json *parse(struct walk *w, const char *text)
{
    return text ? mgi_render_root(&w->arena, str_of(text)) : NULL;
}

static const struct json *payload_of(struct walk *w, const char *envelope)
{
    return mgi_json_get(parse(w, envelope), "payload");
}

/* The parameters of the next intent, as an object; NULL: it has none. */
static const struct json *intent_params(struct walk *w)
{
    if (w->intent.params_json)
        return parse(w, w->intent.params_json);
    struct buf text = { 0 };
    struct json_writer jw;
    struct json value;
    mgi_json_writer_init(&jw, &text, 0);
    mgi_jw_begin_object(&jw);
    for (size_t i = 0; i < w->intent.param_count; i++) {
        const struct manglecp_member *m = &w->intent.params[i];
        mgi_jw_key(&jw, m->name);
        if (mgi_json_parse(&w->arena, str_of(m->value.text), NULL, &value, NULL) == JSON_OK)
            mgi_jw_value(&jw, &value);
        else
            mgi_jw_cstring(&jw, m->value.text);
    }
    mgi_jw_end_object(&jw);
    struct str kept = mgi_arena_str(&w->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept.ptr ? mgi_render_root(&w->arena, kept) : NULL;
}

/* ---- choosing ---------------------------------------------------------------------------- */

/* The best tool that is shown in full and asks nobody: tools come in the server's order. */
static const struct manglecp_tool *choose_tool(const manglecp_tools *tools)
{
    for (size_t i = 0; i < manglecp_tools_count(tools); i++) {
        const struct manglecp_tool *tool = manglecp_tools_get(tools, i);
        if (tool->level == MANGLECP_FULL && !tool->requires_confirmation)
            return tool;
    }
    return NULL;
}

/* The value of the k=v word for `name`; NULL if there is none. */
static const char *find_word(const struct cli_list *words, struct str name)
{
    for (size_t i = 0; i < words->count; i++) {
        struct str word = str_of(words->items[i]);
        if (word.len > name.len && mgi_str_starts(word, name) && word.ptr[name.len] == '=')
            return word.ptr + name.len + 1;
    }
    return NULL;
}

/* A JSON value as a word that --arg and --param read back: text stays bare unless it looks like
 * something else. NULL: memory. */
static const char *value_word(struct walk *w, const struct json *value)
{
    struct json other;
    bool bare = value->type == JSON_STRING &&
                mgi_json_parse(&w->arena, value->string, NULL, &other, NULL) != JSON_OK;
    return mgi_arena_str(&w->arena, bare ? value->string : value->text).ptr;
}

/* One of the values that a parameter may have: of several a person chooses, if one is there; else
 * it is the first, and `note` says so. NULL: nobody chose. */
static const char *choose_value(struct walk *w, const struct json_member *parameter,
                                const struct json *choice, struct buf *note)
{
    const char *first = value_word(w, &choice->items[0]);
    char *name = mgi_arena_printf(&w->arena, "%.*s", STR_ARG(parameter->name));
    const char **shown = mgi_arena_calloc(&w->arena, choice->count, sizeof *shown);
    if (choice->count == 1 || !first || !name || !shown)
        return first;
    const char *safe = shown_word(w, name);
    for (uint32_t i = 0; i < choice->count; i++) {
        const char *word = value_word(w, &choice->items[i]);
        shown[i] = shown_word(w, word ? word : "");
    }
    if (mgi_ask_can()) {
        const struct json *about = mgi_json_get(&parameter->value, "description");
        char *question = mgi_arena_printf(
            &w->arena, "  Which %s? %s", safe,
            about && about->type == JSON_STRING ? mgi_render_text(&w->arena, about) : "");
        size_t at = mgi_ask_which(question ? question : safe, shown, choice->count);
        return at < choice->count ? value_word(w, &choice->items[at]) : NULL;
    }
    mgi_buf_printf(note, "  nobody was asked for %s: it is the first of", safe);
    for (uint32_t i = 0; i < choice->count && i < FEW_CHOICES; i++)
        mgi_buf_printf(note, "%s %s", i ? "," : "", shown[i]);
    if (choice->count > FEW_CHOICES)
        mgi_buf_printf(note, " and %u more", choice->count - FEW_CHOICES);
    mgi_buf_printf(note, "; --arg %s=... says another\n", safe);
    return first;
}

/* An argument for a parameter: as told by --arg, as the intent says, or, where one is required, one
 * of the values that it may have. Defaults are left to the server. */
static const char *choose_argument(struct walk *w, const struct json *params,
                                   const struct json_member *parameter, bool needed,
                                   struct buf *note)
{
    const char *told = find_word(&w->args, parameter->name);
    const struct json *said = mgi_json_get_str(params, parameter->name);
    if (!told && said)
        told = value_word(w, said);
    const struct json *choice = mgi_json_get(&parameter->value, "enum");
    if (!told && needed && choice && choice->type == JSON_ARRAY && choice->count > 0)
        told = choose_value(w, parameter, choice, note);
    return told;
}

static bool is_required(const struct json *schema, struct str name)
{
    const struct json *required = mgi_json_get(schema, "required");
    for (uint32_t i = 0; i < mgi_view_count(required); i++)
        if (required->items[i].type == JSON_STRING && str_eq(required->items[i].string, name))
            return true;
    return false;
}

/* Fill `args` with k=v words for what the schema wants, and `note` with what was taken unasked.
 * False: a required one has no value. */
static bool choose_arguments(struct walk *w, const struct manglecp_tool *tool,
                             struct cli_list *args, struct buf *note)
{
    const struct json *schema = parse(w, tool->input_schema), *params = intent_params(w);
    const struct json *properties = mgi_json_get(schema, "properties");
    for (uint32_t i = 0; i < mgi_view_members(properties); i++) {
        const struct json_member *p = &properties->members[i];
        bool needed = is_required(schema, p->name);
        const char *value = choose_argument(w, params, p, needed, note);
        if (!value && needed) {
            char *name = mgi_arena_printf(&w->arena, "%.*s", STR_ARG(p->name));
            mgi_cli_error("the tool needs %s; give it with --arg", shown_word(w, name ? name : ""));
            return false;
        }
        char *word = value ? mgi_arena_printf(&w->arena, "%.*s=%s", STR_ARG(p->name), value) : NULL;
        if (word && !mgi_cli_list_add(args, word))
            return false;
    }
    return true;
}

/* ---- the commands that repeat a step ------------------------------------------------------ */

/* Where the facts of a request are kept, so that it can be repeated. NULL: a message was printed.
 */
static const char *facts_folder(struct walk *w)
{
    if (w->save && mkdir(w->save, 0755) != 0 && errno != EEXIST) {
        mgi_cli_error("%s: %s", w->save, strerror(errno));
        return NULL;
    }
    if (!w->save) {
        const char *under = getenv("TMPDIR");
        char *made = mgi_arena_printf(&w->arena, "%s/manglecp-walk-XXXXXX",
                                      under && under[0] ? under : "/tmp");
        if (!made || !mkdtemp(made)) {
            mgi_cli_error("%s: %s", made ? made : "a folder", strerror(errno));
            return NULL;
        }
        w->save = made;
    }
    return w->save;
}

/* NULL: a message was printed. */
static const char *save_facts(struct walk *w, const char *json, int64_t step)
{
    const char *folder = facts_folder(w);
    char *path =
        folder ? mgi_arena_printf(&w->arena, "%s/facts-%" PRId64 ".json", folder, step) : NULL;
    FILE *f = path ? fopen(path, "w") : NULL;
    bool ok = f != NULL;
    if (f) {
        fputs(json, f);
        fputc('\n', f);
        ok = fclose(f) == 0;
    }
    if (!ok && folder)
        mgi_cli_error("%s: %s", path ? path : folder, strerror(errno));
    return ok ? path : NULL;
}

/* " --facts FILE" or, of few, " --fact JSON" for each: in `arena`. NULL: a message was printed. */
static const char *facts_words(struct walk *w, const manglecp_tools *tools, int64_t step,
                               bool saving)
{
    struct buf out = { 0 };
    const char *text = manglecp_tools_facts(tools);
    const struct json *facts = parse(w, text);
    if (saving || mgi_view_count(facts) > FEW_FACTS || strlen(text) > FEW_BYTES) {
        const char *path = save_facts(w, text, step);
        if (!path)
            return NULL;
        mgi_buf_puts(&out, " --facts ");
        mgi_repeat_word(&out, path);
    } else {
        for (uint32_t i = 0; i < mgi_view_count(facts); i++) {
            char *one = mgi_arena_str(&w->arena, facts->items[i].text).ptr
                            ? mgi_arena_printf(&w->arena, "%.*s", STR_ARG(facts->items[i].text))
                            : NULL;
            mgi_buf_puts(&out, " --fact ");
            mgi_repeat_word(&out, one ? one : "");
        }
    }
    const char *kept = mgi_arena_str(&w->arena, mgi_buf_view(&out)).ptr;
    mgi_buf_fini(&out);
    return kept ? kept : "";
}

/* What an intent was asked with. */
static void repeat_intent(struct walk *w, const char *facts)
{
    struct buf *out = &w->repeat;
    const struct intent_options *o = &w->options;
    const struct json *params = intent_params(w);
    for (uint32_t i = 0; i < mgi_view_members(params); i++) {
        const char *value = value_word(w, &params->members[i].value);
        char *word = mgi_arena_printf(&w->arena, "%.*s=%s", STR_ARG(params->members[i].name),
                                      value ? value : "");
        mgi_buf_puts(out, " --param ");
        mgi_repeat_word(out, word ? word : "");
    }
    mgi_buf_puts(out, facts);
    if (o->has_eval_time) {
        mgi_buf_puts(out, " --eval-time ");
        mgi_time_print(out, o->eval_time_ns);
    }
    mgi_buf_puts(out, o->server_time ? " --server-time" : "");
    if (o->has_max_tools)
        mgi_buf_printf(out, " --max-tools %" PRId64, o->max_tools);
    if (o->has_max_tokens)
        mgi_buf_printf(out, " --max-tokens %" PRId64, o->max_tokens);
    if (o->disclosure)
        mgi_buf_printf(out, " --disclosure %s", o->disclosure);
}

static void begin_command(struct walk *w, const char *word)
{
    mgi_repeat_word(&w->repeat, w->program);
    mgi_buf_printf(&w->repeat, " %s ", word);
    mgi_repeat_target(&w->repeat, &w->target);
}

static void end_command(struct walk *w)
{
    mgi_repeat_target_end(&w->repeat, &w->target);
    mgi_buf_putc(&w->repeat, '\n');
}

/* ---- what a model sees ------------------------------------------------------------------- */

typedef enum manglecp_status show_function(manglecp_shown *shown, const char *json, size_t len,
                                           const struct manglecp_show *how, char **out,
                                           size_t *out_len);

/* Count a message, and print what a model is shown of it, if that is wanted. */
static void count(struct walk *w, const char *what, show_function *show, const char *about,
                  struct str message, const struct json *payload)
{
    char *text;
    struct manglecp_show how = { .about = about };
    if (show(w->shown, message.ptr, message.len, &how, &text, NULL))
        mgi_cli_error("what a model sees of it could not be written");
    if (text && w->show_model)
        printf("  %swhat a model sees%s\n%s", w->style->bold, w->style->reset, text);
    mgi_costs_add(&w->costs, what, message, payload, text);
}

/* ---- one step ---------------------------------------------------------------------------- */

/* What the client sends along. */
static void print_request(struct walk *w, const manglecp_tools *tools)
{
    const struct json *params = intent_params(w);
    uint32_t count = mgi_view_count(parse(w, manglecp_tools_facts(tools)));
    struct view v;
    mgi_view_open(&v, stdout);
    printf("  client sends %u fact%s", count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < mgi_view_members(params); i++)
        printf("%s %s=%s", i ? "," : " and", mgi_view_name(&v, params->members[i].name),
               mgi_view_value(&v, &params->members[i].value));
    putchar('\n');
    mgi_view_close(&v);
}

/* *facts is what repeats the facts of the request. NULL: it failed, with *status. */
static manglecp_tools *ask(struct walk *w, int64_t step, bool saving, const char **facts,
                           int *status)
{
    manglecp_tools *tools;
    const char *name = shown_word(w, w->intent.name);
    heading(w, "intent", name, "what the client wants and knows; rules prove which tools it needs");
    *status = mgi_target_failed(
        &w->target, manglecp_evaluate(w->target.client, &w->intent, w->facts, &tools), false);
    if (!tools)
        return NULL;
    size_t len;
    const struct json *payload = payload_of(w, manglecp_tools_json(tools, &len));
    print_request(w, tools);
    mgi_render_intent(stdout, payload, true);
    mgi_render_why_not_text(stdout, manglecp_tools_why_not(tools));
    count(w, mgi_arena_printf(&w->arena, "intent %s", name), manglecp_show_tools, w->intent.name,
          (struct str){ manglecp_tools_json(tools, NULL), len }, payload);
    *facts = facts_words(w, tools, step, saving);
    if (!*facts) {
        manglecp_tools_free(tools);
        *status = EXIT_USAGE;
        return NULL;
    }
    begin_command(w, "intent");
    mgi_repeat_word(&w->repeat, w->intent.name);
    repeat_intent(w, *facts);
    mgi_buf_puts(&w->repeat, " --why");
    end_command(w);
    return tools;
}

static void repeat_run(struct walk *w, const struct manglecp_tool *tool,
                       const struct cli_list *args, const char *facts)
{
    begin_command(w, "invoke");
    mgi_repeat_word(&w->repeat, tool->name);
    mgi_buf_puts(&w->repeat, " --intent ");
    mgi_repeat_word(&w->repeat, w->intent.name);
    mgi_repeat_list(&w->repeat, "--arg", args);
    repeat_intent(w, facts);
    end_command(w);
}

/* The result is in w->result. */
static int run(struct walk *w, const manglecp_tools *tools, const struct manglecp_tool *tool,
               const char *facts)
{
    struct cli_list words = { 0 };
    struct manglecp_member *args;
    const char *shown = shown_word(w, tool->name);
    heading(w, "invoke", shown, "one call; the chain of actions behind it runs on the server");
    struct buf note = { 0 };
    bool chosen = choose_arguments(w, tool, &words, &note) && mgi_request_members(&words, &args);
    for (size_t i = 0; chosen && i < words.count; i++)
        printf("  with %s%s%s\n", w->style->cyan, shown_word(w, words.items[i]), w->style->reset);
    printf("%s", chosen && note.ptr ? note.ptr : "");
    mgi_buf_fini(&note);
    if (!chosen)
        return EXIT_WRONG;
    struct manglecp_invocation invocation = {
        .tools = tools, .tool = tool->macro_id, .args = args, .arg_count = words.count
    };
    manglecp_result *result;
    int status = mgi_target_failed(&w->target,
                                   manglecp_invoke(w->target.client, &invocation, &result), false);
    if (!result)
        return status;
    size_t len;
    const char *json = manglecp_result_json(result, &len);
    const struct json *root = parse(w, json);
    mgi_render_invoke(stdout, root, true);
    count(w, mgi_arena_printf(&w->arena, "invoke %s", shown), manglecp_show_result, tool->name,
          (struct str){ json, len }, mgi_json_get(root, "payload"));
    repeat_run(w, tool, &words, facts);
    manglecp_result_free(w->result);
    w->result = result;
    return EXIT_ANSWERED;
}

/* Apply the delta. */
static void learn(struct walk *w)
{
    struct manglecp_learned learned;
    if (manglecp_learn(w->target.client, w->facts, w->result, &learned))
        mgi_cli_error("%s", manglecp_message(w->target.client));
    printf("  %sclient%s  retracts %zu, asserts %zu; it now holds %zu facts\n", w->style->bold,
           w->style->reset, learned.retracted, learned.asserted, manglecp_facts_count(w->facts));
}

/* ---- the walk ---------------------------------------------------------------------------- */

/* One intent and one tool. False: the walk is over, with *status. */
static bool take_step(struct walk *w, int64_t step, bool saving, int *status)
{
    const char *facts;
    manglecp_tools *tools = ask(w, step, saving, &facts, status);
    const struct manglecp_tool *tool = tools ? choose_tool(tools) : NULL;
    if (tools && !tool) {
        printf("  No tool is shown in full that may run without consent: the walk ends here.\n");
        mgi_hint_of_tools(tools, w->intent.name);
    }
    if (tool)
        *status = run(w, tools, tool, facts);
    manglecp_tools_free(tools);
    if (!tool || *status)
        return false;
    learn(w);
    if (manglecp_result_suggestion_count(w->result) == 0) {
        printf("  No intent is suggested: the walk ends here.\n");
        return false;
    }
    manglecp_follow(w->result, 0, &w->intent);
    w->intent.know_all = false; /* what was learnt may be of other use */
    return true;
}

static int converse(struct walk *w)
{
    bool saving = w->save != NULL;
    int status = EXIT_ANSWERED;
    size_t len;
    const char *text = manglecp_manifest(w->target.client, &len);
    const struct json *manifest = payload_of(w, text);
    heading(w, "manifest", "", "what the server says of itself");
    mgi_render_manifest(stdout, manifest, true);
    count(w, "manifest", manglecp_show_manifest, NULL, (struct str){ text, len }, manifest);
    begin_command(w, "manifest");
    if (w->repeat.len && w->repeat.ptr[w->repeat.len - 1] == ' ')
        w->repeat.len--;
    end_command(w);
    for (int64_t step = 1; step <= w->steps && take_step(w, step, saving, &status); step++)
        ;
    return status;
}

static void print_commands(const struct walk *w)
{
    heading(w, "by hand", "", "each step, to be repeated from here");
    printf("%s", w->repeat.ptr ? w->repeat.ptr : "");
}

int mgi_run_walk(int argc, char **argv)
{
    static struct walk w;
    struct target_options target = { .quiet = true, .host = { .quiet_clock = true } };
    w = (struct walk){ .options = { .why = true }, .steps = 2 };
    bool helped;
    const struct cli_option options[] = {
        { "--intent", OPTION_TEXT, &w.options.name, NULL, "NAME", "the first intent" },
        { "--steps", OPTION_NUMBER, &w.steps, NULL, "N", "intents to follow (2)" },
        { "--arg", OPTION_LIST, &w.args, NULL, "K=V", "an argument to use where a tool has it" },
        WHY_NOT_OPTION_ROW(w.options),
        { "--model", OPTION_FLAG, &w.show_model, NULL, NULL, "print what a model sees, too" },
        { "--save", OPTION_TEXT, &w.save, NULL, "DIR", "keep each request's facts there" },
        INTENT_OPTION_ROWS(w.options),
        TARGET_OPTION_ROWS(target),
        { 0 },
    };
    struct cli_list words = { 0 }, rest = { 0 };
    size_t dashes;
    if (!mgi_cli_parse(&mgi_command_walk, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (!w.options.name) {
        mgi_cli_error("walk needs --intent NAME");
        mgi_cli_hint("manglecp manifest TARGET lists the intents.");
        return EXIT_USAGE;
    }
    if (w.steps < 1 || w.steps > MAX_STEPS) {
        mgi_cli_error("--steps is from 1 to %d", MAX_STEPS);
        return EXIT_USAGE;
    }
    int status = mgi_target_open(&w.target, &target, &words, dashes, &rest);
    if (status)
        return status;
    if (!mgi_target_took_all(&w.target, &rest))
        return EXIT_USAGE;
    w.style = mgi_cli_style(stdout);
    w.facts = manglecp_facts_new();
    w.shown = manglecp_shown_new();
    mgi_arena_init(&w.arena, 0);
    w.program = mgi_repeat_program(&w.arena);
    status = w.facts && w.shown && mgi_request_facts(&w.options, w.facts) &&
                     mgi_request_intent(&w.options, &w.intent)
                 ? converse(&w)
                 : EXIT_USAGE;
    if (status == EXIT_ANSWERED) {
        heading(&w, "what it cost", "", "tokens, estimated for o200k");
        mgi_costs_print(&w.costs, w.style,
                        w.target.local ? mgi_local_host(w.target.local)->snapshot : NULL);
        print_commands(&w);
    }
    mgi_costs_fini(&w.costs);
    mgi_buf_fini(&w.repeat);
    manglecp_result_free(w.result);
    manglecp_facts_free(w.facts);
    manglecp_shown_free(w.shown);
    mgi_arena_fini(&w.arena);
    mgi_target_close(&w.target);
    return status;
}
