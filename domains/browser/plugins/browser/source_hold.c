/* Names that hold an answer or a part of it, each in the code where it is known, and what is noted
 * of them. */
#include "source_follow.h"

bool mgi_path_is_wrapped(const struct path *p)
{
    return p->len > 0 && p->text[0] == WRAPPED;
}

bool mgi_path_add(struct path *p, struct str part)
{
    if (mgi_path_is_wrapped(p)) {
        bool same = str_eq((struct str){ p->text + 1, p->len - 1 }, part);
        p->len = same ? 0 : p->len;
        return same;
    }
    bool dot = p->len > 0 && part.len > 0 && part.ptr[0] != '[';
    if (part.len == 0 || p->len + part.len + dot >= sizeof p->text)
        return false;
    if (dot)
        p->text[p->len++] = '.';
    memcpy(p->text + p->len, part.ptr, part.len);
    p->len += part.len;
    return true;
}

static struct take *known_take(struct takes *out, const struct path *p, enum take_how how)
{
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].len == p->len && out->items[i].how == how &&
            memcmp(out->items[i].path, p->text, p->len) == 0)
            return &out->items[i];
    return NULL;
}

void mgi_note_read(struct follow *f, const struct path *p, size_t at, bool guarded)
{
    struct takes *out = f->out;
    if (p->len == 0 || mgi_path_is_wrapped(p))
        return;
    struct take *t = known_take(out, p, TAKE_READ);
    if (t && (guarded || !t->guarded))
        return;
    if (!t && out->count == TAKES_MOST)
        return;
    t = t ? t : &out->items[out->count++];
    *t = (struct take){ .place = { f->text, at }, .guarded = guarded, .len = p->len };
    memcpy(t->path, p->text, p->len);
}

void mgi_note_take(struct follow *f, const struct path *p, size_t at, enum take_how how)
{
    struct takes *out = f->out;
    if (mgi_path_is_wrapped(p) || known_take(out, p, how))
        return;
    if (out->count == TAKES_MOST)
        return;
    struct take *t = &out->items[out->count++];
    *t = (struct take){ .place = { f->text, at }, .how = how };
    memcpy(t->path, p->text, p->len);
    t->len = p->len;
}

static void hold(struct follow *f, struct str name, const struct path *p, size_t from, size_t to)
{
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->held[i].name, name) && f->held[i].from == from &&
            f->held[i].text.ptr == f->text.ptr)
            return;
    if (f->count == HELD_MOST || name.len == 0 || from >= to)
        return;
    struct held *h = &f->held[f->count++];
    *h = (struct held){ .text = f->text, .name = name, .from = from, .to = to, .len = p->len };
    memcpy(h->path, p->text, p->len);
}

/* { a, b: c, d = 1 } at `at`: a member of the answer each. */
static void hold_members(struct follow *f, size_t at, const struct path *p, size_t from, size_t to)
{
    struct str s = f->text;
    for (size_t number = 0; number < 20; number++) {
        size_t item = mgi_form_item(s, at + 1, number);
        struct str key = item == SIZE_MAX ? STR_LIT("") : name_at(s, item);
        if (item == SIZE_MAX)
            return;
        if (key.len == 0)
            continue;
        struct path member = *p;
        size_t after = past_blank(s, item + key.len);
        if (!mgi_path_add(&member, key))
            continue;
        mgi_note_read(f, &member, item, after < s.len && s.ptr[after] == '=');
        struct str name =
            after < s.len && s.ptr[after] == ':' ? name_at(s, past_blank(s, after + 1)) : key;
        hold(f, name, &member, from, to);
    }
}

void mgi_hold_pattern(struct follow *f, size_t at, const struct path *p, size_t from, size_t to)
{
    struct str s = f->text;
    if (at >= s.len)
        return;
    if (s.ptr[at] == '{')
        hold_members(f, at, p, from, to);
    else if (s.ptr[at] != '[')
        hold(f, name_at(s, at), p, from, to);
}

void mgi_hold_parameter(struct follow *f, const struct form_function *fn, size_t number,
                        const struct path *p)
{
    struct str here = f->text;
    size_t at = mgi_form_item(fn->text, fn->params, number);
    f->text = fn->text;
    if (at != SIZE_MAX)
        mgi_hold_pattern(f, at, p, fn->body, fn->end);
    f->text = here;
}

/* "function t(": where names are that short, others have the same one, unless it is written once.
 */
static bool is_declared_once(struct str s, struct str name, size_t *where)
{
    const struct str word = STR_LIT("function ");
    size_t count = 0;
    for (size_t at = 0; name.len > 0 && at + word.len + name.len < s.len; at++) {
        if (s.ptr[at] != 'f' || !mgi_str_starts((struct str){ s.ptr + at, s.len - at }, word) ||
            !stands_at(s, at + word.len, name) || s.ptr[at + word.len + name.len] != '(')
            continue;
        *where = at;
        count++;
    }
    return count == 1;
}

bool mgi_follow_function_named(const struct follow *f, struct str name, struct form_function *fn)
{
    size_t at = 0;
    if (name.len < 3)
        return is_declared_once(f->text, name, &at) && mgi_form_function_at(f->text, at, fn);
    if (mgi_form_function_named(f->text, name, fn))
        return true;
    for (size_t i = 0; i < f->text_count; i++)
        if (mgi_form_function_named(f->texts[i], name, fn))
            return true;
    return false;
}

bool mgi_follow_function_at(const struct follow *f, size_t at, struct form_function *fn)
{
    struct str s = f->text, name = at < s.len ? name_at(s, at) : STR_LIT("");
    if (mgi_form_function_at(s, at, fn))
        return true;
    while (at + name.len + 1 < s.len && s.ptr[at + name.len] == '.') { /* Panel.show, this.show */
        at += name.len + 1;
        name = name_at(s, at);
    }
    size_t after = past_blank(s, at + name.len);
    return after < s.len && strchr("),}", s.ptr[after]) && mgi_follow_function_named(f, name, fn);
}

size_t mgi_target_before(struct str s, size_t start)
{
    size_t eq = back_blank(s, start);
    if (eq == 0 || s.ptr[eq - 1] != '=' || (eq > 1 && strchr("=!<>+-*", s.ptr[eq - 2])))
        return SIZE_MAX;
    size_t end = back_blank(s, eq - 1), at = end;
    if (end > 0 && (s.ptr[end - 1] == '}' || s.ptr[end - 1] == ']')) {
        size_t open, number;
        return mgi_form_list_around(s, end - 1, &open, &number) ? open : SIZE_MAX;
    }
    while (at > 0 && (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.'))
        at--;
    return at < end ? at : SIZE_MAX;
}

bool mgi_is_declared(struct str s, size_t at)
{
    return mgi_form_word_before(s, at, "const") || mgi_form_word_before(s, at, "let") ||
           mgi_form_word_before(s, at, "var");
}

void mgi_hold_target(struct follow *f, size_t target, const struct path *p, size_t end)
{
    struct str s = f->text;
    size_t stop = target;
    if (s.ptr[target] == '{' || s.ptr[target] == '[' || mgi_is_declared(s, target)) {
        mgi_hold_pattern(f, target, p, end, mgi_form_block_end(s, end));
        return;
    }
    while (stop < s.len && (is_name_char(s.ptr[stop]) || s.ptr[stop] == '.'))
        stop++;
    hold(f, (struct str){ s.ptr + target, stop - target }, p, 0, s.len);
}
