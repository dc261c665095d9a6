/* An answer to an intent, for a model. First a line about each part of what there is, if the server
 * says so (x-overview), once. A tool in full is a unit: its signature always, because that is what
 * is called; what explains it only if it is news. Where a unit does not fit, its first line may.
 * The other tools have a line each (with the call, if the server says it: x-call), and are named
 * once that line was shown. */
#include "base/time.h"
#include "render/call.h"
#include "render/render_int.h"

#define TEXT_BYTES     1500 /* of a description, of instructions */
#define SENTENCE_BYTES 160  /* of a skill */
#define MOST_SKILLS    64   /* of a tool */
#define SOON_NS        (120 * NS_PER_SEC)

/* ---- safety ------------------------------------------------------------------------------------
 */

static bool has_effects(const struct json *safety)
{
    const struct json *effects = list_at(safety, "side_effects");
    return effects->count > 1 ||
           (effects->count == 1 &&
            (effects->items[0].type != JSON_STRING || !str_is(effects->items[0].string, "none")));
}

static void put_effects(struct buf *out, const struct json *safety)
{
    const struct json *effects = list_at(safety, "side_effects");
    mgi_buf_puts(out, " on ");
    for (uint32_t i = 0; i < effects->count; i++) {
        mgi_buf_puts(out, i ? "+" : "");
        if (effects->items[i].type == JSON_STRING)
            mgi_clean_name(out, effects->items[i].string);
    }
}

/* Where it matters: the user is asked, or it has effects that stay or come twice. */
static void put_safety(struct buf *out, const struct json *safety)
{
    bool effects = has_effects(safety), asks = is_true(safety, "requires_user_confirmation");
    bool stays = effects && !is_true(safety, "reversible");
    bool twice = effects && !is_true(safety, "idempotent");
    if (!asks && !stays && !twice)
        return;
    const char *between = "";
    mgi_buf_puts(out, "  [");
    if (asks) {
        mgi_buf_puts(out, "the user is asked first");
        between = "; ";
    }
    if (stays) {
        mgi_buf_printf(out, "%scannot be undone", between);
        between = "; ";
    }
    if (twice)
        mgi_buf_printf(out, "%sacts again when repeated", between);
    if (effects)
        put_effects(out, safety);
    mgi_buf_putc(out, ']');
}

static void put_expiry(struct page *p, const struct json *validity)
{
    int64_t end;
    if (p->how.now_ns == 0 ||
        mgi_time_parse(text_at(validity, "expires_at"), TIME_LOWER_CASE, &end) != TIME_OK)
        return;
    if (end <= p->how.now_ns)
        mgi_buf_puts(&p->unit, "  [over]");
    else if (end - SOON_NS < p->how.now_ns)
        mgi_buf_printf(&p->unit, "  [for %d s]", (int)((end - p->how.now_ns) / NS_PER_SEC));
}

/* ---- a tool in full -----------------------------------------------------------------------------
 */

static void put_call(struct page *p, const struct json *tool)
{
    mgi_signature(&p->unit, text_at(tool, "name"), mgi_json_get(tool, "input_schema"));
    put_safety(&p->unit, mgi_json_get(tool, "safety"));
    put_expiry(p, mgi_json_get(tool, "validity"));
}

/* `text` behind a label, if it is news. */
static bool put_news(struct page *p, const char *kind, struct str name, const char *label,
                     struct str text)
{
    if (text.len == 0 || !mgi_page_is_news(p, kind, name, text))
        return false;
    mgi_buf_printf(&p->unit, "  %s", label);
    mgi_clean_cut(&p->unit, text, TEXT_BYTES);
    mgi_buf_putc(&p->unit, '\n');
    return true;
}

static bool put_notes(struct page *p, const struct json *tool)
{
    struct buf notes = { 0 };
    mgi_signature_notes(&notes, mgi_json_get(tool, "input_schema"));
    bool news =
        notes.len > 0 && mgi_page_is_news(p, "notes", text_at(tool, "name"), mgi_buf_view(&notes));
    if (news)
        mgi_buf_str(&p->unit, mgi_buf_view(&notes));
    p->nomem |= notes.oom;
    mgi_buf_fini(&notes);
    return news;
}

