/* The list of facts: adding, ranking, cutting, writing. */
#include "facts.h"

#include <inttypes.h>

#include <stdarg.h>
#include <stdlib.h>

/* Addresses and texts are cut here: what rules compare are beginnings and whole short words. */
#define FRAMES_OF_ONE   4
#define FACT_TEXT_BYTES 300
/* But for what a page shows. */
#define LONG_TEXT_BYTES 2000

/* Integers beyond these do not travel as such; nothing that is measured is as large. */
#define NUMBER_MOST INT64_C(9007199254740991)

static struct fact_arg number_arg(int64_t n)
{
    return (struct fact_arg){ .number = n > NUMBER_MOST    ? NUMBER_MOST
                                        : n < -NUMBER_MOST ? -NUMBER_MOST
                                                           : n };
}

static struct fact_arg text_arg(struct str s, size_t most)
{
    return (struct fact_arg){ .text = s.ptr ? mgi_utf8_prefix(s, most) : STR_LIT("") };
}

void mgi_fact(struct fact_list *list, enum rank rank, const char *pred, int64_t from_ns,
              int64_t to_ns, const char *format, ...)
{
    if (list->past)
        return;
    /* What is worth less leaves room for what is worth more, however much of it comes first. */
    if (list->items.count >= EVIDENCE_COLLECTED_MOST / RANK_COUNT * (RANK_COUNT - (size_t)rank)) {
        list->lost++;
        return;
    }
    struct fact *f = mgi_list_add(list->job->arena, &list->items);
    if (!f)
        return;
    *f = (struct fact){ .pred = pred,
                        .rank = rank,
                        .temporal = from_ns != NO_TIME,
                        .from_ns = from_ns,
                        .to_ns = to_ns > 0 && to_ns < from_ns ? from_ns : to_ns };
    va_list args;
    va_start(args, format);
    for (; *format && f->arg_count < FACT_ARGS_MOST; format++) {
        struct fact_arg *arg = &f->args[f->arg_count++];
        if (*format == 's')
            *arg = text_arg(va_arg(args, struct str), FACT_TEXT_BYTES);
        else if (*format == 't')
            *arg = text_arg(va_arg(args, struct str), LONG_TEXT_BYTES);
        else if (*format == 'z')
            *arg = text_arg(str_of(va_arg(args, const char *)), FACT_TEXT_BYTES);
        else
            *arg = number_arg(va_arg(args, int64_t));
    }
    va_end(args);
}

static int64_t last_visit(const struct capture *c)
{
    int64_t at = 0;
    for (size_t i = 0; i < c->more.navigations.count; i++) {
        const struct navigation *n = &c->more.navigations.items[i];
        if (mgi_begins_visit(n))
            at = n->begin_ns > at ? n->begin_ns : at;
    }
    return at;
}

bool mgi_is_past(const struct fact_list *list, int64_t at_ns)
{
    return list->visit_ns > 0 && at_ns < list->visit_ns - VISIT_SLACK_NS;
}

const struct request *mgi_told_request(const struct fact_list *list, const struct request *r)
{
    return r && list->looked_at[r - list->capture->requests] ? r : NULL;
}

struct str mgi_fact_id(struct fact_list *list, const char *prefix, size_t number)
{
    char *id = mgi_arena_printf(list->job->arena, "%s%zu", prefix, number);
    return id ? str_of(id) : STR_LIT("");
}

#define BUNDLED_COLUMN 300

bool mgi_frame_is_bundled(const struct frame *frame)
{
    return frame->column > BUNDLED_COLUMN;
}

struct str mgi_frame_function(struct fact_list *list, const struct frame *frame)
{
    if (!mgi_frame_is_bundled(frame))
        return frame->function;
    const char *text = mgi_arena_printf(list->job->arena, "%.*s@%" PRId64, STR_ARG(frame->function),
                                        frame->column);
    return text ? str_of(text) : frame->function;
}

struct str mgi_fact_small(struct fact_list *list, struct str text)
{
    char *small = mgi_arena_alloc(list->job->arena, text.len + 1);
    for (size_t i = 0; small && i < text.len; i++)
        small[i] =
            (char)(text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] | 0x20 : text.ptr[i]);
    return (struct str){ small, small ? text.len : 0 };
}

