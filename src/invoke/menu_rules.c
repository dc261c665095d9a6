/* What rules pick from a menu (rules/schema/60_menus.mg): evaluated on their own, on what the menu
 * and the steps before it have done, without the intent and its facts. On a worker, since rules may
 * take their time; what is read there does not change meanwhile: the definition, the arguments,
 * runs that are over, and the calls of this menu. */
#include "invoke/chain_int.h"

struct asking {
    struct step_call *call;
    struct menu_run *menu;
    struct telling t;
    mangle_value tool, step;
};

static const struct interface *preds_of(const struct asking *a)
{
    return &a->call->inv->snapshot->pred;
}

/* ---- telling ------------------------------------------------------------------------------- */

static void tell_calls(struct asking *a)
{
    const struct interface *p = preds_of(a);
    const struct step_run *run = a->call->run;
    for (size_t i = 0; i < run->item_count; i++) {
        const struct item_run *item = &run->items[i];
        mangle_value number = mangle_number(a->t.values, (int64_t)i + 1);
        mangle_value aid = mgi_tell_text(&a->t, item->option->action->aid);
        mangle_value status = mgi_tell_text(&a->t, str_of(mgi_select_status_name(item->status)));
        mgi_tell(&a->t, p->menu_called, (mangle_value[]){ number, aid, status }, 3, NULL);
        mangle_value v = item->has_output ? mgi_tell_object(&a->t, &item->output) : MANGLE_NONE;
        if (v != MANGLE_NONE)
            mgi_tell(&a->t, p->menu_output, (mangle_value[]){ number, v }, 2, NULL);
    }
}

static void tell_slots(struct asking *a)
{
    uint8_t used = a->menu->question.view->slots_used;
    for (int slot = 0; slot < TOOL_SLOTS; slot++)
        if (used & (1u << slot))
            mgi_tell(&a->t, preds_of(a)->menu_slot,
                     (mangle_value[]){ mangle_number(a->t.values, slot) }, 1, NULL);
}

/* The steps that this one needs: whatever else has run meanwhile, the answer is the same. */
static void tell_steps(struct asking *a)
{
    const struct invocation *inv = a->call->inv;
    for (size_t i = 0; i < inv->run_count; i++)
        if (mgi_run_needs(a->call->run, i))
            mgi_tell_run(&a->t, &inv->runs[i]);
}

static void tell_menu(struct asking *a)
{
    const struct interface *p = preds_of(a);
    int64_t turn = mgi_menu_step_run(a->menu->step)->steps;
    mgi_tell(&a->t, p->choosing, (mangle_value[]){ a->tool, a->step }, 2, NULL);
    mgi_tell(&a->t, p->menu_turn, (mangle_value[]){ mangle_number(a->t.values, turn) }, 1, NULL);
    mgi_tell_members(&a->t, p->menu_input, a->menu->question.inputs, "_meta");
    tell_slots(a);
    tell_calls(a);
    tell_steps(a);
    mgi_tell_arguments(&a->t);
}

/* ---- evaluating ----------------------------------------------------------------------------- */

static bool is_over(void *context)
{
    const struct invocation *inv = context;
    return atomic_load(&inv->cancelled) ||
           (inv->call.cancelled && inv->call.cancelled(inv->call.context));
}

static void blame(struct asking *a, const char *why)
{
    a->menu->fault = why ? why : "the server ran out of memory";
}

static bool derive_picks(struct asking *a)
{
    struct invocation *inv = a->call->inv;
    struct mangle_error err = { 0 };
    enum mangle_status status =
        a->t.nomem ? MANGLE_ERR_NOMEM : mgi_tell_rules(inv, a->t.overlay, is_over, inv, &err);
    if (status)
        blame(a, mgi_arena_printf(a->t.arena, "the rules could not be evaluated: %s%s%s",
                                  mangle_status_text(status), err.message[0] ? ": " : "",
                                  err.message));
    return status == MANGLE_OK;
}

/* ---- hearing -------------------------------------------------------------------------------- */

/* Those facts of `pred` that are about this menu, one after the other: from *at on. NULL: there are
 * no more. */
static const struct mangle_fact *next_fact(struct asking *a, mangle_pred pred, size_t *at)
{
    const struct mangle_fact *facts = NULL;
    size_t count = 0;
    if (pred == MANGLE_NO_PRED)
        return NULL;
    if (mangle_overlay_facts(a->t.overlay, pred, &facts, &count) != MANGLE_OK) {
        a->t.nomem = true;
        return NULL;
    }
    while (*at < count) {
        const struct mangle_fact *f = &facts[(*at)++];
        if (f->args[0] == a->tool && f->args[1] == a->step)
            return f;
    }
    return NULL;
}

static struct str menu_text_of(const struct asking *a, mangle_value v)
{
    struct str s = { NULL, 0 };
    if (mangle_kind_of(a->t.values, v) == MANGLE_STRING)
        s.ptr = mangle_text_of(a->t.values, v, &s.len);
    return s;
}

static const struct menu_entry *entry_of(const struct asking *a, mangle_value v)
{
    struct str aid = menu_text_of(a, v);
    return aid.ptr ? mgi_menu_find_aid(a->menu->question.menu, aid) : NULL;
}

