/* What the page says in place of an answer that did not come or is an error: a text of the code
 * that handles just that, and which stands on the page. Beside it, whether the code looks for the
 * status that came. */
#include "facts.h"
#include "source_follow.h"
#include "source_takes.h"

#define REGION_BYTES 2000
#define BRANCH_BYTES 300
#define TEXTS_LOOKED 24
#define TEXT_LEAST   8
#define TEXT_MOST    160

#define REASON_MOST    40
#define REASONS_LOOKED 6
#define WORDS_BYTES    200

/* The longest piece of a text between the values that are put into it: of `${a} is full until ${b}`
 * " is full until ". */
static struct str longest_piece(struct str text)
{
    struct str best = { text.ptr, 0 };
    size_t begin = 0;
    for (size_t at = 0; at <= text.len; at++) {
        bool value = at + 1 < text.len && text.ptr[at] == '$' && text.ptr[at + 1] == '{';
        if (at < text.len && !value)
            continue;
        if (at - begin > best.len)
            best = (struct str){ text.ptr + begin, at - begin };
        while (at < text.len && text.ptr[at] != '}')
            at++;
        begin = at + 1;
    }
    return mgi_str_trim(best, " \t");
}

/* The first text in quotes that is a sentence, and stands on the page or need not; empty: none. */
static struct str find_sentence(struct fact_list *list, struct str code, bool shown)
{
    size_t looked = 0;
    for (size_t at = 0; at < code.len && looked < TEXTS_LOOKED; at++) {
        char quote = code.ptr[at];
        if (!strchr("\"'`", quote))
            continue;
        size_t end = at + 1;
        while (end < code.len && code.ptr[end] != quote && code.ptr[end] != '\n')
            end++;
        struct str text = { code.ptr + at + 1, end - at - 1 };
        looked++;
        at = end;
        if (quote == '`')
            text = longest_piece(text);
        if (text.len >= TEXT_LEAST && text.len <= TEXT_MOST && memchr(text.ptr, ' ', text.len) &&
            (!shown || mgi_is_shown(list, text)))
            return text;
    }
    return STR_LIT("");
}

static bool tell_shown(struct fact_list *list, struct str id, struct str code)
{
    struct str text = find_sentence(list, code, true);
    if (text.len > 0)
        mgi_fact(list, RANK_HIGH, "code_says_instead", NO_TIME, 0, "ss", id, text);
    return text.len > 0;
}

/* ---- what it says of the reason that the refusal gives -----------------------------------------
 */

/* HELD, "limit-reached", E_4711: a name for a reason, no words. */
static bool is_reason_code(struct str s)
{
    size_t letters = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_name_char(s.ptr[i]) && s.ptr[i] != '-' && s.ptr[i] != '.')
            return false;
        letters += (s.ptr[i] | 0x20) >= 'a' && (s.ptr[i] | 0x20) <= 'z';
    }
    return s.len <= REASON_MOST && letters >= 3;
}

/* HELD: "another reader has it", case "HELD": ... : what follows the name on its line and the next.
 */
static struct str words_for(struct fact_list *list, struct str code, struct str reason, bool shown)
{
    size_t looked = 0;
    if (!mgi_may_scan(list, code))
        return STR_LIT("");
    for (size_t at = 0; at + reason.len < code.len && looked < TEXTS_LOOKED; at++) {
        const char *found = memchr(code.ptr + at, reason.ptr[0], code.len - at);
        if (!found)
            break;
        at = (size_t)(found - code.ptr);
        if (!stands_at(code, at, reason) || (at > 0 && is_name_char(code.ptr[at - 1])))
            continue;
        looked++;
        size_t from = at + reason.len;
        if (from < code.len && strchr("\"'`", code.ptr[from]))
            from++;
        struct str rest = { code.ptr + from, code.len - from };
        struct str said = find_sentence(list, mgi_utf8_prefix(rest, WORDS_BYTES), shown);
        if (said.len > 0)
            return said;
        at = from;
    }
    return STR_LIT("");
}

void mgi_facts_reasons(struct fact_list *list, struct str id, const struct str *scripts,
                       size_t count, const struct shape *shape)
{
    size_t looked = 0;
    for (size_t i = 1; i < shape->count && looked < REASONS_LOOKED; i++) {
        struct str reason = shape->paths[i].values[0];
        if (!(shape->paths[i].types & 1u << JSON_STRING) || !reason.ptr || !is_reason_code(reason))
            continue;
        looked++;
        for (size_t j = 0; j < 2 * count && mgi_code_says(list, reason, false); j++) {
            bool shown = j < count;
            struct str said = words_for(list, scripts[j % count], reason, shown);
            if (said.len == 0)
                continue;
            mgi_fact(list, RANK_HIGH, shown ? "code_tells_reason" : "code_has_words_for", NO_TIME,
                     0, "sss", id, reason, said);
            return;
        }
    }
}

/* ---- nobody takes it ---------------------------------------------------------------------------
 */

/* A statement of its own that nothing is done with but to catch what fails: fetch("/x").catch(...);
 * Other functions than fetch() may be told what to call with the answer. */
