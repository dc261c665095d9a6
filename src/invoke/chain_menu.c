/* A step that is a menu: select/menu_step.h says what comes next, and this tells it how things are:
 * inputs, working state, what calls came to. Actions are called as any step calls them.
 *
 * What selectors see:
 *   state    the slots of the menu's providers, what the last call returned, the inputs in force:
 *            `digest` is the same only if all of these are. So a menu that goes round in a circle
 *            is seen (T-BUD-2), and one that gets on is not taken for it
 *
 *   inputs   those in force, with `_meta`: {"turn", "calls": [{"aid","status","output","error"}]}
 */
#include "base/encode.h"
#include "base/time.h"
#include "invoke/chain_int.h"
#include "select/policy_answer.h"
#include "sys/digest.h"

#define META_OUTPUT_BYTES 65536 /* of what calls returned, as selectors see it */
#define NAMED_CALLS       5     /* in the line for people */
#define RAW_BYTES         200   /* of what a selector said, in the journal */
#define LOGGED_BYTES      2000  /* of a record, in the log */

static const struct step_menu *menu_of(const struct step_run *run)
{
    return run->step->menu;
}

/* ---- what it begins with -------------------------------------------------------------------- */

/* The providers of its actions, each once. False: memory. */
static bool list_providers(struct step_run *run, struct menu_run *menu)
{
    const struct step *step = run->step;
    size_t count = mgi_step_actions(step);
    menu->changes = mgi_arena_calloc(&run->arena, count + 1, sizeof *menu->changes);
    for (size_t i = 0; menu->changes && i < count; i++) {
        const struct action_provider *provider = mgi_step_action(step, i)->provider;
        size_t at = 0;
        while (at < menu->change_count && menu->changes[at].provider != provider)
            at++;
        menu->changes[at].provider = provider;
        menu->change_count += at == menu->change_count;
    }
    return menu->changes != NULL;
}

static uint8_t used_slots(const struct tool_slots *state)
{
    uint8_t used = 0;
    for (int slot = 0; slot < TOOL_SLOTS; slot++)
        used |= (uint8_t)(state->artifact[slot].len > 0 ? 1u << slot : 0);
    return used;
}

static void add_slots(struct sha256 *h, const struct tool_slots *slots)
{
    for (int slot = 0; slot < TOOL_SLOTS; slot++) {
        uint64_t len = slots->artifact[slot].len;
        mgi_sha256_add(h, &len, sizeof len);
        if (len > 0)
            mgi_sha256_add(h, slots->artifact[slot].ptr, len);
    }
    mgi_sha256_add(h, &slots->removed, sizeof slots->removed);
}

/* The state that is there when it begins, of each provider. NULL; or what is wrong with it. */
static const char *look_at_state(struct step_call *call, struct menu_run *menu)
{
    const char *why = NULL;
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return "the server ran out of memory";
    for (size_t i = 0; !why && i < menu->change_count; i++) {
        why = mgi_graph_state(call->inv, call->run, false, menu->changes[i].provider, &call->arena,
                              &call->slots);
        menu->slots_before |= used_slots(&call->slots);
        add_slots(h, &call->slots);
    }
    bool good = mgi_sha256_end(h, menu->base);
    return why ? why : good ? NULL : "the server ran out of memory";
}

const char *mgi_menu_prepare(struct step_call *call)
{
    static const char memory[] = "the server ran out of memory";
    struct step_run *run = call->run;
    struct menu_run *menu = mgi_arena_calloc(&run->arena, 1, sizeof *menu);
    run->items = mgi_arena_calloc(&run->arena, menu_of(run)->run.max_steps + 1, sizeof *run->items);
    if (!menu || !run->items || !list_providers(run, menu))
        return memory;
    memcpy(menu->inputs_digest, call->inputs.digest, sizeof menu->inputs_digest);
    menu->call = call;
    const char *why = look_at_state(call, menu);
    if (!why)
        run->menu = menu;
    return why;
}

/* ---- what is written down ------------------------------------------------------------------- */

