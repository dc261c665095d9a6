/* The text form of a selection: see selection.h. Read from left to right, nothing is tried twice.
 */
#include "select/selection.h"

#include "base/utf8.h"
#include "base/base64.h"

#define WS          " \t\r\n"
#define TAG_INP     "<INP>"
#define TAG_INP64   "<INP64>"
#define FOUND_CHARS 24 /* of what stands where something else should */

struct reading {
    struct arena *into;
    struct str text; /* trimmed */
    size_t lead;     /* bytes that were before it */
    size_t at;
    const char *fault; /* NULL so far */
    bool nomem;
};

static const char *fault_at(struct reading *r, const char *what, size_t at)
{
    r->fault = mgi_arena_printf(r->into, "byte %zu: %s", r->lead + at + 1, what);
    r->nomem |= !r->fault;
    return r->fault;
}

static struct str rest_of(const struct reading *r)
{
    return (struct str){ r->text.ptr + r->at, r->text.len - r->at };
}

static bool take(struct reading *r, const char *word)
{
    struct str w = str_of(word);
    if (!mgi_str_starts(rest_of(r), w))
        return false;
    r->at += w.len;
    return true;
}

/* "expected X" and what is there instead, for whoever wrote the selector. */
static bool expect(struct reading *r, const char *word, const char *meaning)
{
    struct buf shown = { 0 };
    struct str rest = rest_of(r);
    if (take(r, word))
        return true;
    if (rest.len > FOUND_CHARS)
        rest = mgi_utf8_prefix(rest, FOUND_CHARS);
    mgi_utf8_show(&shown, rest);
    const char *why =
        mgi_arena_printf(r->into, rest.len ? "expected %s, found \"%s\"" : "expected %s", meaning,
                         shown.ptr ? shown.ptr : "");
    r->nomem |= !why || shown.oom;
    mgi_buf_fini(&shown);
    if (why)
        fault_at(r, why, r->at);
    return false;
}

static bool read_sid(struct reading *r, uint16_t *sid)
{
    struct str rest = rest_of(r);
    bool whole = rest.len > SID_CHARS && rest.ptr[SID_CHARS] == '>' &&
                 mgi_sid_parse((struct str){ rest.ptr, SID_CHARS }, sid);
    if (!whole) {
        fault_at(r, "expected SID and four digits, then '>'", r->at);
        return false;
    }
    r->at += SID_CHARS + 1;
    return true;
}

/* ---- patches -------------------------------------------------------------------------------- */

/* `at` is where `json` stands in the text; if it was decoded, where what it was made of begins. */
static void read_object(struct reading *r, struct str json, size_t at, bool decoded,
                        struct json *patch)
{
    struct json_error error;
    enum json_fault fault = mgi_json_parse(r->into, json, NULL, patch, &error);
    if (fault == JSON_NOMEM) {
        r->nomem = true;
    } else if (fault != JSON_OK) {
        const char *why =
            decoded ? mgi_arena_printf(r->into, "byte %zu of the decoded patch is not JSON: %s",
                                       error.offset + 1, error.message)
                    : mgi_arena_printf(r->into, "the patch is not JSON: %s", error.message);
        r->nomem |= !why;
        fault_at(r, why ? why : "", decoded ? at : at + error.offset);
    } else if (patch->type != JSON_OBJECT) {
        fault_at(r, "the patch is not a JSON object", at);
    }
}

/* Up to the first closing tag (T-SEL-3). ptr NULL: it is not there. */
static struct str content(struct reading *r, const char *closing)
{
    struct str rest = rest_of(r);
    size_t len = mgi_str_find(rest, str_of(closing));
    if (len == SIZE_MAX) {
        const char *why = mgi_arena_printf(r->into, "the patch has no %s", closing);
        r->nomem |= !why;
        fault_at(r, why ? why : "", r->at);
        return (struct str){ 0 };
    }
    r->at += len + strlen(closing);
    return (struct str){ rest.ptr, len };
}

static void read_plain_patch(struct reading *r, struct json *patch)
{
    struct str inside = content(r, "</INP>");
    if (r->fault)
        return;
    struct str json = mgi_str_trim(inside, WS);
    read_object(r, json, json.len ? (size_t)(json.ptr - r->text.ptr) : r->at, false, patch);
}

