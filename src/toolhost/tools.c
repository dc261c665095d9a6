/* The tools of a plugin: see tools.h. */
#include "toolhost/tools.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "toolhost.h"
#include "toolhost/lease.h"
#include "toolhost/sizes.h"

/* ---- check -------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* AID. <A-Z 0-9 _ - .> .v <digits> */
static bool aid_is_sound(struct str aid)
{
    if (aid.len > MAX_AID_BYTES || !mgi_str_starts(aid, STR_LIT("AID.")))
        return false;
    size_t end = aid.len;
    while (end > 0 && is_digit(aid.ptr[end - 1]))
        end--;
    if (end == aid.len || end < 2 || aid.ptr[end - 1] != 'v' || aid.ptr[end - 2] != '.')
        return false;
    end -= 2;
    if (end <= 4) /* nothing between the two ends */
        return false;
    for (size_t i = 4; i < end; i++) {
        char c = aid.ptr[i];
        if (!(c >= 'A' && c <= 'Z') && !is_digit(c) && c != '_' && c != '-' && c != '.')
            return false;
    }
    return true;
}

static bool list_is_utf8(const struct str_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (!mgi_utf8_valid(l->items[i], NULL))
            return false;
    return true;
}

static bool is_utf8(const struct tool *t)
{
    return mgi_utf8_valid(t->name, NULL) && mgi_utf8_valid(t->description, NULL) &&
           list_is_utf8(&t->tags) && list_is_utf8(&t->side_effects) &&
           list_is_utf8(&t->replay_inputs);
}

/* T-LEASE-2: forgetting the list must not be the way to the freest tier. */
static const char *effects_fault(const struct str_list *effects)
{
    if (effects->count == 0)
        return "no side effect; \"none\" must be said";
    for (size_t i = 0; i < effects->count; i++) {
        if (effects->items[i].len == 0)
            return "an empty side effect";
        if (effects->count > 1 && str_is(effects->items[i], "none"))
            return "side effect \"none\" beside another one";
    }
    return NULL;
}

static bool schema_is_object(struct str schema, struct arena *scratch)
{
    if (!schema.ptr)
        return true;
    struct arena_mark mark = mgi_arena_mark(scratch);
    struct json v;
    bool good = mgi_json_parse(scratch, schema, NULL, &v, NULL) == JSON_OK && v.type == JSON_OBJECT;
    mgi_arena_rewind(scratch, mark);
    return good;
}

const char *mgi_tool_fault(const struct tool *t, struct arena *scratch)
{
    const uint32_t known = TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE |
                           TH_TOOL_THREADSAFE | TH_TOOL_FAST_CANCEL;
    if (!aid_is_sound(t->aid))
        return "the aid is not AID.<A-Z 0-9 _ - .>.v<digits> of at most 128 bytes";
    if (t->name.len == 0 || t->name.len > MAX_NAME_BYTES)
        return "the name is not 1 to 64 bytes long";
    if (!is_utf8(t))
        return "a text is not valid UTF-8";
    const char *fault = effects_fault(&t->side_effects);
    if (fault)
        return fault;
    if (!schema_is_object(t->input_schema, scratch))
        return "input_schema is not a JSON object";
    if (!schema_is_object(t->output_schema, scratch))
        return "output_schema is not a JSON object";
    if (t->flags & ~known)
        return "an unknown flag";
    if (t->min_tier < -1 || t->min_tier > 3)
        return "min_tier is not -1 to 3";
    return NULL;
}

/* ---- between worker and host -------------------------------------------------------------- */

static void encode_list(struct buf *out, const struct str_list *l)
{
    mgi_frame_u32(out, (uint32_t)l->count);
    for (size_t i = 0; i < l->count; i++)
        mgi_frame_str(out, l->items[i]);
}

static void encode_schema(struct buf *out, struct str schema)
{
    mgi_frame_u32(out, schema.ptr != NULL);
    mgi_frame_str(out, schema);
}

void mgi_tool_encode(struct buf *out, const struct tool *t)
{
    mgi_frame_str(out, t->aid);
    mgi_frame_str(out, t->name);
    mgi_frame_str(out, t->description);
    encode_list(out, &t->tags);
    encode_list(out, &t->side_effects);
    encode_list(out, &t->replay_inputs);
    encode_schema(out, t->input_schema);
    encode_schema(out, t->output_schema);
    mgi_frame_u32(out, t->flags);
    mgi_frame_u32(out, t->timeout_ms);
    mgi_frame_u32(out, (uint32_t)t->min_tier);
}

static struct str decode_str(struct arena *arena, struct frame *f)
{
    struct str s = mgi_frame_get_str(f);
    return mgi_arena_str(arena, s);
}

static struct str_list decode_list(struct arena *arena, struct frame *f)
{
    struct str_list l = { NULL, mgi_frame_get_u32(f) };
    if (l.count > (f->body.len - f->at) / sizeof(uint32_t)) { /* each takes a length at least */
        f->bad = true;
        l.count = 0;
    }
    l.items = mgi_arena_calloc(arena, l.count + 1, sizeof *l.items);
    for (size_t i = 0; l.items && i < l.count; i++)
        l.items[i] = decode_str(arena, f);
    return l;
}

