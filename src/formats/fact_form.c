/* What the names of files say. */
#include "formats/facts.h"

bool mgi_fact_form_named(struct str path, enum fact_form *out)
{
    static const struct {
        const char *end;
        enum fact_form form;
    } known[] = {
        { ".mg", FACTS_MANGLE },   { ".jsonl", FACTS_JSON_LINES }, { ".csv", FACTS_CSV },
        { ".tsv", FACTS_TSV },     { ".sc", FACTS_COLUMNS },       { ".json", FACTS_JSON },
        { ".pb", FACTS_PROTOBUF },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *out = known[i].form;
        if (mgi_str_ends(path, str_of(known[i].end)))
            return true;
    }
    return false;
}

bool mgi_fact_form_needs_pred(enum fact_form form)
{
    return form == FACTS_CSV || form == FACTS_TSV || form == FACTS_JSON || form == FACTS_PROTOBUF;
}

struct str mgi_fact_stem(struct str path)
{
    for (size_t i = path.len; i > 0; i--)
        if (path.ptr[i - 1] == '/') {
            path.ptr += i;
            path.len -= i;
            break;
        }
    for (size_t i = path.len; i > 0; i--)
        if (path.ptr[i - 1] == '.') {
            path.len = i - 1;
            break;
        }
    return path;
}

bool mgi_fact_pred_name_ok(struct str s)
{
    if (s.len == 0 || s.ptr[0] < 'a' || s.ptr[0] > 'z')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '.' || c == ':'))
            return false;
    }
    return true;
}
