/* Members of answers that the page says there is nothing of: "No seats booked." beside seats: 4. */
#include "facts.h"

#define LINES_MOST 6
#define LINE_BYTES 100
#define WORD_LEAST 4
#define TOLD_MOST  12

/* Something stands there, and it is no text of many. */
static bool is_of_something(const struct shape_path *p)
{
    struct str value = p->values[0].ptr ? p->values[0] : STR_LIT("");
    const char *type = mgi_shape_type(p->types);
    if (p->empty || p->in_array)
        return false;
    if (strcmp(type, "number") == 0)
        return value.len > 0 && !str_is(value, "0");
    return strcmp(type, "array") == 0;
}

static bool begins_with_none(struct str line)
{
    return mgi_str_starts(line, STR_LIT("No ")) || mgi_str_starts(line, STR_LIT("There are no ")) ||
           mgi_str_starts(line, STR_LIT("You have no ")) || mgi_str_starts(line, STR_LIT("no "));
}

void mgi_facts_denied(struct fact_list *list)
{
    struct str rest = mgi_page_text(list);
    size_t lines = 0, told = 0;
    while (rest.len > 0 && lines < LINES_MOST) {
        struct str line = mgi_next_line(&rest);
        if (line.len > LINE_BYTES || !begins_with_none(line))
            continue;
        lines++;
        for (size_t i = 0; i < list->capture->request_count; i++) {
            const struct request *r = &list->capture->requests[i];
            const struct shape *shape = &list->shapes[i];
            if (!list->looked_at[i] || r->resource != RES_DATA || r->status >= 400)
                continue;
            for (size_t n = 0; n < shape->count && told < TOLD_MOST; n++) {
                struct str name = mgi_path_name(shape->paths[n].path);
                struct str word = mgi_shared_word(name, line);
                if (word.len < WORD_LEAST || !is_of_something(&shape->paths[n]))
                    continue;
                told++;
                mgi_fact(list, RANK_HIGH, "denied_member", NO_TIME, 0, "ssss",
                         mgi_fact_id(list, "r", r->number), shape->paths[n].path, word, line);
            }
        }
    }
}
