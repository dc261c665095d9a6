/* The text is looked at character by character. What stays is gathered from one base character to
 * the next, with the marks on it, and that little run is brought into NFC: so the buffer is fixed,
 * and the cost per character too, whatever was sent. Nothing composes across two runs, since what
 * composes with a code before it is a mark, or the vowel or end of a Hangul syllable. */
#include "mcp/clean.h"

#include <utf8proc.h>

#include "base/utf8.h"

#define MARKS_MOST  30     /* on one base: the bound of the Stream-Safe Text Format (UAX #15) */
#define ONE_MOST    4      /* codes that one becomes when it is decomposed canonically */
#define KEYCAP      0x20E3 /* combining, around what is before it */
#define JOINER_CODE 0x200D
#define RUN_ROOM    (MARKS_MOST + 2 * ONE_MOST)

enum fate { KEEP, JOINER, SELECTOR, CONTROL, BIDI, TAG, INVISIBLE };

/* Codes that are there without being seen, beside the controls. Sorted. */
static const struct {
    uint32_t first, last;
    enum fate fate;
} hidden[] = {
    { 0x00AD, 0x00AD, INVISIBLE },                                  /* soft hyphen */
    { 0x034F, 0x034F, INVISIBLE },                                  /* combining grapheme joiner */
    { 0x061C, 0x061C, BIDI },        { 0x115F, 0x1160, INVISIBLE }, /* Hangul fillers */
    { 0x17B4, 0x17B5, INVISIBLE },   { 0x180B, 0x180F, INVISIBLE },
    { 0x200B, 0x200C, INVISIBLE },   { 0x200D, 0x200D, JOINER },
    { 0x200E, 0x200F, BIDI },        { 0x2028, 0x2029, CONTROL }, /* line breaks of another name */
    { 0x202A, 0x202E, BIDI },        { 0x2060, 0x2065, INVISIBLE },
    { 0x2066, 0x2069, BIDI },        { 0x206A, 0x206F, INVISIBLE },
    { 0x3164, 0x3164, INVISIBLE },   { 0xFE00, 0xFE0D, INVISIBLE },
    { 0xFE0E, 0xFE0F, SELECTOR },    { 0xFEFF, 0xFEFF, INVISIBLE },
    { 0xFFA0, 0xFFA0, INVISIBLE },   { 0xFFF0, 0xFFFB, INVISIBLE },
    { 0x13430, 0x1343F, INVISIBLE }, /* how hieroglyphs are joined */
    { 0x1BCA0, 0x1BCA3, INVISIBLE }, { 0x1D159, 0x1D159, INVISIBLE },
    { 0x1D173, 0x1D17A, INVISIBLE }, { 0xE0000, 0xE007F, TAG },
    { 0xE0080, 0xE0FFF, INVISIBLE },
};

static enum fate fate_of(uint32_t code)
{
    if (code < 0x20)
        return code == '\n' || code == '\t' ? KEEP : CONTROL;
    if (code >= 0x7F && code < 0xA0)
        return CONTROL;
    if (code < 0xA0)
        return KEEP;
    size_t low = 0, high = sizeof hidden / sizeof *hidden;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > hidden[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_hidden = low < sizeof hidden / sizeof *hidden && code >= hidden[low].first;
    return is_hidden ? hidden[low].fate : KEEP;
}

static const utf8proc_property_t *property(uint32_t code)
{
    return utf8proc_get_property((utf8proc_int32_t)code);
}

/* Pictures that sequences are made of: joiners and selectors belong to them alone. */
static bool is_picture(uint32_t code)
{
    unsigned class = property(code)->boundclass;
    return class == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
           class == UTF8PROC_BOUNDCLASS_E_MODIFIER || class == UTF8PROC_BOUNDCLASS_E_BASE ||
           class == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR || code == KEYCAP;
}

/* Digits, # and * take a selector to become keycaps. */
static bool takes_selector(uint32_t code)
{
    return is_picture(code) || (code >= '0' && code <= '9') || code == '#' || code == '*';
}

struct cleaner {
    struct buf *out;
    size_t from, max; /* of `out` */
    struct clean_counts *counts;
    utf8proc_int32_t run[RUN_ROOM]; /* canonically decomposed */
    size_t count, marks;            /* marks: of `run`, those behind its base */
    size_t run_at;                  /* where it begins in the input */
    uint32_t last;                  /* the visible code before, 0: none */
    uint32_t waiting;               /* a joiner or selector, which what follows will judge; or 0 */
    bool selected;                  /* `last` has its selector */
    bool full;
};

/* ---- runs ----------------------------------------------------------------------------------- */

/* Marks in the order of their classes, equal ones as they came. */
static void order_marks(utf8proc_int32_t *codes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        utf8proc_int32_t code = codes[i];
        int class = property((uint32_t)code)->combining_class;
        size_t at = i;
        while (class > 0 && at > 0 && property((uint32_t)codes[at - 1])->combining_class > class) {
            codes[at] = codes[at - 1];
            at--;
        }
        codes[at] = code;
    }
}