/* What the answer says of a skill that is not inlined. */
static const struct json *find_skill(const struct json *payload, struct str id)
{
    const struct json *all = list_at(payload, "required_skills");
    for (uint32_t i = 0; i < all->count; i++)
        if (str_eq(text_at(&all->items[i], "skill_id"), id))
            return &all->items[i];
    return NULL;
}

/* Note the text of a skill; its description. */
static struct str note_skill(struct page *p, const struct json *reference,
                             const struct json *payload)
{
    struct str id = text_at(reference, "skill_id"), text = text_at(reference, "content");
    struct str about = text_at(reference, "description");
    const struct json *whole = text.len ? NULL : find_skill(payload, id);
    if (whole) {
        text = text_at(whole, "content");
        about = text_at(whole, "description");
    }
    if (text.len)
        mgi_page_skill(p, id, text, whole && str_eq(text, about));
    return about;
}

static void put_skill(struct page *p, const struct json *reference, const struct json *payload)
{
    struct str id = text_at(reference, "skill_id"), about = note_skill(p, reference, payload);
    mgi_clean_name(&p->unit, id);
    if (about.len && mgi_page_is_news(p, "skill", id, about)) {
        mgi_buf_puts(&p->unit, " (");
        mgi_clean_sentence(&p->unit, about, SENTENCE_BYTES);
        mgi_buf_putc(&p->unit, ')');
    }
}

static bool put_skills(struct page *p, const struct json *tool, const struct json *payload)
{
    const struct json *skills = list_at(mgi_json_get(tool, "context_injection"), "skills");
    for (uint32_t i = 0; i < skills->count && i < MOST_SKILLS; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : "  skills: ");
        put_skill(p, &skills->items[i], payload);
    }
    if (skills->count > MOST_SKILLS)
        mgi_buf_printf(&p->unit, ", ... (%u more)", skills->count - MOST_SKILLS);
    mgi_buf_puts(&p->unit, skills->count ? "\n" : "");
    return skills->count > 0;
}

/* Addresses that are there for the same reason share its words. */
static void put_resources(struct page *p, const struct json *tool)
{
    const struct json *all = list_at(mgi_json_get(tool, "context_injection"), "context_resources");
    for (uint32_t i = 0; i < all->count; i++) {
        struct str why = text_at(&all->items[i], "relevance");
        bool ends = i + 1 == all->count || !str_eq(text_at(&all->items[i + 1], "relevance"), why);
        bool begins = i == 0 || !str_eq(text_at(&all->items[i - 1], "relevance"), why);
        mgi_buf_puts(&p->unit, begins ? "  see " : ", ");
        mgi_clean_cut(&p->unit, text_at(&all->items[i], "uri"), TEXT_BYTES);
        if (ends && why.len && mgi_page_is_news(p, "relevance", why, why)) {
            mgi_buf_puts(&p->unit, ": ");
            mgi_clean_cut(&p->unit, why, TEXT_BYTES);
        }
        mgi_buf_puts(&p->unit, ends ? "\n" : "");
    }
}

/* True: there are skills. */
static bool write_full(struct page *p, const struct json *tool, const struct json *payload)
{
    struct str name = text_at(tool, "name");
    struct str about = text_at(tool, "description");
    struct str first = text_at(mgi_json_get(tool, "context_injection"), "instructions");
    put_call(p, tool);
    size_t line_end = p->unit.len;
    mgi_buf_putc(&p->unit, '\n');
    bool news = put_news(p, "about", name, "", about);
    news |= put_notes(p, tool);
    news |= put_news(p, "first", name, "first: ", first);
    if (!news && !p->unit.oom && about.len) { /* the newline makes room for it */
        p->unit.len = line_end;
        mgi_buf_puts(&p->unit, "  as before\n");
    }
    bool skills = put_skills(p, tool, payload);
    put_resources(p, tool);
    return skills;
}

/* ---- all of them
 * --------------------------------------------------------------------------------- */

static bool is_full(const struct json *tool)
{
    struct str level = text_at(tool, "disclosure_level");
    return mgi_json_get(tool, "input_schema") && !str_is(level, "condensed") &&
           !str_is(level, "minimal");
}

struct tally {
    uint32_t full, calls, other, unfit;
    bool skills;
};

/* How it is called, of a tool that is not shown in full; or nothing. */
static struct str call_of(const struct json *tool)
{
    return text_at(mgi_json_get(tool, "metadata"), "x-call");
}

