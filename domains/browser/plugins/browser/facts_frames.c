/* Which sorts of messages went over each socket, and from where the page writes: what was said
 * over a first connection and not over the next. */
#include "facts.h"
#include "source_int.h"

#define SORTS_MOST   80
#define SORTS_OF_ONE 16
#define SORT_BYTES   80
#define FRAMES_READ  600
#define SENDERS_TOLD 12
/* A frame is told of at once, but by another way than the page's own word. */
#define BEFORE_NS (20 * NS_PER_MS)
#define AFTER_NS  (200 * NS_PER_MS)

struct sort {
    struct str request_id, text;
    bool sent;
    size_t first, count; /* index of the first of them */
    int64_t from_ns, to_ns;
};

static bool is_word(struct str s)
{
    bool letter = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_name_char(s.ptr[i]) && !strchr(".:-/", s.ptr[i]))
            return false;
        letter = letter || (s.ptr[i] | 0x20) >= 'a';
    }
    return letter && s.len > 1 && s.len <= 48;
}

/* A member that tells what a message is, and else the names of all. */
static struct str sort_of_object(struct fact_list *list, const struct json *object)
{
    static const char *const members[] = { "type", "event",   "kind",    "op",      "action",
                                           "cmd",  "command", "method",  "t",       "msg",
                                           "name", "topic",   "channel", "subject", "stream" };
    struct buf names;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct str value = mgi_member_string(object, members[i]);
        if (is_word(value))
            return str_of(
                mgi_arena_printf(list->job->arena, "%s %.*s", members[i], STR_ARG(value)));
    }
    mgi_buf_init(&names);
    for (size_t i = 0; i < object->count && names.len < SORT_BYTES; i++)
        mgi_buf_printf(&names, "%s%.*s", i > 0 ? " " : "", STR_ARG(object->members[i].name));
    struct str copy = mgi_arena_str(list->job->arena, (struct str){ names.ptr, names.len });
    mgi_buf_fini(&names);
    return mgi_utf8_prefix(copy, SORT_BYTES);
}

/* The words at its head: "room:1 phx_join" of [null,"1","room:1","phx_join",{}]. */
static struct str sort_of_array(struct fact_list *list, const struct json *array)
{
    struct str words[2] = { STR_LIT(""), STR_LIT("") };
    size_t found = 0;
    for (size_t i = 0; i < array->count && i < 5 && found < 2; i++)
        if (array->items[i].type == JSON_STRING && is_word(array->items[i].string))
            words[found++] = array->items[i].string;
    return found < 2 ? words[0]
                     : str_of(mgi_arena_printf(list->job->arena, "%.*s %.*s", STR_ARG(words[0]),
                                               STR_ARG(words[1])));
}

/* Of a text that is no JSON the first word: SUBSCRIBE, 2 (a sign of life of some libraries). */
static struct str first_word(struct str text)
{
    size_t end = 0;
    while (end < text.len && end < 48 && !strchr(" \t\r\n{[(\"',;=", text.ptr[end]))
        end++;
    return (struct str){ text.ptr, end };
}

/* Empty: of no sort that could be told. */
static struct str sort_as_written(struct fact_list *list, const struct socket_frame *f)
{
    struct json value;
    struct str text = mgi_str_trim(f->text, " \t\r\n");
    if (f->event.len > 0)
        return mgi_utf8_prefix(f->event, SORT_BYTES);
    size_t from = 0;
    while (from < text.len && text.ptr[from] >= '0' && text.ptr[from] <= '9')
        from++; /* 42["join",{}] */
    bool json = from < text.len && strchr("{[", text.ptr[from]);
    if (!json)
        return first_word(text);
    text = (struct str){ text.ptr + from, text.len - from };
    if (mgi_json_parse(list->job->arena, text, NULL, &value, NULL) != JSON_OK)
        return STR_LIT("");
    return value.type == JSON_ARRAY ? sort_of_array(list, &value) : sort_of_object(list, &value);
}

/* In small letters. */
static struct str sort_of(struct fact_list *list, const struct socket_frame *f)
{
    return mgi_fact_small(list, mgi_utf8_prefix(sort_as_written(list, f), SORT_BYTES));
}

static void count_sort(struct sort *sorts, size_t *count, const struct sort *one)
{
    size_t of_one = 0;
    for (size_t i = 0; i < *count; i++) {
        struct sort *s = &sorts[i];
        if (!str_eq(s->request_id, one->request_id))
            continue;
        of_one++;
        if (s->sent != one->sent || !str_eq(s->text, one->text))
            continue;
        s->count++;
        s->to_ns = one->to_ns;
        return;
    }
    if (*count < SORTS_MOST && of_one < SORTS_OF_ONE)
        sorts[(*count)++] = *one;
}