void mgi_fact_stack(struct fact_list *list, enum rank rank, struct str id,
                    const struct frame *frames, size_t count)
{
    for (size_t i = 0; i < count && i < FRAMES_OF_ONE; i++)
        mgi_fact(list, rank, "stack", NO_TIME, 0, "snssn", id, (int64_t)i,
                 mgi_frame_function(list, &frames[i]), frames[i].url, frames[i].line);
}

struct str mgi_message_id(struct fact_list *list, const struct message *m)
{
    if (m->caught_number > 0)
        return mgi_fact_id(list, "c", m->caught_number);
    return m->error_number > 0 ? mgi_fact_id(list, "console-error-", m->error_number)
                               : mgi_fact_id(list, "m", m->message_number);
}

const struct request *mgi_request_by_id(const struct capture *c, struct str id)
{
    for (size_t i = 0; id.len > 0 && i < c->request_count; i++)
        if (str_eq(c->requests[i].id, id))
            return &c->requests[i];
    return NULL;
}

const struct request *mgi_request_at(const struct capture *c, size_t number)
{
    return number > 0 && number <= c->request_count ? &c->requests[number - 1] : NULL;
}

/* ---- cutting ------------------------------------------------------------------------------- */

/* Keeps at most `most`, the best ranks first; the order among the kept is as they were added. */
static void cut_list(struct fact_list *list, int64_t most)
{
    size_t counts[RANK_COUNT] = { 0 }, room = most > 1 ? (size_t)most - 1 : 0, kept = 0;
    for (size_t i = 0; i < list->items.count; i++)
        counts[list->items.items[i].rank]++;
    for (int rank = 0; rank < RANK_COUNT; rank++) {
        counts[rank] = counts[rank] < room ? counts[rank] : room;
        room -= counts[rank];
    }
    for (size_t i = 0; i < list->items.count; i++) {
        const struct fact f = list->items.items[i];
        if (counts[f.rank] == 0) {
            list->lost++;
            continue;
        }
        counts[f.rank]--;
        list->items.items[kept++] = f;
    }
    list->items.count = kept;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void write_instant(struct json_writer *w, const char *name, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_jw_member_str(w, name, (struct str){ text, mgi_time_format(text, ns) });
}

static void write_fact(struct json_writer *w, const struct fact *f)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "pred", f->pred);
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < f->arg_count; i++) {
        if (f->args[i].text.ptr)
            mgi_jw_string(w, f->args[i].text);
        else
            mgi_jw_int(w, f->args[i].number);
    }
    mgi_jw_end_array(w);
    if (f->temporal) {
        mgi_jw_key(w, "t");
        mgi_jw_begin_object(w);
        if (f->from_ns == f->to_ns) {
            write_instant(w, "at", f->from_ns);
        } else {
            write_instant(w, "start", f->from_ns);
            if (f->to_ns > 0)
                write_instant(w, "end", f->to_ns);
            else
                mgi_jw_member_cstr(w, "end", "_");
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

/* Which requests: those of this visit, those that went wrong first, the earlier ones of a rank. */
static void choose_requests(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t room = REQUESTS_LOOKED_AT, count = 0;
    for (size_t i = 0; i < c->request_count; i++)
        count += !mgi_is_past(list, c->requests[i].start_ns);
    for (int rank = 0; rank < RANK_COUNT; rank++)
        for (size_t i = 0; i < c->request_count && room > 0; i++) {
            const struct request *r = &c->requests[i];
            if (mgi_is_past(list, r->start_ns) || (int)mgi_request_rank(r) != rank)
                continue;
            struct str origin = mgi_url_origin(r->url);
            list->looked_at[i] = true;
            list->routes[i] = mgi_route_of(list->job, mgi_utf8_prefix(mgi_url_path(r->url), 1000));
            list->endpoints[i] = mgi_hash_bytes(r->method.ptr, r->method.len, 1);
            list->endpoints[i] = mgi_hash_bytes(origin.ptr, origin.len, list->endpoints[i]);
            list->endpoints[i] =
                mgi_hash_bytes(list->routes[i].ptr, list->routes[i].len, list->endpoints[i]);
            room--;
        }
    if (count > REQUESTS_LOOKED_AT)
        mgi_fact(list, RANK_CORE, "lost", NO_TIME, 0, "zn", "requests",
                 (int64_t)(count - REQUESTS_LOOKED_AT));
}

#define ALIKE_KEPT 20 /* of the first, and of the last */

/* Of one endpoint asked over and over the first and the last say it all; `repeated` counts them. */
static void leave_out_alike(struct fact_list *list)
{
    size_t seen[REQUESTS_LOOKED_AT], count = 0;
    int64_t left_out = 0;
    for (size_t i = 0; i < list->capture->request_count && count < REQUESTS_LOOKED_AT; i++)
        if (list->looked_at[i])
            seen[count++] = i;
    for (size_t i = ALIKE_KEPT; i + ALIKE_KEPT < count; i++) {
        size_t before = 0, after = 0;
        for (size_t j = 0; j < i && before < ALIKE_KEPT; j++)
            before += mgi_same_endpoint(list, seen[i], seen[j]);
        for (size_t j = count; --j > i && before == ALIKE_KEPT && after < ALIKE_KEPT;)
            after += mgi_same_endpoint(list, seen[i], seen[j]);
        if (before < ALIKE_KEPT || after < ALIKE_KEPT)
            continue;
        list->looked_at[seen[i]] = false;
        left_out++;
    }
    if (left_out > 0)
        mgi_fact(list, RANK_CORE, "lost", NO_TIME, 0, "zn", "alike", left_out);
}

static bool collect(struct fact_list *list)
{
    size_t count = list->capture->request_count;
    list->looked_at = mgi_arena_calloc(list->job->arena, count + 1, sizeof *list->looked_at);
    list->endpoints = mgi_arena_calloc(list->job->arena, count + 1, sizeof *list->endpoints);
    list->routes = mgi_arena_calloc(list->job->arena, count + 1, sizeof *list->routes);
    list->shapes = mgi_arena_calloc(list->job->arena, count + 1, sizeof *list->shapes);
    if (!list->routes || !list->shapes || !list->endpoints || !list->looked_at ||
        !mgi_facts_texts(list))
        return false;
    choose_requests(list);
    leave_out_alike(list);
    mgi_facts_page(list);
    mgi_facts_console(list);
    mgi_facts_misses(list);
    mgi_facts_work(list);
    mgi_facts_network(list);
    mgi_facts_credentials(list);
    mgi_facts_bodies(list);
    mgi_facts_takes(list);
    mgi_facts_words(list);
    mgi_facts_together(list);
    mgi_facts_same(list);
    mgi_facts_rounded(list);
    mgi_facts_habits(list);
    mgi_facts_deeds(list);
    mgi_facts_kept(list);
    mgi_facts_dates(list);
    mgi_facts_picked(list);
    mgi_facts_ids(list);
    mgi_facts_checks(list);
    mgi_facts_submits(list);
    mgi_facts_regexps(list);
    mgi_facts_sent(list);
    mgi_facts_tokens(list);
    mgi_facts_short_keys(list);
    mgi_facts_lists(list);
    mgi_facts_questions(list);
    mgi_facts_frame_names(list);
    mgi_facts_frames(list);
    mgi_facts_replies(list);
    mgi_facts_anew(list);
    mgi_facts_missed(list);
    mgi_facts_spelt(list);
    mgi_facts_fallbacks(list);
    mgi_facts_overtaken(list);
    mgi_facts_unencoded(list);
    mgi_facts_compared(list);
    mgi_facts_sorted(list);
    mgi_facts_slips(list);
    mgi_facts_joined(list);
    mgi_facts_grown(list);
    mgi_facts_parts(list);
    mgi_facts_letters(list);
    mgi_facts_months(list);
    mgi_facts_early(list);
    mgi_facts_lookups(list);
    mgi_facts_denied(list);
    mgi_facts_shown(list);
    mgi_facts_code(list);
    return !list->job->arena->oom;
}

bool mgi_evidence_write(struct job *job, struct buf *out, int64_t most, int64_t *written,
                        int64_t *lost)
{
    struct fact_list list = {
        .job = job,
        .capture = &job->capture,
        .visit_ns = last_visit(&job->capture),
    };
    for (size_t i = 0; i < job->capture.message_count; i++)
        list.past_errors += job->capture.messages[i].error_number > 0 &&
                            mgi_is_past(&list, job->capture.messages[i].at_ns);
    struct json_writer w;
    if (!collect(&list))
        return false;
    cut_list(&list, most);
    if (list.lost > 0)
        mgi_fact(&list, RANK_CORE, "lost", NO_TIME, 0, "zn", "facts", list.lost);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "facts");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < list.items.count; i++)
        write_fact(&w, &list.items.items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    *written = (int64_t)list.items.count;
    *lost = list.lost;
    return !out->oom && !job->arena->oom;
}