static void show_full(struct page *p, const struct json *tool, const struct json *payload,
                      struct tally *t)
{
    t->full++;
    bool skills = write_full(p, tool, payload);
    if (mgi_page_take(p)) {
        t->skills |= skills;
        return;
    }
    put_call(p, tool);
    mgi_buf_puts(&p->unit, "  (cut)\n");
    if (!mgi_page_take(p))
        t->unfit++;
}

/* Its words in one line, in the unit. */
static void put_side_line(struct page *p, const struct json *tool)
{
    struct str call = call_of(tool);
    if (call.len) {
        mgi_call_line(&p->unit, call, text_at(tool, "description"));
        return;
    }
    mgi_buf_puts(&p->unit, "  ");
    mgi_clean_name(&p->unit, text_at(tool, "name"));
    mgi_buf_puts(&p->unit, ": ");
    mgi_clean_cut(&p->unit, text_at(tool, "description"), TEXT_BYTES / 4);
    mgi_buf_putc(&p->unit, '\n');
}

/* A line of its own: false if there is none, because it has no words or they are known. */
static bool show_side_line(struct page *p, const struct json *tool, struct tally *t)
{
    struct str name = text_at(tool, "name"), call = call_of(tool);
    if (text_at(tool, "description").len > 0 || call.len > 0)
        put_side_line(p, tool);
    if (p->unit.len == 0 ||
        !mgi_page_is_news(p, call.len ? "call" : "side", name, mgi_buf_view(&p->unit))) {
        p->nomem |= p->unit.oom;
        mgi_buf_clear(&p->unit);
        p->mark_count = p->mark_kept;
        return false;
    }
    if (!mgi_page_take(p))
        t->unfit++;
    return true;
}

/* A tool of the others: with a call, or without. */
static bool is_side(const struct json *tool, bool called)
{
    return !is_full(tool) && (call_of(tool).len > 0) == called;
}

/* The names of those without a line, in one, behind `label`; as many as fit. */
static void show_side_names(struct page *p, const struct json *tools, bool called,
                            const bool *lined, const char *label, struct tally *t)
{
    uint32_t put = 0;
    bool full = false; /* the text */
    for (uint32_t i = 0; i < tools->count; i++) {
        if (!is_side(&tools->items[i], called) || lined[i])
            continue;
        full =
            full || !mgi_page_list_name(p, put ? ", " : label, text_at(&tools->items[i], "name"));
        t->unfit += full;
        put += !full;
    }
    if (put)
        mgi_page_end_list(p);
}

static void show_side(struct page *p, const struct json *tools, struct tally *t)
{
    bool *lined = mgi_arena_calloc(&p->arena, (size_t)tools->count + 1, sizeof *lined);
    if (!lined)
        return; /* the arena remembers */
    mgi_buf_puts(&p->text, "others, in full when asked for:\n");
    for (uint32_t i = 0; i < tools->count; i++)
        if (is_side(&tools->items[i], false))
            lined[i] = show_side_line(p, &tools->items[i], t);
    show_side_names(p, tools, false, lined, "  ", t);
}

/* Those that can be called as they stand. */
static void show_calls(struct page *p, const struct json *tools, struct tally *t)
{
    bool *lined = mgi_arena_calloc(&p->arena, (size_t)tools->count + 1, sizeof *lined);
    if (!lined)
        return; /* the arena remembers */
    mgi_buf_puts(&p->text, t->full ? "also:\n" : "");
    for (uint32_t i = 0; i < tools->count; i++)
        if (is_side(&tools->items[i], true))
            lined[i] = show_side_line(p, &tools->items[i], t);
    show_side_names(p, tools, true, lined, "  as before: ", t);
}

/* ---- what there is ------------------------------------------------------------------------------
 */

/* The entry without a name, which may be missing, is the heading. */
static struct str heading_of(const struct json *overview)
{
    for (uint32_t i = 0; i < overview->count; i++)
        if (text_at(&overview->items[i], "name").len == 0)
            return text_at(&overview->items[i], "description");
    return STR_LIT("there is");
}