static size_t gather_sorts(struct fact_list *list, struct sort *sorts)
{
    const struct page_more *more = &list->capture->more;
    size_t count = 0;
    for (size_t i = 0; i < more->frames.count && i < FRAMES_READ; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        if ((f->what != FRAME_SENT && f->what != FRAME_RECEIVED) || mgi_is_past(list, f->at_ns))
            continue;
        struct sort one = { f->request_id, sort_of(list, f), f->what == FRAME_SENT, i, 1,
                            f->at_ns,      f->at_ns };
        if (one.text.len > 0)
            count_sort(sorts, &count, &one);
    }
    return count;
}

/* From where the first of a sort was sent. */
static void tell_sender(struct fact_list *list, struct str id, const struct sort *s)
{
    const struct page_more *more = &list->capture->more;
    const struct page_deed *by = NULL;
    for (size_t i = 0; i < more->deeds.count; i++) {
        const struct page_deed *d = &more->deeds.items[i];
        if (str_is(d->what, "send") && d->frame_count > 0 && d->at_ns <= s->from_ns + BEFORE_NS &&
            s->from_ns <= d->at_ns + AFTER_NS)
            by = d;
    }
    if (!by)
        return;
    struct str frame = mgi_fact_id(list, "f", s->first + 1);
    mgi_fact(list, RANK_HIGH, "sent_from", NO_TIME, 0, "sns", id, (int64_t)s->first + 1, frame);
    mgi_fact_stack(list, RANK_HIGH, frame, by->frames, by->frame_count);
}

/* ---- by which member code tells messages apart ---------------------------------------------- */

#define KINDS_READ   60
#define KINDS_TOLD   6
#define KINDS_LOOKED 24
#define READ_BYTES   (256u * 1024)
#define FOLLOW_BYTES 1500

static struct str word_at(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && is_name_char(s.ptr[end]))
        end++;
    return (struct str){ s.ptr + at, end - at };
}

/* switch (x), x === "a", handlers[x]: what stands between decides. */
static bool decides(struct str s, size_t from, size_t end)
{
    size_t before = back_blank(s, from), after = past_blank(s, end);
    if (before == 0 || after + 1 >= s.len)
        return false;
    if (s.ptr[before - 1] == '[' && s.ptr[after] == ']')
        return true;
    if (s.ptr[after] == '=' && s.ptr[after + 1] == '=')
        return true;
    size_t word = s.ptr[before - 1] == '(' ? back_blank(s, before - 1) : 0;
    return word >= 6 && s.ptr[after] == ')' &&
           str_is((struct str){ s.ptr + word - 6, 6 }, "switch");
}

struct decision {
    struct str member;
    size_t at;
};

/* The member of `name` that decides, within a stretch behind `from`. */
static bool find_member(struct str s, struct str name, size_t from, struct decision *out)
{
    size_t to = from + FOLLOW_BYTES < s.len ? from + FOLLOW_BYTES : s.len;
    for (size_t at = from; at + name.len + 2 < to; at++) {
        if (is_name_char(s.ptr[at - 1]) || s.ptr[at - 1] == '.' || !stands_at(s, at, name) ||
            s.ptr[at + name.len] != '.')
            continue;
        struct str member = word_at(s, at + name.len + 1);
        if (member.len > 0 && decides(s, at, at + name.len + 1 + member.len)) {
            *out = (struct decision){ member, at };
            return true;
        }
    }
    return false;
}

/* The same of const { type, data: body } = JSON.parse(...), whose braces are `open` to `close`. */
static bool find_in_pattern(struct str s, size_t open, size_t close, size_t from,
                            struct decision *out)
{
    size_t to = from + FOLLOW_BYTES < s.len ? from + FOLLOW_BYTES : s.len;
    for (size_t key = past_blank(s, open + 1); key < close;) {
        struct str member = word_at(s, key), name = member;
        size_t after = past_blank(s, key + member.len);
        if (member.len == 0)
            return false;
        if (after < close && s.ptr[after] == ':')
            name = word_at(s, past_blank(s, after + 1));
        for (size_t at = from; name.len > 0 && at + name.len < to; at++)
            if (!is_name_char(s.ptr[at - 1]) && s.ptr[at - 1] != '.' && stands_at(s, at, name) &&
                decides(s, at, at + name.len)) {
                *out = (struct decision){ member, at };
                return true;
            }
        while (key < close && s.ptr[key] != ',')
            key++;
        key = past_blank(s, key + 1);
    }
    return false;
}

