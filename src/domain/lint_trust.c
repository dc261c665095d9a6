/* Rules of privileged predicates that only clients could satisfy: they derive something for callers
 * who are trusted, and for nobody else. Perhaps that is meant; more often a predicate should be
 * the server's own.
 *
 * A predicate has grounds if the server can say a fact of it: it cannot rest on what clients send;
 * or it has base facts; or the server sends it in deltas, signed; or some rule that may vouch
 * derives it from predicates that have grounds. */
#include "domain/lint_int.h"

static bool is_both(const struct lint *l, mangle_pred pred)
{
    const char *direction = mgi_descriptor_text(l->p, pred, "direction", 0);
    return direction && strcmp(direction, "both") == 0;
}

static bool is_in_base(struct lint *l, mangle_pred pred)
{
    const struct mangle_fact *facts;
    size_t count = 0;
    return !mangle_program_pred(l->p, pred).derived && l->overlay &&
           mangle_overlay_facts(l->overlay, pred, &facts, &count) == MANGLE_OK && count > 0;
}

/* The first premise without grounds; MANGLE_NO_PRED: they all have some. */
static mangle_pred groundless(const bool *grounds, const struct mangle_rule_view *r)
{
    for (size_t i = 0; i < r->body_count; i++)
        if (!grounds[r->body[i]])
            return r->body[i];
    return MANGLE_NO_PRED;
}

static void find_grounds(struct lint *l, bool *grounds)
{
    size_t rules = mangle_program_rule_count(l->p);
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
        grounds[i] = !mangle_pred_is_tainted(l->p, i) || is_both(l, i) || is_in_base(l, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t r = 0; r < rules; r++) {
            struct mangle_rule_view v = mangle_program_rule(l->p, r);
            if (grounds[v.head] || !mangle_rule_may_vouch(l->p, r) ||
                groundless(grounds, &v) != MANGLE_NO_PRED)
                continue;
            grounds[v.head] = changed = true;
        }
    }
}

/* " <- reviewed <- signed": down to what clients send, or to a rule that reads what they leave out.
 * Each predicate is passed once. */
static void print_chain(struct lint *l, const bool *grounds, mangle_pred pred, struct buf *out)
{
    bool *passed = mgi_arena_calloc(&l->arena, mangle_program_pred_count(l->p) + 1, sizeof *passed);
    bool silence = false;
    while (passed && pred != MANGLE_NO_PRED && !passed[pred]) {
        mangle_pred next = MANGLE_NO_PRED;
        passed[pred] = true;
        mgi_buf_printf(out, " <- %s", mangle_program_pred(l->p, pred).name);
        for (size_t r = 0; r < mangle_program_rule_count(l->p) && next == MANGLE_NO_PRED; r++) {
            struct mangle_rule_view v = mangle_program_rule(l->p, r);
            silence = v.head == pred && !mangle_rule_may_vouch(l->p, r);
            if (silence)
                break;
            if (v.head == pred)
                next = groundless(grounds, &v);
        }
        pred = next;
    }
    mgi_buf_puts(out, silence ? ", where clients decide by what they leave out"
                              : ", which clients send");
}

static void check_rule(struct lint *l, const bool *grounds, const struct head *head)
{
    struct mangle_rule_view v = mangle_program_rule(l->p, head->rule);
    mangle_pred missing = groundless(grounds, &v);
    struct buf text = { 0 };
    if (missing == MANGLE_NO_PRED)
        return;
    mgi_buf_printf(
        &text, "%s is privileged, and here only callers who are trusted can make it hold: %s",
        mangle_program_pred(l->p, head->pred).name, mangle_program_pred(l->p, head->pred).name);
    print_chain(l, grounds, missing, &text);
    mgi_lint_at(l, MANGLE_WARNING, "PRIVILEGED", head->place,
                "Rest it on facts of the server, or on ones that it sends in deltas: "
                "direction(\"both\").",
                text.oom ? NULL : mgi_arena_str(&l->arena, mgi_buf_view(&text)).ptr);
    mgi_buf_fini(&text);
}

void mgi_lint_trust(struct lint *l)
{
    bool *grounds =
        mgi_arena_calloc(&l->arena, mangle_program_pred_count(l->p) + 1, sizeof *grounds);
    if (!grounds || l->s->privileged_count == 0)
        return;
    find_grounds(l, grounds);
    for (size_t i = 0; i < l->head_count; i++)
        if (l->heads[i].rule != SIZE_MAX &&
            mangle_pred_claimed(l->p, l->heads[i].pred) != MANGLE_NO_PRED)
            check_rule(l, grounds, &l->heads[i]);
}
