/* The words of `manglecp evaluate`, read once, before anything is spoken. */
#include "cli/manglecp_mcp_direct.h"

static void log_complaint(void *context, const char *what)
{
    struct str text = mgi_str_trim(str_of(what), "\n");
    mgi_log(context, LOG_ERROR, "--direct: %.*s", STR_ARG(text));
}

static bool declares_nothing(const struct intent_options *o)
{
    bool nothing = !o->params.count && !o->facts_files.count && !o->facts.count &&
                   !o->has_eval_time && !o->server_time && !o->has_max_tools && !o->has_max_tokens;
    if (!nothing) {
        mgi_cli_error("facts, parameters and limits belong to the intent of --direct INTENT");
        mgi_cli_hint("Without it, a model says its facts to the tool intent.");
    }
    return nothing;
}

bool mgi_mcp_direct_read(struct mcp_direct *d, struct logger *log)
{
    if (!d->options.name)
        return declares_nothing(&d->options);
    if (!mgi_request_intent(&d->options, &d->intent))
        return false;
    d->facts = manglecp_facts_new();
    if (!d->facts)
        mgi_cli_error("out of memory");
    d->bridge = (struct bridge_direct){
        .intent = &d->intent, .facts = d->facts, .complain = log_complaint, .context = log
    };
    return d->facts && mgi_request_facts(&d->options, d->facts);
}

void mgi_mcp_direct_fini(struct mcp_direct *d)
{
    manglecp_facts_free(d->facts);
    d->facts = NULL;
}