static bool is_discarded(const struct place *call)
{
    struct str s = call->text;
    struct value v = { 0 };
    if (!mgi_call_at(call, &v) || v.end == SIZE_MAX ||
        !mgi_str_starts((struct str){ s.ptr + v.start, v.end - v.start }, STR_LIT("fetch(")))
        return false;
    size_t before = back_blank(s, v.start), at = v.end;
    bool begins = before == 0 || strchr(";{}", s.ptr[before - 1]) ||
                  memchr(s.ptr + before, '\n', v.start - before);
    for (;;) {
        size_t next = past_blank(s, at);
        struct str rest = { s.ptr + next, s.len - next };
        bool catches = mgi_str_starts(rest, STR_LIT(".catch(")),
             ends = mgi_str_starts(rest, STR_LIT(".finally("));
        if (!catches && !ends)
            return begins && (next >= s.len || strchr(";}", s.ptr[next]) ||
                              (memchr(s.ptr + at, '\n', next - at) && s.ptr[next] != '.'));
        at = mgi_form_close(s, next + (catches ? strlen(".catch") : strlen(".finally")));
        if (at == SIZE_MAX)
            return false;
    }
}

/* status === 404, case 404: */
static size_t status_asked_for(struct fact_list *list, struct str code, int64_t status)
{
    const char *number = mgi_arena_printf(list->job->arena, "%lld", (long long)status);
    struct str wanted = number ? str_of(number) : STR_LIT("");
    for (size_t at = 1; status > 0 && wanted.len > 0 && at + wanted.len <= code.len; at++) {
        if (is_name_char(code.ptr[at - 1]) || !stands_at(code, at, wanted))
            continue;
        size_t before = back_blank(code, at);
        if ((before > 1 && code.ptr[before - 1] == '=' && code.ptr[before - 2] == '=') ||
            mgi_form_word_before(code, at, "case"))
            return at;
    }
    return SIZE_MAX;
}

/* if (!response.ok) */
static size_t not_well_at(struct str code)
{
    for (size_t at = 1; at + 3 < code.len; at++) {
        if (code.ptr[at] != '.' || !stands_at(code, at + 1, STR_LIT("ok")))
            continue;
        size_t from = mgi_chain_start(code, at);
        if (from > 0 && code.ptr[from - 1] == '!')
            return at;
    }
    return SIZE_MAX;
}

/* What follows the request in its block, and what catches its error. */
static bool look_at(struct fact_list *list, struct str id, const struct request *r, struct str code,
                    bool handles, bool *expects)
{
    size_t at = status_asked_for(list, code, r->status);
    if (at != SIZE_MAX && !*expects) {
        *expects = true;
        mgi_fact(list, RANK_HIGH, "code_expects", NO_TIME, 0, "sn", id, (int64_t)r->status);
    }
    struct str branch =
        at == SIZE_MAX
            ? STR_LIT("")
            : mgi_utf8_prefix((struct str){ code.ptr + at, code.len - at }, BRANCH_BYTES);
    return tell_shown(list, id, branch) || (handles && tell_shown(list, id, code));
}

/* Promise.allSettled([...]) around the call: what fails is looked at by whoever waits for all. */
static bool is_settled(struct str s, size_t at)
{
    const struct str word = STR_LIT("allSettled(");
    for (size_t i = at; i > word.len && at - i < REGION_BYTES; i--)
        if (mgi_str_starts((struct str){ s.ptr + i - word.len, s.len - i + word.len }, word)) {
            size_t end = mgi_form_close(s, i - 1);
            return end != SIZE_MAX && end > at;
        }
    return false;
}

/* The code looks whether it went well, and has something to say if not. */
static bool says_not_well(struct fact_list *list, struct str id, const struct request *r,
                          struct str code)
{
    size_t at = r->status >= 400 ? not_well_at(code) : SIZE_MAX;
    return at != SIZE_MAX &&
           tell_shown(list, id,
                      mgi_utf8_prefix((struct str){ code.ptr + at, code.len - at }, BRANCH_BYTES));
}

void mgi_facts_discarded(struct fact_list *list, struct str id, const struct place *call)
{
    if (is_discarded(call))
        mgi_fact(list, RANK_HIGH, "code_discards", NO_TIME, 0, "s", id);
}

void mgi_facts_instead(struct fact_list *list, struct str id, const struct request *r,
                       const struct place *call)
{
    struct str s = call->text;
    struct handler h;
    bool expects = false;
    if (mgi_source_handler(call, &h) && look_at(list, id, r, h.body, true, &expects))
        return;
    size_t end = mgi_form_block_end(s, call->at);
    if (end == SIZE_MAX || end > s.len)
        end = s.len;
    if (end - call->at > REGION_BYTES)
        end = call->at + REGION_BYTES;
    struct str rest = { s.ptr + call->at, end - call->at };
    bool settled = is_settled(s, call->at);
    if (settled) {
        /* Out of the list, to the end of the function that waits for it. */
        size_t to = call->at + REGION_BYTES < s.len ? call->at + REGION_BYTES : s.len;
        rest.len = to - call->at;
    }
    bool said = look_at(list, id, r, rest, settled, &expects);
    bool stands_in =
        (r->status == 404 || r->status == 410) && mgi_source_if_not_ok(rest) == STAND_IN_VALUE;
    if ((said && settled) || (!said && (stands_in || says_not_well(list, id, r, rest))))
        mgi_fact(list, RANK_USUAL, "code_does_without", NO_TIME, 0, "ss", id, STR_LIT("value"));
}
