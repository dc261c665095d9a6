/* A text under a budget of tokens, made of units (a tool, a suggestion, ...) that are kept whole or
 * not at all. A part of the budget is held back, so that there is room to say what was cut. */
#include "base/alloc.h"
#include "base/content_hash.h"
#include "render/render_int.h"
#include "render/token_tables.h"

#define DEFAULT_TOKENS 2000
#define LEAST_TOKENS   100
#define LIST_BYTES     512 /* of names that are counted anew with the next one */
#define HELD_BACK      40  /* and what the host has to say */

static enum manglecp_status parse_page(struct page *p, struct str json, struct json *root)
{
    enum json_fault fault = mgi_json_parse(&p->arena, json, NULL, root, NULL);
    return fault == JSON_OK      ? MANGLECP_OK
           : fault == JSON_NOMEM ? MANGLECP_ERR_NOMEM
                                 : MANGLECP_ERR_INVALID;
}

enum manglecp_status mgi_page_open(struct page *p, struct manglecp_shown *shown,
                                   const struct manglecp_show *how, struct str json,
                                   struct json *root)
{
    *p = (struct page){ .shown = shown };
    if (how)
        p->how = *how;
    mgi_arena_init(&p->arena, 0);
    struct str more = str_of(p->how.to_see_more);
    struct str skill = str_of(p->how.to_read_skill);
    size_t held =
        HELD_BACK + manglecp_tokens(more.ptr, more.len) + manglecp_tokens(skill.ptr, skill.len);
    size_t budget = p->how.max_tokens ? p->how.max_tokens : DEFAULT_TOKENS;
    budget = budget > LEAST_TOKENS ? budget : LEAST_TOKENS;
    p->left = budget > held ? (uint64_t)(budget - held) * TOKEN_UNIT : 0;
    return root ? parse_page(p, json, root) : MANGLECP_OK;
}

/* ---- what was shown ---------------------------------------------------------------------------
 */

/* Half of the hash of `a`, a zero byte, and `b`. False: memory. */
static bool digest_of(struct str a, struct str b, uint64_t out[2])
{
    struct buf both = { 0 };
    uint8_t hash[CONTENT_HASH_BYTES];
    mgi_buf_str(&both, a);
    mgi_buf_putc(&both, '\0');
    mgi_buf_str(&both, b);
    bool ok = !both.oom;
    if (ok) {
        mgi_content_hash(both.ptr, both.len, hash);
        memcpy(out, hash, 2 * sizeof out[0]);
    }
    mgi_buf_fini(&both);
    return ok;
}

/* In this text, above. */
static bool is_on_page(const struct page *p, const struct mark *mark)
{
    for (size_t i = 0; i < p->mark_count; i++)
        if (memcmp(&p->marks[i], mark, sizeof *mark) == 0)
            return true;
    return false;
}

bool mgi_page_is_news(struct page *p, const char *kind, struct str name, struct str text)
{
    struct mark mark;
    if (!digest_of(str_of(kind), name, mark.thing) || !digest_of(text, STR_LIT(""), mark.seen) ||
        !mgi_grow(&p->marks, &p->mark_cap, p->mark_count + 1, sizeof *p->marks)) {
        p->nomem = true;
        return true;
    }
    if (is_on_page(p, &mark))
        return false;
    p->marks[p->mark_count++] = mark;
    return p->how.again || !mgi_shown_has(p->shown, &mark);
}

void mgi_page_skill(struct page *p, struct str name, struct str text, bool summary)
{
    if (!mgi_grow(&p->skills, &p->skill_cap, p->skill_count + 1, sizeof *p->skills)) {
        p->nomem = true;
        return;
    }
    p->skills[p->skill_count++] = (struct skill_text){ name, text, summary };
}

/* ---- units -------------------------------------------------------------------------------------
 */

bool mgi_page_fits(const struct page *p)
{
    /* A byte is never as much as four tokens. */
    return p->unit.len < p->left / (4 * TOKEN_UNIT) ||
           mgi_token_weight(mgi_buf_view(&p->unit)) <= p->left;
}

void mgi_page_name(struct page *p, struct str name)
{
    size_t before = p->unit.len;
    mgi_clean_name(&p->unit, name);
    if (mgi_page_fits(p))
        return;
    p->unit.len = before;
    mgi_buf_puts(&p->unit, "...");
    p->cut = true;
}

void mgi_page_take_anyway(struct page *p)
{
    uint64_t weight = mgi_token_weight(mgi_buf_view(&p->unit));
    mgi_buf_str(&p->text, mgi_buf_view(&p->unit));
    p->left = p->left > weight ? p->left - weight : 0;
    p->mark_kept = p->mark_count;
    p->nomem |= p->unit.oom;
    mgi_buf_clear(&p->unit);
}

bool mgi_page_list_name(struct page *p, const char *before, struct str name)
{
    size_t len = p->unit.len;
    mgi_buf_puts(&p->unit, before);
    mgi_clean_name(&p->unit, name);
    if (!mgi_page_fits(p)) {
        p->unit.len = len;
        p->cut = true;
        return false;
    }
    if (p->unit.len > LIST_BYTES)
        mgi_page_take_anyway(p);
    return true;
}

void mgi_page_end_list(struct page *p)
{
    mgi_buf_putc(&p->unit, '\n');
    mgi_page_take_anyway(p);
}

bool mgi_page_take(struct page *p)
{
    if (mgi_page_fits(p)) {
        mgi_page_take_anyway(p);
        return true;
    }
    mgi_page_drop(p);
    return false;
}

void mgi_page_drop(struct page *p)
{
    p->mark_count = p->mark_kept;
    p->nomem |= p->unit.oom;
    p->cut = true;
    mgi_buf_clear(&p->unit);
}

enum manglecp_status mgi_page_close(struct page *p, enum manglecp_status status, char **out,
                                    size_t *out_len)
{
    size_t len;
    *out = NULL;
    if (!status && p->cut && p->how.to_see_more)
        mgi_buf_printf(&p->text, "to see more: %s\n", p->how.to_see_more);
    if (!status && (p->nomem || p->text.oom || p->arena.oom))
        status = MANGLECP_ERR_NOMEM;
    char *text = status ? NULL : mgi_buf_take(&p->text, &len);
    if (!status && !text)
        status = MANGLECP_ERR_NOMEM;
    if (!status && p->shown &&
        !mgi_shown_keep(p->shown, p->marks, p->mark_kept, p->skills, p->skill_count))
        status = MANGLECP_ERR_NOMEM;
    if (status) {
        mgi_free(text);
    } else {
        *out = text;
        if (out_len)
            *out_len = len;
    }
    mgi_buf_fini(&p->text);
    mgi_buf_fini(&p->unit);
    mgi_free(p->marks);
    mgi_free(p->skills);
    mgi_arena_fini(&p->arena);
    return status;
}
