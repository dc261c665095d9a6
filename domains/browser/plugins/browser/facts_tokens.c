/* Tokens that answers bring under a name which no script of the page has: nobody reads them. */
#include "facts.h"

#define TOKENS_TOLD 12
#define NAME_MOST   60

static bool is_token(struct str name)
{
    return name.len < NAME_MOST &&
           (mgi_str_ends(name, STR_LIT("oken")) || mgi_str_ends(name, STR_LIT("csrf")) ||
            mgi_str_ends(name, STR_LIT("xsrf")) || mgi_str_ends(name, STR_LIT("nonce")));
}

/* Code that makes form_token into formToken knows it so. */
static bool is_known(struct fact_list *list, struct str name)
{
    char room[NAME_MOST];
    size_t len = 0;
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '_' && name.ptr[i] != '-')
            room[len++] = name.ptr[i];
    return mgi_code_says(list, name, true) || mgi_code_says(list, (struct str){ room, len }, true);
}

void mgi_facts_tokens(struct fact_list *list)
{
    const struct capture *c = list->capture;
    for (size_t i = 0, told = 0; i < c->request_count && told < TOKENS_TOLD; i++) {
        const struct shape *shape = &list->shapes[i];
        for (size_t p = 0; list->looked_at[i] && shape->kind == BODY_JSON && p < shape->count &&
                           told < TOKENS_TOLD;
             p++) {
            const struct shape_path *path = &shape->paths[p];
            struct str name = mgi_path_name(path->path);
            if (path->in_array || path->empty || !is_token(name) || is_known(list, name))
                continue;
            mgi_fact(list, RANK_HIGH, "token_unknown", NO_TIME, 0, "ss",
                     mgi_fact_id(list, "r", c->requests[i].number), path->path);
            told++;
        }
    }
}