/* What a selector said, without the inputs that it sets: they are no journal's. */
static struct str without_inputs(struct arena *arena, const struct selection *s, bool failed)
{
    char sid[SID_CHARS + 1];
    struct str why = s->raw; /* "[policy_failure] <reason>\n", and what counts instead */
    size_t line = failed ? mgi_str_find(why, STR_LIT("\n")) : 0;
    why.len = line == SIZE_MAX ? 0 : line;
    mgi_sid_print(s->sid, sid);
    const char *text =
        s->kind != SELECTION_PICK
            ? mgi_show(arena, s->raw, RAW_BYTES)
            : mgi_arena_printf(arena, "%s%s<PICK><%s>%s<END>", mgi_show(arena, why, RAW_BYTES),
                               failed ? " " : "", sid, s->has_patch ? "<INP>...</INP>" : "");
    return text ? str_of(text) : STR_LIT("");
}

static const char *name_of_selector(enum menu_by by)
{
    static const char *const names[] = { [MENU_BY_RULES] = "rules",
                                         [MENU_BY_HEURISTIC] = "heuristic",
                                         [MENU_BY_POLICY] = "policy",
                                         [MENU_BY_FALLBACK] = "fallback" };
    return names[by];
}

static void write_picked(const struct step_call *call, const struct step_picked *picked)
{
    const struct run_journal *journal = call->inv->call.journal;
    if (journal)
        journal->picks(call->inv->chain->journal_run, picked);
}

static void menu_chosen(void *context, const struct menu_chosen *chosen)
{
    struct step_call *call = context;
    struct arena scratch;
    char sid[SID_CHARS + 1] = "";
    if (!call->inv->call.journal)
        return;
    mgi_arena_init(&scratch, 1024);
    if (chosen->selection->kind == SELECTION_PICK)
        mgi_sid_print(chosen->selection->sid, sid);
    const struct step_picked picked = {
        .step = (uint32_t)mgi_run_place(call->run, call->inv),
        .turn = chosen->turn,
        .name = call->run->step->id,
        .by = name_of_selector(chosen->by),
        .mode = menu_of(call->run)->policy ? mgi_control_mode_name(menu_of(call->run)->mode) : "",
        .kind = mgi_selection_kind_name(chosen->selection->kind),
        .sid = str_of(sid),
        .action = chosen->entry ? chosen->entry->aid : STR_LIT(""),
        .raw = without_inputs(&scratch, chosen->selection, chosen->by == MENU_BY_FALLBACK),
    };
    write_picked(call, &picked);
    mgi_arena_fini(&scratch);
}

/* The records of T-BUD-6, with the header of the run, for who reads the server's log. */
static void menu_event(void *context, const struct select_event *event)
{
    struct step_call *call = context;
    struct invocation *inv = call->inv;
    struct arena scratch;
    struct str run_id = inv->call.header ? inv->call.header->run_id : inv->call.invocation_id;
    mgi_arena_init(&scratch, 0);
    mgi_log(inv->call.log, LOG_DEBUG, "%.*s: run %.*s, menu %.*s, step %u: %s %s",
            STR_ARG(inv->tool->name), STR_ARG(run_id), STR_ARG(call->run->step->id), event->step,
            event->name,
            mgi_invocation_masked(inv, NULL, mgi_show(&scratch, event->payload, LOGGED_BYTES)));
    mgi_arena_fini(&scratch);
}

/* ---- who picks ------------------------------------------------------------------------------ */

static void rules_task(struct task *t)
{
    mgi_menu_ask_rules(mgi_call_of_task(t));
}

/* What rules said, to the menu. */
static void hear_rules(struct menu_run *menu)
{
    if (menu->fault)
        mgi_menu_step_lost(menu->step);
    else
        mgi_menu_step_picked(menu->step, &menu->said);
}

static void rules_done(struct task *t)
{
    struct step_call *call = mgi_call_of_task(t);
    struct invocation *inv = call->inv;
    call->run->menu->thinking = false;
    hear_rules(call->run->menu);
    inv->chain->ways->picked(call);
    inv->chain->ways->advance(inv);
}

