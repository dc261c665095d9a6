/* See manglecp_mcp_direct.h. */
#include "cli/manglecp_mcp_direct.h"

#include <stdio.h>

static bool is_alone(const struct intent_options *o)
{
    if (o->params.count == 0 && o->facts_files.count == 0 && o->facts.count == 0)
        return true;
    mgi_cli_error("--param, --facts and --fact are for the intent that --direct names");
    mgi_cli_hint("A model says facts itself, by the tool intent.");
    return false;
}

bool mgi_mcp_direct_read(const struct intent_options *o, bool auth, struct bridge_direct *out)
{
    struct manglecp_intent intent;
    *out = (struct bridge_direct){ 0 };
    if (!o->name)
        return is_alone(o);
    if (auth) {
        mgi_cli_error("--direct has one list of tools and one set of facts for all who call, and "
                      "--auth tells them apart");
        mgi_cli_hint("Leave --direct out: the three tools keep works apart.");
        return false;
    }
    if (!mgi_request_intent(o, &intent))
        return false;
    out->facts = manglecp_facts_new();
    if (!out->facts)
        mgi_cli_error("out of memory");
    if (!out->facts || !mgi_request_facts(o, out->facts)) {
        manglecp_facts_free(out->facts);
        out->facts = NULL;
        return false;
    }
    out->intent = o->name;
    out->params = intent.params;
    out->param_count = intent.param_count;
    return true;
}

void mgi_mcp_direct_tell(const struct bridge_direct *d, size_t count, const char *why)
{
    struct str text = mgi_str_trim(str_of(why), "\n");
    if (why && mgi_str_starts(text, STR_LIT("error: ")))
        text = (struct str){ text.ptr + 7, text.len - 7 };
    if (why)
        mgi_cli_error("--direct %s: %.*s", d->intent, STR_ARG(text));
    else if (count == 0)
        fprintf(stderr, "warning: --direct %s: rules prove no tool for it with these facts\n",
                d->intent);
}
