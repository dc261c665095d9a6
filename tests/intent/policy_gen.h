/* Random domains whose policy depends on time, and random requests: the same number makes the
 * same. Four tools; rules that make them relevant, bar them, ask for consent, change their chains
 * and parameters, set them against each other; all of it by windows, negation, counting and the
 * clock. */
#ifndef TESTS_INTENT_POLICY_GEN_H
#define TESTS_INTENT_POLICY_GEN_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/time.h"

#define GEN_TOOLS   4
#define GEN_HELPERS 3
#define GEN_EVENTS  4                                  /* facts of a request, at most */
#define GEN_NOON    (INT64_C(1783166400) * NS_PER_SEC) /* 2026-07-04T12:00:00Z */
#define GEN_MIN     (60 * NS_PER_SEC)

struct policy_gen {
    uint64_t seed;
    struct buf policy, domain, facts; /* facts: a JSON array's inside */
    int64_t bounds[2 * GEN_EVENTS];   /* of the events' intervals */
    size_t bound_count;
    int64_t at_ns; /* when it is evaluated */
    int max_tools; /* -1: no limit */
    bool more;     /* the caller has the permission "x" */
};

/* Minutes that windows and ages are made of. */
static const int gen_spans[] = { 5, 10, 20, 60 };

static inline uint32_t gen_roll(struct policy_gen *g, uint32_t sides)
{
    g->seed ^= g->seed << 13;
    g->seed ^= g->seed >> 7;
    g->seed ^= g->seed << 17;
    return (uint32_t)((g->seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

static inline char gen_kind(struct policy_gen *g)
{
    return (char)('a' + gen_roll(g, 3));
}

static inline void gen_window(struct policy_gen *g, struct buf *out)
{
    static const char *const ops[] = { "<-", "<-", "<-", "[-", "<+", "[+" };
    int span = gen_spans[gen_roll(g, 4)];
    mgi_buf_puts(out, ops[gen_roll(g, 6)]);
    if (gen_roll(g, 4) == 0)
        mgi_buf_printf(out, "[%dm, %dm]", span, span + gen_spans[gen_roll(g, 4)]);
    else
        mgi_buf_printf(out, "[%dm]", span);
    mgi_buf_printf(out, " ev(\"%c\")", gen_kind(g));
}

static inline void gen_hour(struct policy_gen *g, struct buf *out, int n)
{
    uint32_t hour = 10 + gen_roll(g, 5);
    mgi_buf_printf(out, "H%d = fn:time:hour(fn:time:now()), ", n);
    if (gen_roll(g, 2))
        mgi_buf_printf(out, "H%d < %u", n, hour);
    else
        mgi_buf_printf(out, "%u <= H%d", hour, n);
}

/* One premise. `n` keeps the names of its variables apart; `below`: helpers it may read. */
static inline void gen_literal(struct policy_gen *g, struct buf *out, int n, uint32_t below)
{
    switch (gen_roll(g, 13)) {
    case 12:
        mgi_buf_printf(
            out, "age(\"%c\", A%d), M%d = fn:duration:parse(\"%dm\"), :duration:%s(A%d, M%d)",
            gen_kind(g), n, n, gen_spans[gen_roll(g, 4)], gen_roll(g, 2) ? "lt" : "ge", n, n);
        break;
    case 0:
        mgi_buf_printf(out, "ev(\"%c\")@[now]", gen_kind(g));
        break;
    case 1:
        mgi_buf_printf(out, "!ev(\"%c\")@[now]", gen_kind(g));
        break;
    case 2:
        mgi_buf_puts(out, "!");
        gen_window(g, out);
        break;
    case 3:
        gen_hour(g, out, n);
        break;
    case 4:
        mgi_buf_printf(out,
                       "ev(\"%c\")@[T%d, _], D%d = fn:time:sub(fn:time:now(), T%d), "
                       "L%d = fn:duration:parse(\"%dm\"), :duration:%s(D%d, L%d)",
                       gen_kind(g), n, n, n, n, gen_spans[gen_roll(g, 4)],
                       gen_roll(g, 2) ? "lt" : "ge", n, n);
        break;
    case 5:
    case 6:
        if (below > 0) {
            mgi_buf_printf(out, "%sh%u(\"%c\")", gen_roll(g, 2) ? "!" : "", gen_roll(g, below),
                           gen_kind(g));
            break;
        }
        /* fall through */
    case 7:
        mgi_buf_printf(out, "%sseen(\"%c\")", gen_roll(g, 3) ? "" : "!", gen_kind(g));
        break;
    case 8:
        mgi_buf_printf(out, "count(\"%c\", C%d), C%d < %u", gen_kind(g), n, n, 1 + gen_roll(g, 2));
        break;
    default:
        gen_window(g, out);
        break;
    }
}

static inline void gen_body(struct policy_gen *g, struct buf *out, uint32_t below)
{
    int count = 1 + (int)gen_roll(g, 2);
    mgi_buf_puts(out, " :- seen(_)"); /* a rule is never without a body */
    for (int i = 0; i < count; i++) {
        mgi_buf_puts(out, ", ");
        gen_literal(g, out, i, below);
    }
    mgi_buf_puts(out, ".\n");
}

static inline void gen_rule(struct policy_gen *g)
{
    struct buf *out = gen_roll(g, 2) ? &g->policy : &g->domain;
    uint32_t tool = gen_roll(g, GEN_TOOLS), other = gen_roll(g, GEN_TOOLS);
    switch (gen_roll(g, 12)) {
    case 0:
    case 1:
    case 2:
        out = &g->policy;
        mgi_buf_printf(out, "prohibited(\"t%u\", \"r\")", tool);
        break;
    case 3:
        mgi_buf_printf(out, "requires_confirmation(\"t%u\")", tool);
        break;
    case 4:
        mgi_buf_printf(out, "tool_requires(\"t%u\", \"t%u\")", tool, other);
        break;
    case 5:
        mgi_buf_printf(out, "conflicts_with(\"t%u\", \"t%u\")", tool, other);
        break;
    case 6:
        mgi_buf_printf(out, "includes_step(\"t%u\", \"b\")", tool);
        break;
    case 7:
        mgi_buf_printf(out, "param_bound(\"t%u\", \"q\", \"v\")", tool);
        break;
    case 8:
        mgi_buf_printf(out, "param_value(\"t%u\", \"q\", \"%c\")", tool, gen_kind(g));
        break;
    case 9:
        mgi_buf_printf(out, "macro_tool(\"t%u\", \"%s\")", tool,
                       gen_roll(g, 2) ? "full" : "minimal");
        break;
    case 10:
        mgi_buf_printf(out,
                       "valid_for(\"t%u\", D) :- D = fn:duration:parse(\"%dm\"), seen(\"%c\").\n",
                       tool, gen_spans[gen_roll(g, 4)], gen_kind(g));
        return;
    default:
        mgi_buf_printf(out, "mandatory_for_intent(\"go\", \"t%u\")", tool);
        break;
    }
    gen_body(g, out, GEN_HELPERS);
}

static inline void gen_rules(struct policy_gen *g)
{
    for (uint32_t t = 0; t < GEN_TOOLS; t++) {
        static const int scores[] = { 10, 30, 50, 90 };
        mgi_buf_printf(&g->domain, "tool_relevant_to_intent(\"t%u\", \"go\", %d)", t,
                       scores[gen_roll(g, 4)]);
        if (gen_roll(g, 2))
            gen_body(g, &g->domain, GEN_HELPERS);
        else
            mgi_buf_puts(&g->domain, " :- seen(_).\n");
    }
    for (uint32_t h = 0; h < GEN_HELPERS; h++)
        for (uint32_t i = 0; i <= gen_roll(g, 2); i++) {
            mgi_buf_printf(&g->policy, "h%u(\"%c\")", h, gen_kind(g));
            gen_body(g, &g->policy, h);
        }
    mgi_buf_printf(&g->policy, "prohibited(\"t%u\", \"x\") :- seen(\"a\"), !permitted(\"x\").\n",
                   gen_roll(g, GEN_TOOLS));
    for (uint32_t i = 0; i < 3 + gen_roll(g, 5); i++)
        gen_rule(g);
}

static inline void gen_instant(struct policy_gen *g, int64_t ns)
{
    int64_t minutes = (ns - (GEN_NOON - 12 * 60 * GEN_MIN)) / GEN_MIN;
    mgi_buf_printf(&g->facts, "\"2026-07-04T%02" PRId64 ":%02" PRId64 ":00Z\"", minutes / 60,
                   minutes % 60);
    g->bounds[g->bound_count++] = ns;
}

static inline void gen_request(struct policy_gen *g)
{
    mgi_buf_printf(&g->facts, "{\"pred\":\"seen\",\"args\":[\"%c\"]}", gen_kind(g));
    for (uint32_t i = 0; i < 1 + gen_roll(g, GEN_EVENTS); i++) {
        int64_t start = GEN_NOON + ((int64_t)gen_roll(g, 37) - 18) * 5 * GEN_MIN;
        uint32_t length = gen_roll(g, 4);
        mgi_buf_printf(&g->facts,
                       ",{\"pred\":\"ev\",\"args\":[\"%c\"],\"t\":{\"start\":", gen_kind(g));
        gen_instant(g, start);
        mgi_buf_puts(&g->facts, ",\"end\":");
        if (length == 3)
            mgi_buf_puts(&g->facts, "\"_\"");
        else
            gen_instant(g, start + (int64_t)length * gen_spans[gen_roll(g, 4)] * GEN_MIN);
        mgi_buf_puts(&g->facts, "}}");
    }
    g->at_ns =
        GEN_NOON + ((int64_t)gen_roll(g, 25) - 12) * 5 * GEN_MIN + (int64_t)gen_roll(g, 3) - 1;
    g->max_tools = gen_roll(g, 6) ? -1 : 1 + (int)gen_roll(g, 2);
    g->more = gen_roll(g, 2);
}

static inline void policy_gen(struct policy_gen *g, uint64_t number)
{
    *g = (struct policy_gen){ .seed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15) };
    for (int i = 0; i < 4; i++)
        (void)gen_roll(g, 2);
    gen_rules(g);
    gen_request(g);
}

static inline void policy_gen_end(struct policy_gen *g)
{
    mgi_buf_fini(&g->policy);
    mgi_buf_fini(&g->domain);
    mgi_buf_fini(&g->facts);
}

#endif