/* The menu's `pick`: rules may take their time, so a worker asks them. */
static enum menu_picking pick_by_rules(void *context, const struct menu_question *question,
                                       struct menu_said *out)
{
    struct step_call *call = context;
    struct menu_run *menu = call->run->menu;
    menu->question = *question;
    menu->thinking = true;
    if (mgi_call_hand_over(call, CALL_PICKING, rules_task, rules_done))
        return MENU_PICKING;
    menu->thinking = false;
    mgi_menu_ask_rules(call);
    *out = menu->said;
    return menu->fault ? MENU_PICKING_NOMEM : MENU_PICKED;
}

/* The menu's `say`: a scenario plays the policy. */
static bool play_policy(void *context, const struct menu_question *question,
                        struct policy_answer *out)
{
    struct step_call *call = context;
    const struct menu_pickers *pickers = call->inv->call.pickers;
    return pickers->say(pickers->context, call->run->step->id,
                        mgi_menu_step_run(call->run->menu->step)->steps, question->arena, out);
}

/* The policy has answered. */
static void policy_ready(void *context)
{
    struct step_call *call = context;
    struct invocation *inv = call->inv;
    inv->chain->ways->picked(call);
    inv->chain->ways->advance(inv);
}

bool mgi_menu_begin(struct step_call *call)
{
    struct menu_run *menu = call->run->menu;
    const struct step_menu *template = menu_of(call->run);
    const struct menu_pickers *pickers = call->inv->call.pickers;
    struct menu_step_options *o = &menu->options;
    *o = (struct menu_step_options){ .run = template->run,
                                     .menu = &template->menu,
                                     .mode = template->mode,
                                     .chosen = menu_chosen,
                                     .ready = policy_ready,
                                     .context = call };
    const struct logger *log = call->inv->call.log;
    if (log && log->level >= LOG_DEBUG) {
        o->run.event = menu_event;
        o->run.context = call;
    }
    if (template->by_rules)
        o->pick = pick_by_rules;
    if (template->policy && pickers && pickers->say)
        o->say = play_policy;
    else if (template->policy && pickers && pickers->policies)
        o->policy = pickers->policies[template->policy - call->inv->snapshot->policies];
    menu->step = mgi_menu_step_new(&call->run->arena, o, &call->inputs.value);
    return menu->step != NULL;
}

/* ---- what selectors see --------------------------------------------------------------------- */

/* A few digests, put together; each was made where there was time for it. */
static bool digest_state(struct menu_run *menu)
{
    uint8_t sum[SHA256_BYTES];
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    mgi_sha256_add(h, menu->base, sizeof menu->base);
    mgi_sha256_add(h, menu->slots, sizeof menu->slots);
    mgi_sha256_add(h, menu->output, sizeof menu->output);
    mgi_sha256_add(h, menu->inputs_digest, strlen(menu->inputs_digest));
    if (!mgi_sha256_end(h, sum))
        return false;
    mgi_hex(sum, sizeof sum, menu->digest);
    return true;
}

static bool write_meta(struct menu_run *menu)
{
    struct json_writer w;
    mgi_buf_clear(&menu->meta);
    mgi_json_writer_init(&w, &menu->meta, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "turn", (int64_t)mgi_menu_step_run(menu->step)->steps + 1);
    mgi_jw_key(&w, "calls");
    mgi_menu_step_write_calls(menu->step, &w, META_OUTPUT_BYTES);
    mgi_jw_end_object(&w);
    return !menu->meta.oom;
}

static uint8_t slots_now(const struct menu_run *menu)
{
    uint8_t used = menu->slots_before;
    for (size_t i = 0; i < menu->change_count; i++)
        used = (uint8_t)((used & ~menu->changes[i].slots.removed) |
                         used_slots(&menu->changes[i].slots));
    return used;
}

