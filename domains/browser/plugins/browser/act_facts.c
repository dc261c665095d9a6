/* What a client is to know of the page's elements: facts that narrow the arguments of tools to what
 * is there. An observation replaces what an earlier one left; few, for each is paid for. */
#include "act.h"

#define ELEMENTS_MOST 40
#define FORMS_MOST    8
#define FIELDS_MOST   40
#define NAME_BYTES    80

static void tell_fact(struct json_writer *w, const char *pred, const struct str *args, int count)
{
    mgi_delta_begin(w, pred);
    for (int i = 0; i < count; i++)
        mgi_jw_string(w, mgi_utf8_prefix(args[i], NAME_BYTES));
    mgi_delta_end(w, NULL);
}

static void begin_delta(struct job *job, struct json_writer *w, bool url)
{
    mgi_buf_clear(&job->delta);
    mgi_json_writer_init(w, &job->delta, 0);
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "retract");
    mgi_jw_begin_array(w);
    if (url)
        mgi_delta_retract(w, "current_url", STR_LIT(""), 1);
    mgi_delta_retract(w, "element", STR_LIT(""), 3);
    mgi_delta_retract(w, "page_form", STR_LIT(""), 3);
    mgi_delta_retract(w, "form_field", STR_LIT(""), 3);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "assert");
    mgi_jw_begin_array(w);
}

static void end_delta(struct json_writer *w)
{
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static bool is_false(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && !v->boolean;
}

static size_t length_of(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->count : 0;
}

static void tell_elements(struct json_writer *w, const struct json *elements)
{
    int told = 0;
    for (size_t i = 0; i < length_of(elements) && told < ELEMENTS_MOST; i++) {
        const struct json *e = &elements->items[i];
        const struct json *hidden = mgi_json_get(e, "hidden");
        if (is_false(e, "visible") || is_false(e, "enabled") || hidden)
            continue;
        const struct str args[] = { mgi_member_string(e, "ref"), mgi_member_string(e, "role"),
                                    mgi_member_string(e, "name") };
        tell_fact(w, "element", args, 3);
        told++;
    }
}

static void tell_forms(struct json_writer *w, const struct json *forms)
{
    int told = 0;
    for (size_t i = 0; i < length_of(forms) && i < FORMS_MOST; i++) {
        const struct json *form = &forms->items[i], *fields = mgi_json_get(form, "fields");
        struct str id = mgi_member_string(form, "id");
        const struct str args[] = { id, mgi_member_string(form, "method"),
                                    mgi_member_string(form, "submit") };
        tell_fact(w, "page_form", args, 3);
        for (size_t k = 0; k < length_of(fields) && told < FIELDS_MOST; k++, told++) {
            const struct str field[] = { id, mgi_member_string(&fields->items[k], "name"),
                                         mgi_member_string(&fields->items[k], "type") };
            tell_fact(w, "form_field", field, 3);
        }
    }
}

/* Longer than a name, and as observe_page has it. */
static void tell_url(struct json_writer *w, struct str url)
{
    mgi_delta_begin(w, "current_url");
    mgi_jw_string(w, mgi_utf8_prefix(url, 500));
    mgi_delta_end(w, NULL);
}

void mgi_act_tell_elements(struct job *job, struct str url, const struct json *elements,
                           const struct json *forms)
{
    struct json_writer w;
    begin_delta(job, &w, url.len > 0);
    if (url.len > 0)
        tell_url(&w, url);
    tell_elements(&w, elements);
    tell_forms(&w, forms);
    end_delta(&w);
}

void mgi_act_tell_url(struct job *job, struct str url)
{
    struct json_writer w;
    begin_delta(job, &w, true);
    tell_url(&w, url);
    end_delta(&w);
}
