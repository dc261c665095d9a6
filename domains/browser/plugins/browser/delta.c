/* Facts of a state delta, as the host takes them (protocol, 04 section 6). */
#include "browser.h"

void mgi_delta_begin(struct json_writer *w, const char *pred)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "pred", pred);
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
}

void mgi_delta_end(struct json_writer *w, const char *at)
{
    mgi_jw_end_array(w);
    if (at) {
        mgi_jw_key(w, "t");
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "at", at);
        mgi_jw_end_object(w);
    }
    mgi_jw_member_cstr(w, "category", "session");
    mgi_jw_key(w, "source");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "source_type", "scan");
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
}

void mgi_delta_retract(struct json_writer *w, const char *pred, struct str first, size_t arity)
{
    mgi_delta_begin(w, pred);
    for (size_t i = 0; i < arity; i++)
        if (i == 0 && first.len > 0)
            mgi_jw_string(w, first);
        else
            mgi_jw_null(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