/* An item for what was picked. */
static void begin_call(struct step_call *call)
{
    struct step_run *run = call->run;
    const struct step_menu *template = menu_of(run);
    const struct select_call *picked = mgi_menu_step_call(run->menu->step);
    call->item = run->item_count++;
    run->items[call->item].run = run;
    run->items[call->item].option = &template->options[picked->entry - template->menu.entries];
    call->attempt = 0;
    call->unsure = call->misfits = false;
}

enum menu_step_next mgi_menu_next(struct step_call *call)
{
    struct menu_run *menu = call->run->menu;
    int64_t left_ms = mgi_chain_left_ms(call) - STEP_RESERVE_MS;
    if (!digest_state(menu) || !write_meta(menu))
        return MENU_STEP_NOMEM;
    const struct select_state state = { .digest = str_of(menu->digest),
                                        .slots_used = slots_now(menu),
                                        .stage = STR_LIT(""),
                                        .meta = mgi_buf_view(&menu->meta) };
    enum menu_step_next next = mgi_menu_step_next(menu->step, &state, left_ms > 0 ? left_ms : 1);
    if (next == MENU_STEP_CALL)
        begin_call(call);
    return next;
}

/* ---- a call --------------------------------------------------------------------------------- */

bool mgi_menu_is_full(const struct step_run *run)
{
    return run->menu->given_memory > MENU_MAX_BYTES;
}

const char *mgi_menu_compose(struct step_call *call)
{
    struct step_run *run = call->run;
    struct item_run *item = &run->items[call->item];
    const struct action *action = item->option->action;
    struct json *given = mgi_arena_calloc(&call->arena, 1, sizeof *given);
    struct str text =
        mgi_arena_str(&call->arena, mgi_menu_step_call(run->menu->step)->inputs->text);
    if (!given || !text.ptr ||
        !mgi_tool_inputs(&call->arena, text, action->tier > 0, &call->inputs))
        return "the server ran out of memory";
    run->menu->given_memory += call->arena.used;
    if (mgi_menu_is_full(run))
        return "the inputs of what was picked are too large together";
    *given = call->inputs.value;
    item->given = given;
    return mgi_graph_state(call->inv, run, true, action->provider, &call->arena, &call->slots);
}

static struct state_change *menu_changes_of(const struct step_call *call)
{
    struct menu_run *menu = call->run->menu;
    size_t at = 0;
    while (menu->changes[at].provider != mgi_call_action(call)->provider)
        at++;
    return &menu->changes[at];
}

static void merge_change(struct tool_slots *all, const struct tool_slots *change)
{
    for (int slot = 0; slot < TOOL_SLOTS; slot++) {
        uint8_t bit = (uint8_t)(1u << slot);
        if (change->removed & bit) {
            all->artifact[slot] = (struct str){ NULL, 0 };
            all->removed |= bit;
        }
        if (change->artifact[slot].len > 0) {
            all->artifact[slot] = change->artifact[slot];
            all->removed &= (uint8_t)~bit;
        }
    }
}

/* Before anybody knows whether it counts: so what it did is put together beside what there is. */
void mgi_menu_digest(struct step_call *call)
{
    struct menu_run *menu = call->run->menu;
    const struct tool_result *r = &call->result;
    struct state_change *own = menu_changes_of(call);
    bool good = mgi_sha256(r->output.text.ptr, r->output.text.len, menu->output);
    if (good && mgi_slots_any(&r->changes)) {
        struct sha256 *h = mgi_sha256_new();
        merge_change(&own->slots, &r->changes);
        for (size_t i = 0; h && i < menu->change_count; i++)
            add_slots(h, &menu->changes[i].slots);
        good = h && mgi_sha256_end(h, menu->slots);
    }
    if (!good && !call->fault)
        call->fault = "the server ran out of memory";
}