static struct str decode_schema(struct arena *arena, struct frame *f)
{
    bool present = mgi_frame_get_u32(f) != 0;
    struct str s = decode_str(arena, f);
    return present ? s : (struct str){ NULL, 0 };
}

static void decode_tool(struct arena *arena, struct frame *f, struct tool *t)
{
    t->aid = decode_str(arena, f);
    t->name = decode_str(arena, f);
    t->description = decode_str(arena, f);
    t->tags = decode_list(arena, f);
    t->side_effects = decode_list(arena, f);
    t->replay_inputs = decode_list(arena, f);
    t->input_schema = decode_schema(arena, f);
    t->output_schema = decode_schema(arena, f);
    t->flags = mgi_frame_get_u32(f);
    t->timeout_ms = mgi_frame_get_u32(f);
    t->min_tier = (int32_t)mgi_frame_get_u32(f);
}

struct numbered_tool {
    struct tool tool;
    uint32_t call_index;
};

static int by_aid(const void *a, const void *b)
{
    const struct numbered_tool *x = a, *y = b;
    return mgi_str_compare(x->tool.aid, y->tool.aid);
}

static bool sort_and_check(struct arena *arena, struct numbered_tool *list, struct tools *tools,
                           const char **why)
{
    qsort(list, tools->count, sizeof *list, by_aid);
    for (size_t i = 0; i < tools->count; i++) {
        struct tool *t = &tools->items[i];
        *t = list[i].tool;
        tools->call_index[i] = list[i].call_index;
        const char *fault = mgi_tool_fault(t, arena);
        if (!fault && i > 0 && str_eq(t->aid, t[-1].aid))
            fault = "registered twice";
        if (fault) {
            *why = mgi_arena_printf(arena, "plugin registered a bad tool: %.*s: %s",
                                    STR_ARG(t->aid), fault);
            return false;
        }
        t->tier = mgi_tier_of(t->aid, t->side_effects.items, t->side_effects.count, t->min_tier);
    }
    return true;
}

bool mgi_tools_decode(struct arena *arena, struct frame *f, struct tools *tools, const char **why)
{
    *tools = (struct tools){ .abi = mgi_frame_get_u32(f) };
    tools->caps = mgi_frame_get_u32(f);
    tools->count = mgi_frame_get_u32(f);
    *why = "plugin open failed: protocol violation";
    if (f->bad || tools->count == 0 || tools->count > MAX_TOOLS)
        return false;
    struct numbered_tool *list = mgi_arena_calloc(arena, tools->count, sizeof *list);
    tools->items = mgi_arena_calloc(arena, tools->count, sizeof *tools->items);
    tools->call_index = mgi_arena_calloc(arena, tools->count, sizeof *tools->call_index);
    for (size_t i = 0; list && i < tools->count && !f->bad; i++) {
        decode_tool(arena, f, &list[i].tool);
        list[i].call_index = (uint32_t)i;
    }
    if (!list || !tools->items || !tools->call_index || arena->oom) {
        *why = NULL;
        return false;
    }
    if (!mgi_frame_is_done(f))
        return false;
    return sort_and_check(arena, list, tools, why);
}

size_t mgi_tools_find(const struct tools *tools, struct str aid)
{
    size_t low = 0, high = tools->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = mgi_str_compare(tools->items[middle].aid, aid);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

/* ---- --list ------------------------------------------------------------------------------- */

/* The schema goes out re-serialised, so that its line breaks do not break the line. */
static void write_schema(struct json_writer *w, const char *name, struct str schema)
{
    struct arena scratch;
    struct json v;
    mgi_arena_init(&scratch, 0);
    mgi_jw_key(w, name);
    bool parsed = schema.ptr && mgi_json_parse(&scratch, schema, NULL, &v, NULL) == JSON_OK;
    if (parsed)
        mgi_jw_value(w, &v);
    else
        mgi_jw_null(w);
    if (schema.ptr && !parsed) /* it was checked at registration: only memory can be missing */
        w->out->oom = true;
    mgi_arena_fini(&scratch);
}

static void write_tool(struct json_writer *w, const struct tool *t)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "aid", t->aid);
    mgi_jw_member_str(w, "name", t->name);
    mgi_jw_member_bool(w, "deterministic", t->flags & TH_TOOL_DETERMINISTIC);
    mgi_jw_member_strs(w, "tags", t->tags.items, t->tags.count);
    mgi_jw_member_strs(w, "side_effects", t->side_effects.items, t->side_effects.count);
    mgi_jw_member_strs(w, "replay_inputs", t->replay_inputs.items, t->replay_inputs.count);
    mgi_jw_member_str(w, "description", t->description);
    mgi_jw_member_int(w, "tier", t->tier);
    mgi_jw_member_bool(w, "idempotent", t->flags & TH_TOOL_IDEMPOTENT);
    mgi_jw_member_bool(w, "reversible", t->flags & TH_TOOL_REVERSIBLE);
    mgi_jw_member_int(w, "timeout_ms", t->timeout_ms);
    write_schema(w, "input_schema", t->input_schema);
    write_schema(w, "output_schema", t->output_schema);
    mgi_jw_end_object(w);
}

void mgi_tools_write(struct buf *out, const struct tools *tools)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "ok", true);
    mgi_jw_key(&w, "tools");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < tools->count; i++)
        write_tool(&w, &tools->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}
