/* manglecp select: ask a policy once, by hand, as a server would, and show what its answer is
 * worth. For whoever writes a policy. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uv.h>

#include "cli/manglecp_commands.h"
#include "select/patch.h"
#include "select/policy_process.h"
#include "sys/clock.h"

#define MENU_FILE_BYTES 16777216
#define EMPTY_STATE     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

extern char **environ;

const struct cli_command mgi_command_select = {
    .name = "manglecp select",
    .usage = "MENU [OPTIONS] [-- COMMAND...]",
    .help = "Ask a policy to pick from a menu, once, and show what its answer is worth.",
    .run = mgi_run_select,
    .more =
        "MENU is a JSON file (-: standard input) with \"actions\" or, as toolhost --list prints "
        "it,\n"
        "\"tools\": an array of {\"aid\", \"name\"?, \"tags\"?}.\n"
        "COMMAND is the policy; else MACHINA_POLICY_CMD; else the heuristic picks. It runs with "
        "the\n"
        "limits and permissions that the other MACHINA_POLICY_ variables give it, below the "
        "present\n"
        "folder.\n"
        "\n"
        "Exit status: 0 a selection, 1 none (INVALID, or the policy failed), 2 usage or input.\n",
};

struct asking {
    const char *inputs_text, *goal, *mode, *said;
    bool as_json, payload_only;
    struct cli_list tags, allowed, blocked;
    struct arena arena;
    struct policy_settings settings;
    struct menu menu;
    struct json inputs;
    struct select_view view;
    struct policy_answer answer;
    int64_t took_ms;
    bool answered;
    struct selection selection;
    const char *failure;
};

/* ---- what is asked -------------------------------------------------------------------------- */

static bool refuse(const char *format, const char *what)
{
    mgi_cli_error(format, what);
    return false;
}