/* Within the cap: a character is there whole, with its marks, or not at all. */
static void end_run(struct cleaner *c)
{
    char text[RUN_ROOM * 4];
    size_t len = 0, count = c->count;
    if (count > 1) {
        order_marks(c->run, count);
        utf8proc_ssize_t got = utf8proc_normalize_utf32(c->run, (utf8proc_ssize_t)count,
                                                        UTF8PROC_COMPOSE | UTF8PROC_STABLE);
        count = got > 0 ? (size_t)got : 0;
    }
    for (size_t i = 0; i < count; i++)
        len += mgi_utf8_put((uint32_t)c->run[i], text + len);
    if (c->max > 0 && c->out->len - c->from + len > c->max)
        c->full = true;
    else
        mgi_buf_append(c->out, text, len);
    c->count = c->marks = 0;
}

/* What stands on the code before it. */
bool mgi_clean_is_mark(uint32_t code)
{
    if (code < 0x300)
        return false;
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    bool is_syllable_part = code >= 0x1161 && code <= 0x11FF;
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
           category == UTF8PROC_CATEGORY_ME || is_syllable_part;
}

/* `at`: where it is in the input. */
static void keep_code(struct cleaner *c, uint32_t code, size_t at)
{
    utf8proc_int32_t parts[ONE_MOST] = { (utf8proc_int32_t)code };
    size_t count = 1;
    bool mark = mgi_clean_is_mark(code);
    bool joins = c->count == 1 && c->run[0] == JOINER_CODE; /* what it joins comes with it */
    if (c->count == 0 || !(mark || joins)) {
        end_run(c);
        if (c->full)
            return;
        c->run_at = at;
    }
    if (code >= 0xC0) {
        int class = 0;
        utf8proc_ssize_t got = utf8proc_decompose_char(
            (utf8proc_int32_t)code, parts, ONE_MOST, UTF8PROC_DECOMPOSE | UTF8PROC_STABLE, &class);
        if (got > 0 && got <= ONE_MOST)
            count = (size_t)got;
    }
    size_t marks = mark ? count : count - 1;
    if (c->marks + marks > MARKS_MOST) {
        c->counts->marks++;
        return;
    }
    memcpy(c->run + c->count, parts, count * sizeof *parts);
    c->count += count;
    c->marks += marks;
}

/* ---- what is not seen ----------------------------------------------------------------------- */

static void take_out(struct cleaner *c, enum fate fate)
{
    switch (fate) {
    case CONTROL:
        c->counts->controls++;
        break;
    case BIDI:
        c->counts->bidi++;
        break;
    case TAG:
        c->counts->tags++;
        break;
    default:
        c->counts->invisible++;
        break;
    }
}

/* A joiner binds two pictures, a selector chooses the look of the one before it, or makes a keycap
 * of a digit. All others are taken out. */
static void take_invisible(struct cleaner *c, uint32_t code, enum fate fate, size_t at)
{
    bool after_picture = c->last && is_picture(c->last);
    bool is_wanted = fate == JOINER ? after_picture : takes_selector(c->last) && !c->selected;
    if (!is_wanted || c->waiting) {
        take_out(c, INVISIBLE);
    } else if (fate == SELECTOR && after_picture) {
        keep_code(c, code, at);
        c->selected = true;
    } else {
        c->waiting = code;
    }
}

static void take_visible(struct cleaner *c, uint32_t code, size_t at)
{
    if (c->waiting == JOINER_CODE && is_picture(code) && code != KEYCAP)
        keep_code(c, c->waiting, at);
    else if (c->waiting && c->waiting != JOINER_CODE && code == KEYCAP)
        keep_code(c, c->waiting, at);
    else if (c->waiting)
        take_out(c, INVISIBLE);
    c->waiting = 0;
    c->selected = false;
    c->last = code;
    keep_code(c, code, at);
}

void mgi_clean(struct buf *out, struct str text, size_t max_bytes, struct clean_counts *counts)
{
    struct clean_counts ignored = { 0 };
    struct cleaner c = {
        .out = out, .from = out->len, .max = max_bytes, .counts = counts ? counts : &ignored
    };
    size_t at = 0;
    while (at < text.len && !c.full) {
        size_t begun = at;
        uint32_t code = mgi_utf8_next(text, &at);
        enum fate fate = code == UINT32_MAX ? KEEP : fate_of(code);
        if (code == UINT32_MAX)
            c.counts->malformed++;
        else if (fate == KEEP)
            take_visible(&c, code, begun);
        else if (fate == JOINER || fate == SELECTOR)
            take_invisible(&c, code, fate, begun);
        else
            take_out(&c, fate);
    }
    if (!c.full)
        end_run(&c);
    if (c.waiting)
        take_out(&c, INVISIBLE);
    if (c.full)
        c.counts->cut += text.len - c.run_at;
}

uint64_t mgi_clean_removed(const struct clean_counts *c)
{
    return c->controls + c->bidi + c->tags + c->invisible + c->marks + c->malformed;
}