static void read_base64_patch(struct reading *r, struct json *patch)
{
    size_t begun = r->at, len = 0, at = 0;
    struct str inside = content(r, "</INP64>");
    if (r->fault)
        return;
    char *decoded = mgi_arena_alloc(r->into, inside.len / 4 * 3 + 3);
    if (!decoded) {
        r->nomem = true;
        return;
    }
    const char *why = mgi_base64_decode(inside, decoded, &len, &at);
    if (why)
        fault_at(r, why, begun + at);
    else
        read_object(r, mgi_str_trim((struct str){ decoded, len }, WS), begun, true, patch);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void read_pick(struct reading *r, struct selection *s)
{
    if (!expect(r, "<", "'<' and a SID") || !read_sid(r, &s->sid))
        return;
    s->has_patch = true;
    if (take(r, TAG_INP))
        read_plain_patch(r, &s->patch);
    else if (take(r, TAG_INP64))
        read_base64_patch(r, &s->patch);
    else
        s->has_patch = false;
    struct str rest = rest_of(r);
    if (!r->fault && !r->nomem && s->has_patch &&
        (mgi_str_starts(rest, STR_LIT(TAG_INP)) || mgi_str_starts(rest, STR_LIT(TAG_INP64))))
        fault_at(r, "a second patch", r->at); /* T-SEL-5 */
}

static void read_selection(struct reading *r, struct selection *s)
{
    if (take(r, "<PICK>")) {
        s->kind = SELECTION_PICK;
        read_pick(r, s);
    } else if (take(r, "<ASK_SUP>")) {
        s->kind = SELECTION_ASK_SUP;
    } else if (take(r, "<NOOP>")) {
        s->kind = SELECTION_NOOP;
    } else {
        expect(r, "<PICK>", "<PICK>, <ASK_SUP> or <NOOP>");
        return;
    }
    if (!r->fault && !r->nomem && expect(r, "<END>", "<END>") && r->at < r->text.len)
        fault_at(r, "something stands after <END>", r->at);
}

bool mgi_selection_parse(struct arena *into, struct str text, struct selection *out)
{
    struct selection s = { .raw = text };
    struct str trimmed = mgi_str_trim(text, WS);
    struct reading r = { .into = into, .text = trimmed };
    r.lead = trimmed.len ? (size_t)(trimmed.ptr - text.ptr) : 0;
    if (text.len > SELECTION_MAX_BYTES) {
        s.raw.len = SELECTION_RAW_BYTES;
        s.fault = "the text is longer than 65536 bytes";
        *out = s;
        return true;
    }
    if (trimmed.len == 0)
        r.fault = "the text is empty";
    else
        read_selection(&r, &s);
    if (r.nomem)
        return false;
    if (r.fault)
        s = (struct selection){ .raw = text, .fault = r.fault };
    *out = s;
    return true;
}

struct selection mgi_selection_invalid(const char *why)
{
    return (struct selection){ .raw = str_of(why), .fault = why };
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_base64(struct buf *out, struct str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (i + j < bytes.len ? (unsigned char)bytes.ptr[i + j] : 0u);
        mgi_buf_putc(out, digits[group >> 18 & 63]);
        mgi_buf_putc(out, digits[group >> 12 & 63]);
        mgi_buf_putc(out, i + 1 < bytes.len ? digits[group >> 6 & 63] : '=');
        mgi_buf_putc(out, i + 2 < bytes.len ? digits[group & 63] : '=');
    }
}

void mgi_selection_write_pick(struct buf *out, uint16_t sid, struct str patch)
{
    char printed[SID_CHARS + 1];
    mgi_sid_print(sid, printed);
    mgi_buf_printf(out, "<PICK><%s>", printed);
    if (patch.ptr && mgi_str_find(patch, STR_LIT("</INP>")) != SIZE_MAX) {
        mgi_buf_puts(out, TAG_INP64);
        write_base64(out, patch);
        mgi_buf_puts(out, "</INP64>");
    } else if (patch.ptr) {
        mgi_buf_puts(out, TAG_INP);
        mgi_buf_str(out, patch);
        mgi_buf_puts(out, "</INP>");
    }
    mgi_buf_puts(out, "<END>");
}

bool mgi_selection_make(struct arena *into, const struct menu_entry *entry, struct str patch,
                        struct selection *out)
{
    struct buf text = { 0 };
    if (entry)
        mgi_selection_write_pick(&text, entry->sid, patch);
    else
        mgi_buf_puts(&text, "<NOOP><END>");
    struct str raw = text.oom ? (struct str){ 0 } : mgi_arena_str(into, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return raw.ptr && mgi_selection_parse(into, raw, out);
}

const char *mgi_selection_kind_name(enum selection_kind kind)
{
    static const char *const names[] = {
        [SELECTION_INVALID] = "INVALID",
        [SELECTION_PICK] = "PICK",
        [SELECTION_ASK_SUP] = "ASK_SUP",
        [SELECTION_NOOP] = "NOOP",
    };
    return names[kind];
}

void mgi_selection_write(struct json_writer *w, const struct selection *s)
{
    char sid[SID_CHARS + 1];
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "kind", mgi_selection_kind_name(s->kind));
    if (s->kind == SELECTION_PICK) {
        mgi_sid_print(s->sid, sid);
        mgi_jw_member_cstr(w, "sid", sid);
    }
    if (s->has_patch)
        mgi_jw_member_str(w, "input_patch_json", s->patch.text);
    mgi_jw_member_str(w, "raw", s->raw);
    mgi_jw_end_object(w);
}
