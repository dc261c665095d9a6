/* Which sorts of messages went over each socket, and from where the page writes: what was said
 * over a first connection and not over the next. */
#include "facts.h"
#include "source_int.h"

#define SORTS_MOST    80
#define SORTS_OF_ONE  16
#define SORT_BYTES    80
#define FRAMES_READ   600
#define SENDERS_TOLD  12
#define FRAMES_OF_ONE 4
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
    struct str sort = mgi_utf8_prefix(sort_as_written(list, f), SORT_BYTES);
    char *small = mgi_arena_alloc(list->job->arena, sort.len + 1);
    for (size_t i = 0; small && i < sort.len; i++)
        small[i] =
            (char)(sort.ptr[i] >= 'A' && sort.ptr[i] <= 'Z' ? sort.ptr[i] | 0x20 : sort.ptr[i]);
    return (struct str){ small, small ? sort.len : 0 };
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
    for (size_t i = 0; i < by->frame_count && i < FRAMES_OF_ONE; i++)
        mgi_fact(list, RANK_HIGH, "stack", NO_TIME, 0, "snssn", frame, (int64_t)i,
                 mgi_frame_function(list, &by->frames[i]), by->frames[i].url, by->frames[i].line);
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
}
