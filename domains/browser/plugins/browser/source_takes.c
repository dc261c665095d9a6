/* Takes: from the call that asked to what is read of its answer, through the functions that were
 * called, innermost first. */
#include "source_follow.h"

/* request.response, which is JSON where the code says that it shall be. */
static bool read_near(struct str s, size_t from, size_t to, struct value *v)
{
    struct str near = { s.ptr + from, to - from };
    size_t at = mgi_str_find(near, STR_LIT("responseType"));
    for (at = at == SIZE_MAX ? to : from; at + 10 < to; at++)
        if (s.ptr[at] == '.' && stands_at(s, at + 1, STR_LIT("response"))) {
            v->start = mgi_chain_start(s, at + strlen(".response"));
            v->end = at + strlen(".response");
            v->response = false;
            return v->start < at;
        }
    return false;
}

/* JSON.parse(request.responseText), near the line that sends. */
static bool parsed_near(const struct place *place, struct value *v)
{
    struct str s = place->text;
    size_t from = place->at > 2000 ? place->at - 2000 : 0,
           to = place->at + 2000 < s.len ? place->at + 2000 : s.len;
    for (size_t at = from; at + 20 < to; at++) {
        if (!stands_at(s, at, STR_LIT("JSON.parse")))
            continue;
        size_t open = at + strlen("JSON.parse"), close = mgi_form_close(s, open);
        struct str in = { s.ptr + open, (close < to ? close : to) - open };
        v->start = at;
        v->end = close;
        v->response = false;
        return close != SIZE_MAX && mgi_contains(in, "respon");
    }
    return read_near(s, from, to, v);
}

static enum settled settle_call(struct follow *f, const struct call_site *call, bool sends,
                                struct value *v)
{
    bool response = v->response;
    if (sends ? !parsed_near(&call->place, v) : !mgi_call_at(&call->place, v))
        return NOT_FOUND;
    size_t asked = v->end;
    f->asked = call->place.at;
    f->from = v->start;
    f->to = mgi_form_block_end(f->text, v->end);
    enum settled how = mgi_settle(f, v);
    if (response && !v->response) {
        size_t to = v->end == SIZE_MAX ? f->to : v->end + 8;
        f->out->json = true;
        f->out->json_guarded = sends || f->looked || mgi_looks_first(f->text, asked, to);
        f->out->json_by_type = f->by_type || mgi_looks_at_type(f->text, asked, to);
    }
    mgi_follow_all(f);
    if (!f->returned)
        return how;
    v->base = f->base;
    return IS_RETURNED;
}

/* get(url, function (data) {...}): the function gets what the one below handed to its parameter. */
static void take_called_back(struct follow *f, const struct call_site *call,
                             const struct follow *below)
{
    struct value v = { .response = false };
    struct form_function fn;
    if (!mgi_call_at(&call->place, &v))
        return;
    struct str s = f->text;
    size_t open = past_blank(s, call->place.at + name_at(s, call->place.at).len);
    if (!mgi_caller_function(f, below, open, &fn))
        return;
    f->asked = call->place.at;
    f->from = v.start;
    f->to = mgi_form_block_end(s, v.end);
    mgi_hold_parameter(f, &fn, below->item, &below->given);
    mgi_follow_all(f);
}

void mgi_source_takes(const struct call_site *calls, size_t count, const struct str *texts,
                      size_t text_count, struct takes *out)
{
    struct value v = { .response = true };
    *out = (struct takes){ .count = 0 };
    bool sends = count > 0 && !stands_at(calls[0].place.text, calls[0].place.at, STR_LIT("fetch"));
    for (size_t i = 0; i < count; i++) {
        struct follow f = { .home = calls[i].place.text.ptr,
                            .text = calls[i].place.text,
                            .texts = texts,
                            .text_count = text_count,
                            .out = out };
        if (i > 0 && calls[i].same)
            continue;
        if (settle_call(&f, &calls[i], sends && i == 0, &v) == IS_RETURNED)
            continue;
        for (i++; f.called && i < count; i++) {
            struct follow next = { .home = calls[i].place.text.ptr,
                                   .text = calls[i].place.text,
                                   .texts = texts,
                                   .text_count = text_count,
                                   .out = out };
            if (calls[i].same)
                continue;
            take_called_back(&next, &calls[i], &f);
            f = next;
        }
        return;
    }
}
