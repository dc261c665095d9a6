/* Looking back at the whole run: every message of the server was held against docs/schemas. */
#include "conformance/conformance_int.h"

static void fits(struct probe *p, const char *type)
{
    for (size_t i = 0; i < sizeof p->kinds / sizeof *p->kinds; i++) {
        const struct misfit_count *k = &p->kinds[i];
        if (!k->type || strcmp(k->type, type) != 0)
            continue;
        if (k->seen == 0)
            mgi_probe_skip(p, "no such message came");
        mgi_probe_expect(p, k->misfits == 0, "%zu of %zu do not fit; the first %s", k->misfits,
                         k->seen, k->first);
    }
}

/* A server that says nothing has said nothing wrong: so it has to say something now. */
static void fits_and_serves(struct probe *p, const char *type)
{
    fits(p, type);
    (void)mgi_probe_ask(p, GOOD);
}

static void play_manifests(struct probe *p)
{
    fits(p, "manifest");
}

static void play_intent_responses(struct probe *p)
{
    fits_and_serves(p, "intent_response");
}

static void play_invoke_responses(struct probe *p)
{
    fits_and_serves(p, "invoke_response");
}

static void play_errors(struct probe *p)
{
    fits_and_serves(p, "error");
}

static void play_progresses(struct probe *p)
{
    fits_and_serves(p, "progress");
}

static void play_logins(struct probe *p)
{
    fits_and_serves(p, "authenticate_response");
}

static void play_all_envelopes(struct probe *p)
{
    for (size_t i = 0; i < sizeof p->kinds / sizeof *p->kinds; i++)
        mgi_probe_expect(p, p->kinds[i].misfits == 0, "%s: %s", p->kinds[i].type,
                         p->kinds[i].first);
    mgi_probe_expect(p, p->strangers == 0, "%zu messages are of no type that a server sends",
                     p->strangers);
    (void)mgi_probe_ask(p, GOOD);
}

static void play_secrets(struct probe *p)
{
    static const char *const secrets[] = { "marker-7f3e9c41", "policy-reason-0c55" };
    struct str all = mgi_buf_view(&p->everything);
    for (size_t i = 0; i < 2; i++)
        mgi_probe_expect(p, mgi_str_find(all, str_of(secrets[i])) == SIZE_MAX,
                         "%s was said in this run", secrets[i]);
    mgi_probe_expect(p, mgi_str_find(all, STR_LIT("fx_hidden")) == SIZE_MAX,
                     "a hidden tool was named in this run");
    (void)mgi_probe_ask(p, GOOD);
}

const struct test_case mgi_cases_whole[] = {
    { "P-ENV-1 P-ENV-8 P-ENV-14 P-STDIO-2 P-STDIO-3 P-HTTP-9 P-FACT-17",
      "every message of this run fits its schema", OVER_ANY, 0, play_all_envelopes },
    { "P-MAN-3 P-MAN-4 P-MAN-6 P-MAN-8 P-MAN-9 P-MAN-10 P-MAN-11 P-MAN-12 P-MAN-14 P-MAN-16 "
      "P-MAN-22 "
      "P-MAN-23 P-MAN-24 P-MAN-25 P-MAN-27 P-MAN-28 P-TIME-6 P-SCHEMA-1 P-SCHEMA-3 P-SCHEMA-6",
      "every manifest", OVER_ANY, 0, play_manifests },
    { "P-EVAL-12 P-EVAL-14 P-TIME-15 P-TOOL-1 P-TOOL-4 P-TOOL-6 P-TOOL-10 P-TOOL-11 P-TOOL-12 "
      "P-TOOL-14 "
      "P-TOOL-16 P-TOOL-19 P-DISC-LVL-1 P-DISC-LVL-2 P-DISC-LVL-3 P-DISC-LVL-4 P-SKILL-1 P-SKILL-2 "
      "P-SKILL-7 P-CTX-2 P-CTX-4 P-PROOF-5 P-PROOF-7 P-COV-5",
      "every intent_response", OVER_ANY, 0, play_intent_responses },
    { "P-INV-8 P-DELTA-1 P-DELTA-2 P-DELTA-3 P-OBS-11 P-OBS-12 P-NEXT-2 P-NEXT-3 P-FACT-4",
      "every invoke_response", OVER_ANY, 0, play_invoke_responses },
    { "P-ERR-1 P-ERR-2 P-ERR-3 P-ERR-4 P-ERR-5 P-ERR-7 P-ERR-8 P-ERR-9", "every error", OVER_ANY, 0,
      play_errors },
    { "P-PROG-7 P-PROG-8", "every progress", OVER_SESSIONS, 0, play_progresses },
    { "P-AUTH-7", "every authenticate_response", OVER_SESSIONS, NEEDS_AUTH, play_logins },
    { "P-OBS-9 P-ENUM-4 P-PROOF-4 P-MAN-1", "no secret was said", OVER_ANY, 0, play_secrets },
    { 0 },
};
