/* What came of the cases, and what follows from it for each requirement (conformance.h). */
#include "base/utf8.h"
#include "conformance/conformance_int.h"
#include "conformance/requirements.h"

#define DETAIL_BYTES 1000

const char *mgi_carrier_name(enum carrier c)
{
    return c == OVER_STDIO ? "stdio" : c == OVER_HTTP ? "http" : "websocket";
}

const char *mgi_outcome_name(enum outcome o)
{
    static const char *const names[] = { "pass", "fail", "skipped", "not observable" };
    return names[o];
}

const char *mgi_strength_name(enum strength s)
{
    static const char *const names[] = { "MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY" };
    return names[s];
}

struct str mgi_next_id(const char **ids)
{
    while (**ids == ' ')
        (*ids)++;
    size_t len = strcspn(*ids, " ");
    struct str id = { *ids, len };
    *ids += len;
    return id;
}

/* The server's words go to terminals and into reports: with everything invisible escaped, so it is
 * one line of good UTF-8. */
static const char *keep_detail(struct arena *a, const char *detail)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_utf8_prefix(str_of(detail), DETAIL_BYTES));
    const char *kept = shown.oom ? NULL : mgi_arena_strdup(a, shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
    return kept;
}

bool mgi_report_keep(struct conformance_report *r, const struct conformance_options *o,
                     const char *ids, const char *what, enum outcome outcome, const char *detail,
                     int64_t took_ms)
{
    struct arena *a = r->arena;
    if (!mgi_arena_grow(a, &r->results, &r->cap, r->count + 1, sizeof *r->results))
        return false;
    const char *kept = keep_detail(a, detail);
    r->results[r->count++] =
        (struct conformance_result){ ids, what, outcome, kept ? kept : "", took_ms };
    if (o->told)
        o->told(o->context, ids, what, mgi_outcome_name(outcome), kept ? kept : "");
    return kept != NULL;
}

/* ---- the requirements ------------------------------------------------------------------------ */

static bool names(const char *ids, const char *id)
{
    for (struct str one; (one = mgi_next_id(&ids)).len > 0;)
        if (str_is(one, id))
            return true;
    return false;
}

/* Fails with any of its cases; holds if one has passed and none failed. */
static void judge_requirement(const struct conformance_report *r, const struct requirement *row,
                              struct conformance_id *out)
{
    const char *unseen = mgi_requirement_unseen(row->id);
    *out = (struct conformance_id){ row->id, row->strength, row->level, OUTCOME_UNSEEN,
                                    unseen ? unseen : "no case over this transport shows it" };
    for (size_t i = 0; i < r->count; i++) {
        const struct conformance_result *one = &r->results[i];
        if (out->outcome == OUTCOME_FAIL || !names(one->ids, row->id))
            continue;
        if (one->outcome == OUTCOME_FAIL || out->outcome != OUTCOME_PASS) {
            out->outcome = one->outcome;
            out->detail = one->detail;
        }
    }
}

/* A level holds if it is stated and none of its MUSTs fails; the whole suite was run. */
static void judge_level(const struct conformance_report *r, const char *id, int level)
{
    struct conformance_id *row = NULL;
    const struct conformance_id *fault = NULL;
    for (size_t i = 0; i < r->id_count; i++) {
        struct conformance_id *one = &r->ids[i];
        if (strcmp(one->id, id) == 0)
            row = one;
        else if (one->level <= level && one->strength <= MUST_NOT && one->outcome == OUTCOME_FAIL)
            fault = fault ? fault : one;
    }
    if (!row || r->in_part || r->stated_level < level)
        return;
    row->outcome = fault ? OUTCOME_FAIL : OUTCOME_PASS;
    row->detail = fault ? fault->id : "";
}

bool mgi_report_conclude(struct conformance_report *r)
{
    r->ids = mgi_arena_calloc(r->arena, mgi_requirement_count, sizeof *r->ids);
    if (!r->ids)
        return false;
    for (size_t i = 0; i < mgi_requirement_count; i++) {
        const struct requirement *row = &mgi_requirements[i];
        if (row->level > r->level)
            continue;
        struct conformance_id *id = &r->ids[r->id_count++];
        judge_requirement(r, row, id);
    }
    judge_level(r, "P-LEVEL-2", 1);
    judge_level(r, "P-LEVEL-4", 2);
    for (size_t i = 0; i < r->id_count; i++)
        r->musts_failed += r->ids[i].outcome == OUTCOME_FAIL && r->ids[i].strength <= MUST_NOT;
    return true;
}
