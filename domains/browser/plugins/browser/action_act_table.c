/* Tables and lists, through all their pages: by the control that leads on, or by scrolling. */
#include "act.h"

#define ROWS_MOST  500
#define PAGES_MOST 20

/* Rows that were seen before are the same page again: a table that turns in circles ends. */
struct gathered {
    struct job *job;
    const char *member; /* "rows" or "items" */
    int64_t limit, count;
    struct str last; /* the text of the last page */
};

static const struct json *list_part(const struct json *page, const char *member)
{
    const struct json *list = mgi_json_get(page, member);
    return list && list->type == JSON_ARRAY ? list : NULL;
}

/* False: nothing new. `from` leaves out what a list that only grows had before. */
static bool add_page(struct gathered *g, const struct json *page, size_t from)
{
    const struct json *list = list_part(page, g->member);
    if (!list || str_eq(list->text, g->last))
        return false;
    g->last = list->text;
    for (size_t i = from; i < list->count && g->count < g->limit; i++, g->count++)
        mgi_jw_value(&g->job->out, &list->items[i]);
    return true;
}

static bool settle_page(struct job *job)
{
    bool met;
    return mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), 250, 4000, &met);
}

/* Turning a page may not send anything nor lead away: what a "Next" of that kind does, somebody has
 * to be asked about. */
static bool leads_on(const struct json *next)
{
    const struct json *enabled = mgi_json_get(next, "enabled");
    const struct json *meaning = mgi_json_get(next, "meaning");
    const struct json *submits = mgi_json_get(meaning, "submits");
    struct str to = mgi_member_string(mgi_json_get(meaning, "link"), "origin");
    return enabled && enabled->type == JSON_BOOL && enabled->boolean &&
           !(submits && submits->type == JSON_BOOL && submits->boolean) &&
           (to.len == 0 || str_eq(to, mgi_member_string(meaning, "page")));
}

/* *turned false: there is no further page. */
static bool turn_page(struct job *job, bool *turned)
{
    struct json next;
    *turned = false;
    if (!mgi_act_script(job, "nextPage", STR_LIT("[]"), &next))
        return false;
    if (next.type != JSON_OBJECT || !leads_on(&next))
        return true;
    *turned = true;
    char *target = mgi_arena_printf(job->arena, "{\"ref\":\"%.*s\"}",
                                    STR_ARG(mgi_member_string(&next, "ref")));
    char *mark =
        mgi_arena_printf(job->arena, "\"%.*s\"", STR_ARG(mgi_member_string(&next, "mark")));
    return target && mark && mgi_act_press(job, str_of(target), str_of(mark), PRESS_ONCE, "left") &&
           settle_page(job);
}

static bool want_pages(struct job *job, int64_t *pages, int64_t *limit)
{
    *pages = 1;
    *limit = 100;
    return mgi_job_integer(job, "pages", 1, PAGES_MOST, pages) &&
           mgi_job_integer(job, "limit", 1, ROWS_MOST, limit) && mgi_act_live(job);
}

static struct str reading_args(struct job *job)
{
    struct str target = STR_LIT("{}");
    if (mgi_act_argument(job, "ref") || mgi_act_argument(job, "target"))
        if (!mgi_act_target(job, &target))
            return (struct str){ 0 };
    char *args = mgi_arena_printf(job->arena, "[%.*s,%d]", STR_ARG(target), ROWS_MOST);
    return str_of(args ? args : "");
}

static bool extract_table(struct job *job)
{
    struct json page;
    int64_t pages, limit, seen = 1;
    if (!want_pages(job, &pages, &limit))
        return false;
    struct str args = reading_args(job);
    if (args.len == 0 || !mgi_act_script(job, "table", args, &page))
        return false;
    const struct json *columns = mgi_json_get(&page, "columns");
    mgi_jw_key(&job->out, "columns");
    mgi_jw_value(&job->out, columns);
    mgi_jw_key(&job->out, "rows");
    mgi_jw_begin_array(&job->out);
    struct gathered g = { .job = job, .member = "rows", .limit = limit };
    bool more = add_page(&g, &page, 0), good = true;
    while (good && more && seen < pages && g.count < limit) {
        good = turn_page(job, &more);
        if (!good || !more)
            break;
        /* The table may have been rendered anew: it is found again by what it is. */
        good = mgi_act_script(job, "table", args, &page);
        more = good && add_page(&g, &page, 0);
        seen += more;
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "pages", seen);
    mgi_jw_member_int(&job->out, "total", g.count);
    return good;
}

/* A list that grows as one scrolls down, or has pages. */
static bool extract_list(struct job *job)
{
    struct json page, at;
    int64_t pages, limit, seen = 1;
    if (!want_pages(job, &pages, &limit))
        return false;
    struct str args = reading_args(job);
    if (args.len == 0 || !mgi_act_script(job, "list", args, &page))
        return false;
    mgi_jw_key(&job->out, "items");
    mgi_jw_begin_array(&job->out);
    struct gathered g = { .job = job, .member = "items", .limit = limit };
    bool more = add_page(&g, &page, 0), good = true;
    while (good && more && seen < pages && g.count < limit) {
        size_t had = list_part(&page, "items") ? list_part(&page, "items")->count : 0;
        good = mgi_act_script(job, "scroll", STR_LIT("[{},0,1000000]"), &at) && settle_page(job) &&
               mgi_act_script(job, "list", args, &page);
        if (!good)
            break;
        const struct json *items = list_part(&page, "items");
        more = items && items->count > had && add_page(&g, &page, had);
        if (!more) {
            good = turn_page(job, &more) && (!more || mgi_act_script(job, "list", args, &page));
            more = good && more && add_page(&g, &page, 0);
        }
        seen += more;
    }
    mgi_jw_end_array(&job->out);
    mgi_jw_member_int(&job->out, "pages", seen);
    mgi_jw_member_int(&job->out, "total", g.count);
    return good;
}

#define INPUT_PAGES                                                                                \
    INPUT_TARGET ",\"pages\":{\"type\":\"integer\"},\"limit\":{\"type\":\"integer\"}"

static const struct browser_action act_table_actions[] = {
    { "AID.BROWSER.TABLE.v1", "extract_table", "A table as columns and rows, through its pages.",
      "browser.dom", "browser", INPUT_PAGES, extract_table },
    { "AID.BROWSER.LIST.v1", "extract_list",
      "A list's items, through its pages or as far as it scrolls.", "browser.dom", "browser",
      INPUT_PAGES, extract_list },
};
const struct browser_actions mgi_act_table_actions = {
    act_table_actions, sizeof act_table_actions / sizeof act_table_actions[0]
};