bool mgi_menu_told(struct step_call *call, enum select_status status, struct str error)
{
    struct menu_run *menu = call->run->menu;
    struct item_run *item = &call->run->items[call->item];
    bool ok = status == SELECT_STATUS_OK;
    const struct select_outcome outcome = {
        .status = status,
        .output = item->has_output ? item->output.text : (struct str){ NULL, 0 },
        .error = ok ? (struct str){ NULL, 0 } : mgi_arena_str(&item->arena, error),
        .duration_ms = call->result.duration_ms,
    };
    item->status = status;
    if (ok)
        memcpy(menu->inputs_digest, mgi_menu_step_run(menu->step)->input_digest,
               sizeof menu->inputs_digest);
    return mgi_menu_step_outcome(menu->step, &outcome);
}

/* ---- the end -------------------------------------------------------------------------------- */

void mgi_menu_stop(struct step_run *run, enum select_end why)
{
    mgi_menu_step_stop(run->menu->step, why);
}

/* "noop after 2 calls: file_read, file_write" */
static void describe_menu(const struct step_run *run, struct buf *out)
{
    size_t count = run->item_count;
    mgi_buf_printf(out, "%s after %zu call%s",
                   mgi_select_end_name(mgi_menu_step_end(run->menu->step)), count,
                   count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < NAMED_CALLS; i++)
        mgi_buf_printf(out, "%s%.*s", i == 0 ? ": " : ", ",
                       STR_ARG(run->items[i].option->action->name));
    if (count > NAMED_CALLS)
        mgi_buf_puts(out, ", ...");
}

/* T-BUD-3: the question stands in slot 1 of whoever shares in the menu. */
static bool keep_question(struct step_run *run, struct str question)
{
    struct buf content = { 0 }, artifact = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &content, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "question", question);
    mgi_jw_end_object(&w);
    mgi_json_writer_init(&w, &artifact, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "type", "question");
    mgi_jw_member_cstr(&w, "provenance", AID_ASK_SUP);
    mgi_jw_member_str(&w, "content_json", mgi_buf_view(&content));
    mgi_jw_member_int(&w, "size_bytes", (int64_t)content.len);
    mgi_jw_end_object(&w);
    artifact.oom |= content.oom;
    struct str kept = artifact.oom ? (struct str){ NULL, 0 }
                                   : mgi_arena_str(&run->arena, mgi_buf_view(&artifact));
    struct tool_slots change = { 0 };
    change.artifact[RUN_QUESTION_SLOT] = kept;
    for (size_t i = 0; kept.ptr && i < run->menu->change_count; i++)
        merge_change(&run->menu->changes[i].slots, &change);
    run->menu->version++; /* no session has it yet */
    mgi_buf_fini(&content);
    mgi_buf_fini(&artifact);
    return kept.ptr != NULL;
}

bool mgi_menu_conclude(struct step_call *call, struct str *detail)
{
    struct step_run *run = call->run;
    struct menu_run *menu = run->menu;
    struct buf text = { 0 }, line = { 0 };
    struct json_writer w;
    enum select_end end = mgi_menu_step_end(menu->step);
    struct str question = mgi_menu_step_question(menu->step);
    const struct step_picked picked = { .step = (uint32_t)mgi_run_place(run, call->inv),
                                        .turn = mgi_menu_step_run(menu->step)->steps,
                                        .name = run->step->id,
                                        .by = "",
                                        .mode = "",
                                        .kind = "END",
                                        .raw = str_of(mgi_select_end_name(end)),
                                        .in_order = mgi_select_end_exit(end) == 0 };
    write_picked(call, &picked);
    describe_menu(run, &line);
    *detail = mgi_one_line(&run->arena, mgi_buf_view(&line));
    mgi_buf_fini(&line);
    mgi_json_writer_init(&w, &text, 0);
    mgi_menu_step_write_result(menu->step, &w, run->step->tells_failure);
    return mgi_json_take(&run->arena, &text, &run->output) &&
           (question.len == 0 || keep_question(run, question));
}

void mgi_menu_free(struct step_run *run)
{
    if (!run->menu)
        return;
    mgi_menu_step_free(run->menu->step);
    run->menu->step = NULL;
    mgi_buf_fini(&run->menu->meta);
}