static struct str text_member(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static bool read_action(struct arena *arena, const struct json *v, struct menu_action *out)
{
    const struct json *tags = mgi_json_get(v, "tags");
    uint32_t count = tags && tags->type == JSON_ARRAY ? tags->count : 0;
    struct str *list = mgi_arena_calloc(arena, count + 1, sizeof *list);
    *out = (struct menu_action){ text_member(v, "aid"), text_member(v, "name"), list, count };
    for (uint32_t i = 0; list && i < count; i++) {
        if (tags->items[i].type != JSON_STRING)
            return refuse("a tag in %s is not a string", "the menu");
        list[i] = tags->items[i].string;
    }
    return list && out->aid.len > 0 ? true : refuse("%s has no \"aid\"", "an action of the menu");
}

static const struct str *strs_of(struct arena *arena, const struct cli_list *list)
{
    struct str *out = mgi_arena_calloc(arena, list->count + 1, sizeof *out);
    for (size_t i = 0; out && i < list->count; i++)
        out[i] = str_of(list->items[i]);
    return out;
}

static bool build_menu(struct asking *a, const struct json *list)
{
    struct menu_action *actions = mgi_arena_calloc(&a->arena, list->count + 1, sizeof *actions);
    for (uint32_t i = 0; i < list->count; i++)
        if (!actions || !read_action(&a->arena, &list->items[i], &actions[i]))
            return false;
    const struct menu_wish wish = { strs_of(&a->arena, &a->tags),    a->tags.count,
                                    strs_of(&a->arena, &a->allowed), a->allowed.count,
                                    strs_of(&a->arena, &a->blocked), a->blocked.count };
    switch (mgi_menu_build(&a->arena, actions, list->count, &wish, &a->menu)) {
    case MENU_OK:
        return true;
    case MENU_TOO_LONG:
        return refuse("more than 9999 actions are in %s", "the menu");
    case MENU_NOMEM:
        break;
    }
    return refuse("out of %s", "memory");
}

static bool read_menu(struct asking *a, const char *path)
{
    struct buf text = { 0 };
    struct json v;
    struct json_error error;
    const char *why;
    if (!mgi_cli_read_file(path, MENU_FILE_BYTES, &text, &why)) {
        mgi_cli_error("%s: %s", path, why);
        return false;
    }
    struct str kept = mgi_arena_str(&a->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (!kept.ptr)
        return refuse("out of %s", "memory");
    if (mgi_json_parse(&a->arena, kept, NULL, &v, &error) != JSON_OK) {
        mgi_cli_error("%s:%u:%u: %s", path, error.line, error.column, error.message);
        return false;
    }
    const struct json *list = mgi_json_get(&v, "actions");
    if (!list)
        list = mgi_json_get(&v, "tools");
    if (!list || list->type != JSON_ARRAY)
        return refuse("%s: expected an object with an array \"actions\" or \"tools\"", path);
    return build_menu(a, list);
}

static bool read_inputs(struct asking *a)
{
    struct json_error error;
    if (mgi_json_parse(&a->arena, str_of(a->inputs_text), NULL, &a->inputs, &error) != JSON_OK)
        return refuse("--inputs: %s", error.message);
    return a->inputs.type == JSON_OBJECT ? true : refuse("--inputs: expected a JSON %s", "object");
}

static bool read_settings(struct asking *a, const struct cli_list *words, size_t begin)
{
    char folder[4096];
    struct buf problems = { 0 };
    if (!getcwd(folder, sizeof folder))
        return refuse("the present folder has no %s", "name");
    bool good = mgi_policy_settings_read(&a->arena, environ, folder, &a->settings, &problems);
    if (!good)
        mgi_cli_error("%s", problems.ptr && problems.len ? problems.ptr : "out of memory");
    mgi_buf_fini(&problems);
    size_t count = begin < words->count ? words->count - begin : 0;
    char **copy = mgi_arena_calloc(&a->arena, count + 1, sizeof *copy);
    if (!good || !copy || count == 0)
        return good && copy;
    for (size_t i = 0; i < count; i++)
        copy[i] = mgi_arena_strdup(&a->arena, words->items[begin + i]);
    a->settings.words = copy;
    a->settings.word_count = count;
    return true;
}

/* ---- asking --------------------------------------------------------------------------------- */

static void note_answer(void *context, const struct policy_answer *answer)
{
    struct asking *a = context;
    a->answer = *answer;
    a->answer.out = mgi_arena_str(&a->arena, answer->out);
    a->answer.err = mgi_arena_str(&a->arena, answer->err);
    a->answered = true;
}

/* Run it to its end. False: it is not allowed to (a->failure), or could not be. */
static bool run_policy(struct asking *a, struct str payload)
{
    uv_loop_t loop;
    int error = 0;
    struct policy_start start = { .loop = &loop,
                                  .settings = &a->settings,
                                  .payload = payload,
                                  .done = note_answer,
                                  .context = a };
    if (mgi_policy_check(&a->arena, &a->settings, &start.program, &a->failure) != POLICY_MAY_RUN)
        return false;
    if (uv_loop_init(&loop) != 0)
        return false;
    int64_t begun = mgi_clock_mono_ns();
    if (!mgi_policy_process_start(&start, &error))
        a->answer = (struct policy_answer){ .exit = POLICY_NOT_STARTED, .status = error };
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    a->took_ms = (mgi_clock_mono_ns() - begun) / 1000000;
    return true;
}

/* True: a->selection and a->failure (or NULL) are known. */
static bool ask(struct asking *a, struct str payload)
{
    if (a->said) {
        a->answer = (struct policy_answer){ .out = str_of(a->said) };
    } else if (!a->settings.words) {
        return mgi_selection_make(&a->arena, mgi_heuristic_choose(&a->view, &a->menu),
                                  (struct str){ 0 }, &a->selection);
    } else if (!run_policy(a, payload)) {
        a->selection = mgi_selection_invalid(a->failure ? a->failure : "out of memory");
        return a->failure != NULL;
    }
    return mgi_policy_judge(&a->arena, &a->menu, &a->answer, &a->selection, &a->failure);
}

/* ---- showing -------------------------------------------------------------------------------- */

static void show_text(const struct asking *a, const struct menu_entry *e, const struct patched *p)
{
    const struct selection *s = &a->selection;
    char sid[SID_CHARS + 1];
    mgi_sid_print(s->sid, sid);
    if (a->failure)
        printf("INVALID  %s\n", a->failure);
    else if (e)
        printf("PICK  %s  %.*s\n", sid, STR_ARG(e->aid));
    else
        printf("%s\n", mgi_selection_kind_name(s->kind));
    if (e)
        printf("inputs  %.*s\n", STR_ARG(p->inputs.text));
    for (size_t i = 0; e && i < p->dropped_count; i++)
        printf("dropped  %.*s  (a protected name)\n", STR_ARG(p->dropped[i]));
}

static void show_json(const struct asking *a, const struct menu_entry *e, const struct patched *p)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "selection");
    mgi_selection_write(&w, &a->selection);
    if (e) {
        mgi_jw_member_str(&w, "aid", e->aid);
        mgi_jw_key(&w, "inputs");
        mgi_jw_value(&w, &p->inputs);
        mgi_jw_member_strs(&w, "dropped", p->dropped, p->dropped_count);
    }
    if (a->failure)
        mgi_jw_member_cstr(&w, "failure", a->failure);
    mgi_jw_member_int(&w, "took_ms", a->took_ms);
    mgi_jw_end_object(&w);
    printf("%s\n", out.ptr ? out.ptr : "");
    mgi_buf_fini(&out);
}