/* What is picked with the highest priority: *entry, or none. NULL; or why that is no pick. */
static const char *hear_picks(struct asking *a, const struct menu_entry **entry)
{
    const struct mangle_fact *f;
    int64_t best = 0;
    const struct menu_entry *rival = NULL;
    *entry = NULL;
    for (size_t at = 0; (f = next_fact(a, preds_of(a)->menu_pick, &at)) != NULL;) {
        const struct menu_entry *e = entry_of(a, f->args[2]);
        if (!e)
            return mgi_arena_printf(a->t.arena, "rules pick %.*s, which is not in the menu",
                                    STR_ARG(menu_text_of(a, f->args[2])));
        if (mangle_kind_of(a->t.values, f->args[3]) != MANGLE_NUMBER)
            return "rules pick with a priority that is no whole number";
        int64_t priority = mangle_int_of(a->t.values, f->args[3]);
        if (*entry && priority == best && e != *entry)
            rival = e;
        if (!*entry || priority > best) {
            best = priority;
            *entry = e;
            rival = NULL;
        }
    }
    return rival ? mgi_arena_printf(a->t.arena, "rules pick both %.*s and %.*s",
                                    STR_ARG((*entry)->aid), STR_ARG(rival->aid))
                 : NULL;
}

/* The inputs that go with it, as an object; `text` stays empty if there are none. NULL; or why not.
 * Facts are sorted, so two values of a name stand beside each other. */
static const char *hear_inputs(struct asking *a, const struct menu_entry *entry, struct buf *text)
{
    struct json_writer w;
    const struct mangle_fact *f;
    struct str last = { NULL, 0 };
    mgi_json_writer_init(&w, text, 0);
    for (size_t at = 0; (f = next_fact(a, preds_of(a)->menu_set, &at)) != NULL;) {
        struct str name = menu_text_of(a, f->args[3]);
        if (entry_of(a, f->args[2]) != entry || !name.ptr)
            continue;
        if (last.ptr && str_eq(last, name))
            return mgi_arena_printf(a->t.arena, "rules set the input \"%.*s\" twice",
                                    STR_ARG(name));
        if (!last.ptr)
            mgi_jw_begin_object(&w);
        mgi_jw_key_str(&w, name);
        mgi_value_to_json(&w, a->t.values, f->args[4]);
        last = name;
    }
    if (last.ptr)
        mgi_jw_end_object(&w);
    return NULL;
}

static bool hear_asks(struct asking *a)
{
    const struct mangle_fact *f;
    struct menu_must_ask *asks =
        mgi_arena_calloc(a->t.arena, a->menu->question.menu->count + 1, sizeof *asks);
    size_t count = 0;
    for (size_t at = 0; asks && (f = next_fact(a, preds_of(a)->menu_ask, &at)) != NULL;) {
        const struct menu_entry *e = entry_of(a, f->args[2]);
        struct str question = menu_text_of(a, f->args[3]);
        bool again = e && count > 0 && asks[count - 1].sid == e->sid; /* the first of them asks */
        if (!e || again)
            continue;
        asks[count].sid = e->sid;
        asks[count++].question =
            question.ptr ? mgi_arena_str(a->t.arena, question) : (struct str){ NULL, 0 };
    }
    a->menu->said.asks = asks;
    a->menu->said.ask_count = count;
    return asks != NULL;
}

static void hear_everything(struct asking *a)
{
    struct selection *out = &a->menu->said.selection;
    const struct menu_entry *entry;
    struct buf patch = { 0 };
    const char *why = hear_picks(a, &entry);
    if (!why && entry)
        why = hear_inputs(a, entry, &patch);
    bool good = !patch.oom && hear_asks(a);
    if (why)
        *out = mgi_selection_invalid(why);
    else if (good)
        good = mgi_selection_make(a->t.arena, entry,
                                  patch.len > 0 ? mgi_buf_view(&patch) : (struct str){ 0 }, out);
    mgi_buf_fini(&patch);
    if (!good || a->t.nomem || a->t.arena->oom)
        blame(a, NULL);
}

/* ---- the whole ------------------------------------------------------------------------------ */

void mgi_menu_ask_rules(struct step_call *call)
{
    struct menu_run *menu = call->run->menu;
    struct asking a = { .call = call,
                        .menu = menu,
                        .t = { .inv = call->inv, .arena = menu->question.arena } };
    menu->said = (struct menu_said){ 0 };
    menu->fault = NULL;
    if (mangle_overlay_new(call->inv->snapshot->base, &a.t.overlay) != MANGLE_OK) {
        blame(&a, NULL);
        return;
    }
    if (call->inv->call.pickers && call->inv->call.pickers->external)
        mangle_overlay_set_host(a.t.overlay, call->inv->call.pickers->external);
    a.t.values = mangle_overlay_values(a.t.overlay);
    a.tool = mgi_tell_text(&a.t, call->inv->tool->name);
    a.step = mgi_tell_text(&a.t, call->run->step->id);
    tell_menu(&a);
    if (derive_picks(&a))
        hear_everything(&a);
    mangle_overlay_free(a.t.overlay);
}
