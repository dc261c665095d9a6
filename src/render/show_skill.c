/* The text of a skill that came with an answer. It is what a model asked for, so it is always told
 * in full, as far as it fits; and it is a server's text, so all of it is a block. */
#include "render/render_int.h"

/* As much of the text as fits: ever less of it. */
static void show_text(struct page *p, struct str text)
{
    for (size_t max = text.len; max > 0; max = max / 4 * 3) {
        mgi_clean_block(&p->unit, text, max < text.len ? max : 0);
        if (mgi_page_fits(p)) {
            p->cut |= max < text.len;
            mgi_page_take_anyway(p);
            return;
        }
        mgi_page_drop(p);
    }
}

enum manglecp_status manglecp_show_skill(manglecp_shown *shown, const char *name,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len)
{
    struct page p;
    const struct skill_text *skill = mgi_shown_skill(shown, str_of(name));
    enum manglecp_status status = mgi_page_open(&p, NULL, how, (struct str){ 0 }, NULL);
    if (!skill)
        status = MANGLECP_ERR_GONE;
    else if (skill->summary)
        status = MANGLECP_ERR_INVALID;
    if (!status) {
        mgi_buf_puts(&p.text, "skill ");
        mgi_clean_name(&p.text, skill->name);
        mgi_buf_puts(&p.text, ":\n");
        show_text(&p, skill->text);
    }
    return mgi_page_close(&p, status, out, out_len);
}