/* Lines that were not shown yet, under their heading; of a line that was shown, nothing is said. */
/* Those of which there is no more to say, in one line. */
static void show_part_names(struct page *p, const struct json *overview)
{
    uint32_t put = 0;
    for (uint32_t i = 0; i < overview->count; i++) {
        const struct json *part = &overview->items[i];
        struct str name = text_at(part, "name"), about = text_at(part, "description");
        size_t marks = p->mark_count; /* those before it are of the names in the unit */
        bool is_part = name.len > 0 && about.len == 0;
        if (!is_part || !mgi_page_is_news(p, "part", name, about)) {
            p->mark_count = marks;
            continue;
        }
        if (!mgi_page_list_name(p, put ? ", " : "  and ", name)) {
            p->mark_count = marks;
            break;
        }
        put++;
    }
    if (put)
        mgi_page_end_list(p);
}

static void show_overview(struct page *p, const struct json *overview)
{
    bool headed = false;
    for (uint32_t i = 0; i < overview->count; i++) {
        const struct json *part = &overview->items[i];
        struct str name = text_at(part, "name"), about = text_at(part, "description");
        if (name.len == 0 || about.len == 0 || !mgi_page_is_news(p, "part", name, about)) {
            p->mark_count = p->mark_kept;
            continue;
        }
        if (!headed) {
            mgi_clean_cut(&p->unit, heading_of(overview), TEXT_BYTES / 4);
            mgi_buf_puts(&p->unit, ":\n");
        }
        mgi_buf_puts(&p->unit, "  ");
        mgi_clean_name(&p->unit, name);
        mgi_buf_puts(&p->unit, ": ");
        mgi_clean_cut(&p->unit, about, TEXT_BYTES / 4);
        mgi_buf_putc(&p->unit, '\n');
        headed |= mgi_page_take(p);
    }
    show_part_names(p, overview);
}

static void show_heading(struct page *p, const struct json *tools)
{
    if (p->how.about) {
        mgi_buf_puts(&p->unit, "for ");
        mgi_page_name(p, str_of(p->how.about));
    } else {
        mgi_buf_puts(&p->unit, "now");
    }
    mgi_buf_puts(&p->unit, tools->count ? ":\n" : ": no tool is offered with what is known\n");
    mgi_page_take_anyway(p);
}

static enum manglecp_status show_offer(struct page *p, const struct json *payload)
{
    const struct json *tools = mgi_json_get(payload, "macro_tools");
    struct tally t = { 0 };
    if (!tools || tools->type != JSON_ARRAY)
        return MANGLECP_ERR_INVALID;
    show_overview(p, list_at(payload, "x-overview"));
    show_heading(p, tools);
    for (uint32_t i = 0; i < tools->count; i++)
        if (is_full(&tools->items[i]))
            show_full(p, &tools->items[i], payload, &t);
        else if (call_of(&tools->items[i]).len)
            t.calls++;
        else
            t.other++;
    if (t.skills && p->how.to_read_skill)
        mgi_buf_printf(&p->text, "to read a skill: %s\n", p->how.to_read_skill);
    if (t.calls)
        show_calls(p, tools, &t);
    if (t.other)
        show_side(p, tools, &t);
    if (t.unfit)
        mgi_buf_printf(&p->text, "%u more tools do not fit here\n", t.unfit);
    return MANGLECP_OK;
}

enum manglecp_status manglecp_show_tools(manglecp_shown *shown, const char *json, size_t len,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, shown, how, (struct str){ json, len }, &root);
    if (!status)
        status = show_offer(&p, mgi_json_get(&root, "payload"));
    return mgi_page_close(&p, status, out, out_len);
}

static enum manglecp_status note_skills(struct page *p, const struct json *payload)
{
    const struct json *tools = mgi_json_get(payload, "macro_tools");
    if (!tools || tools->type != JSON_ARRAY)
        return MANGLECP_ERR_INVALID;
    for (uint32_t i = 0; i < tools->count; i++) {
        const struct json *context = mgi_json_get(&tools->items[i], "context_injection");
        const struct json *skills = list_at(context, "skills");
        for (uint32_t k = 0; k < skills->count; k++)
            (void)note_skill(p, &skills->items[k], payload);
    }
    return MANGLECP_OK;
}

enum manglecp_status manglecp_shown_skills(manglecp_shown *shown, const char *json, size_t len)
{
    struct page p;
    struct json root;
    char *nothing;
    enum manglecp_status status = mgi_page_open(&p, shown, NULL, (struct str){ json, len }, &root);
    if (!status)
        status = note_skills(&p, mgi_json_get(&root, "payload"));
    status = mgi_page_close(&p, status, &nothing, NULL);
    manglecp_free(nothing);
    return status;
}