static int show(struct asking *a)
{
    const struct patch_rules all = { 0 };
    const struct json none = { .type = JSON_NULL };
    const struct selection *s = &a->selection;
    const struct menu_entry *e = s->kind == SELECTION_PICK ? mgi_menu_find(&a->menu, s->sid) : NULL;
    struct patched p = { 0 };
    if (e && mgi_inputs_patch(&a->arena, &a->inputs, s->has_patch ? &s->patch : &none, &all, &p) !=
                 PATCH_OK)
        a->failure = "the inputs would be longer than 1048576 bytes";
    if (a->answer.err.len > 0)
        fwrite(a->answer.err.ptr, 1, a->answer.err.len, stderr);
    (a->as_json ? show_json : show_text)(a, a->failure ? NULL : e, &p);
    return a->failure ? EXIT_WRONG : EXIT_ANSWERED;
}

static int ask_and_show(struct asking *a, const struct cli_list *rest, size_t dashes)
{
    struct buf payload = { 0 };
    if (!read_inputs(a) || !read_menu(a, rest->items[0]) || !read_settings(a, rest, dashes))
        return EXIT_USAGE;
    a->view = (struct select_view){ .goal = str_of(a->goal),
                                    .goal_tags = strs_of(&a->arena, &a->tags),
                                    .goal_tag_count = a->tags.count,
                                    .state_digest = STR_LIT(EMPTY_STATE) };
    mgi_policy_payload(&payload, &a->view, &a->menu, &a->inputs, mgi_control_mode(str_of(a->mode)));
    int status = EXIT_ANSWERED;
    if (payload.oom || (!a->payload_only && !ask(a, mgi_buf_view(&payload)))) {
        mgi_cli_error("out of memory");
        status = EXIT_USAGE;
    } else if (a->payload_only) {
        fputs(payload.ptr, stdout);
    } else {
        status = show(a);
    }
    mgi_buf_fini(&payload);
    return status;
}

int mgi_run_select(int argc, char **argv)
{
    struct asking a = { .inputs_text = "{}", .goal = "goal.DEMO.v1", .mode = "POLICY_ONLY" };
    const struct cli_option options[] = {
        { "--inputs", OPTION_TEXT, &a.inputs_text, NULL, "JSON", "the inputs: an object ({})" },
        { "--goal", OPTION_TEXT, &a.goal, NULL, "ID", "the goal (goal.DEMO.v1)" },
        { "--tag", OPTION_LIST, &a.tags, NULL, "TAG", "list actions with this tag; may repeat" },
        { "--allow", OPTION_LIST, &a.allowed, NULL, "AID",
          "list this one alone; AID.X.* too; may repeat" },
        { "--block", OPTION_LIST, &a.blocked, NULL, "AID", "do not list it; may repeat" },
        { "--mode", OPTION_TEXT, &a.mode, NULL, "MODE", "what the policy is told (POLICY_ONLY)" },
        { "--said", OPTION_TEXT, &a.said, NULL, "TEXT", "judge this answer; nothing is run" },
        { "--payload", OPTION_FLAG, &a.payload_only, NULL, NULL,
          "print what the policy would be given; nothing is run" },
        { "--json", OPTION_FLAG, &a.as_json, NULL, NULL, "print one JSON object" },
        { 0 },
    };
    struct cli_list rest = { 0 };
    size_t dashes = SIZE_MAX;
    bool helped;
    if (!mgi_cli_parse(&mgi_command_select, options, argc, argv, &rest, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if ((dashes == SIZE_MAX ? rest.count : dashes) != 1) {
        mgi_cli_error("expected one menu");
        mgi_cli_hint("A policy's command goes behind \"--\".");
        return EXIT_USAGE;
    }
    mgi_arena_init(&a.arena, 0);
    int status = ask_and_show(&a, &rest, dashes);
    mgi_arena_fini(&a.arena);
    return status;
}