/* Where JSON.parse(event.data) is told apart. */
static bool decision_at(struct str s, size_t at, struct decision *out)
{
    static const char parse[] = "JSON.parse";
    size_t open = at + sizeof parse - 1;
    if (!stands_at(s, at, STR_LIT(parse)) || open >= s.len || s.ptr[open] != '(')
        return false;
    struct str of = word_at(s, open + 1);
    size_t end = open + 1 + of.len;
    bool data = stands_at(s, end, STR_LIT(".data)")) ||
                (str_is(of, "data") && end < s.len && s.ptr[end] == ')');
    size_t equals = back_blank(s, at);
    if (of.len == 0 || !data || equals == 0 || s.ptr[equals - 1] != '=')
        return false;
    size_t stop = back_blank(s, equals - 1), from = stop;
    if (stop == 0)
        return false;
    if (s.ptr[stop - 1] != '}') {
        while (from > 0 && is_name_char(s.ptr[from - 1]))
            from--;
        return from < stop &&
               find_member(s, (struct str){ s.ptr + from, stop - from }, end + 1, out);
    }
    while (from > 0 && stop - from < 200 && s.ptr[from] != '{')
        from--;
    return s.ptr[from] == '{' && find_in_pattern(s, from, stop - 1, end + 1, out);
}

/* Two messages or more came, objects all of them, and none has the member. */
static bool none_has(struct fact_list *list, struct str request_id, struct str member)
{
    const struct page_more *more = &list->capture->more;
    size_t seen = 0;
    for (size_t i = 0; i < more->frames.count && i < FRAMES_READ; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        struct json value;
        if (f->what != FRAME_RECEIVED || !str_eq(f->request_id, request_id))
            continue;
        if (mgi_json_parse(list->job->arena, f->text, NULL, &value, NULL) != JSON_OK ||
            value.type != JSON_OBJECT)
            return false;
        for (size_t j = 0; j < value.count; j++)
            if (str_eq(value.members[j].name, member))
                return false;
        seen++;
    }
    return seen >= 2;
}

static bool opened_from(const struct request *r, struct str url)
{
    for (size_t i = 0; i < r->frame_count; i++)
        if (str_eq(r->frames[i].url, url))
            return true;
    return false;
}

static size_t tell_decision(struct fact_list *list, struct str url, struct str text,
                            const struct decision *d)
{
    const struct capture *c = list->capture;
    struct place place = { text, d->at };
    size_t told = 0;
    for (size_t i = 0; i < c->request_count && told < KINDS_TOLD; i++) {
        const struct request *r = &c->requests[i];
        struct str kind = mgi_request_kind(r);
        if (!list->looked_at[i] || (!str_is(kind, "socket") && !str_is(kind, "stream")) ||
            !opened_from(r, url) || !none_has(list, r->id, d->member))
            continue;
        told++;
        mgi_fact(list, RANK_HIGH, "frame_misses", NO_TIME, 0, "sssn",
                 mgi_fact_id(list, "r", r->number), d->member, url, mgi_place_line(&place));
    }
    return told;
}

static void facts_of_decisions(struct fact_list *list)
{
    size_t told = 0, looked = 0;
    for (size_t i = 0; i < list->code_count; i++) {
        struct str text = list->code[i].text;
        for (size_t at = 1; at < text.len && told < KINDS_TOLD && looked < KINDS_LOOKED; at++) {
            struct decision d = { 0 };
            if (text.ptr[at] != 'J' || !decision_at(text, at, &d))
                continue;
            looked++;
            told += tell_decision(list, list->code[i].url, text, &d);
        }
    }
}

void mgi_facts_frames(struct fact_list *list)
{
    struct sort *sorts = mgi_arena_calloc(list->job->arena, SORTS_MOST, sizeof *sorts);
    size_t count = sorts ? gather_sorts(list, sorts) : 0, senders = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sort *s = &sorts[i];
        const struct request *r =
            mgi_told_request(list, mgi_request_by_id(list->capture, s->request_id));
        if (!r)
            continue;
        struct str id = mgi_fact_id(list, "r", r->number);
        mgi_fact(list, RANK_HIGH, "frame_sort", s->from_ns, s->to_ns, "szsnn", id,
                 s->sent ? "sent" : "received", s->text, (int64_t)s->first + 1, (int64_t)s->count);
        if (s->sent && senders++ < SENDERS_TOLD)
            tell_sender(list, id, s);
    }
    if (count > 0)
        facts_of_decisions(list);
}
