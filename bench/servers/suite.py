"""The server beside servers on the SDKs of MCP: the same tools, the same answers, processor time a request. suite.py --help has
the options; bench/README.md says what is measured, and how."""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "engine"), str(HERE.parent)]
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import clients  # noqa: E402
import machine  # noqa: E402
import many_tools  # noqa: E402
import sdk_peers  # noqa: E402
import server_tables  # noqa: E402

TOOLS, FACTS, WARM = (22, 260), (10, 500), 100


def block(client, what, count, start):
    """Microseconds of processor time of the server for each."""
    begun = clients.cpu_ns(client.link.child.pid)
    for n in range(start, start + count):
        what(n)
    return (clients.cpu_ns(client.link.child.pid) - begun) / count / 1000


def one_round(client, count, start):
    client.link.anew()
    if isinstance(client, clients.Ours):
        client.refresh()
    return {"both": block(client, client.look_and_call, count, start), "call": block(client, client.call, count, start)}


def started(peers, program, domain, tools, over_http):
    """{name: client}; a peer that does not start is told, and left out."""
    members = {f"ours, {facts} facts": (lambda f=facts: clients.Ours(program, domain, tools, f, over_http)) for facts in FACTS}
    members |= {peer.name: (lambda p=peer: clients.Peer(p, tools, over_http)) for peer in peers}
    for name, make in members.items():
        try:
            yield name, make()
        except clients.Wrong as why:
            if name.startswith("ours"):
                raise
            print(f"{name}: {why}", file=sys.stderr)


def in_turns(members, options):
    """{name: [{what: us}]}: who comes first is another in each round; the rounds before the first only warm."""
    kept = {name: [] for name in members}
    names = list(members)
    for client in members.values():
        one_round(client, WARM, 0)
    for number in range(options.rounds):
        for name in names[number % len(names):] + names[:number % len(names)]:
            kept[name].append(one_round(members[name], options.requests, number * options.requests))
    return kept


def row_of(tools, transport, kept):
    row = {"tools": tools, "transport": transport, "servers": {}}
    for name, rounds in kept.items():
        row["servers"][name] = {what: {"median": statistics.median(r[what] for r in rounds), "least": min(r[what] for r in rounds),
                                       "most": max(r[what] for r in rounds)} for what in ("both", "call")}
        if name.startswith("ours"):
            continue
        for facts in FACTS:
            mine = kept[f"ours, {facts} facts"]
            for what in ("both", "call"):
                row["servers"][name][what][f"to ours, {facts} facts"] = statistics.median(a[what] / b["both"] for a, b in zip(rounds, mine))
        row["servers"][name]["call"]["to invoke"] = statistics.median(
            a["call"] / b["call"] for a, b in zip(rounds, kept[f"ours, {FACTS[0]} facts"]))
    return row


def measured(peers, options):
    program = options.build / "bin/manglecp"
    for tools in TOOLS:
        with tempfile.TemporaryDirectory() as folder:
            many_tools.make_domain(folder, tools, runs=True)
            for transport in ("HTTP", "stdio"):
                members = {}
                try:
                    for name, client in started(peers, program, folder, tools, transport == "HTTP"):
                        members[name] = client
                    yield row_of(tools, transport, in_turns(members, options))
                finally:
                    for client in members.values():
                        client.link.end()


def parsed(argv):
    parser = argparse.ArgumentParser(description="The server beside servers on the SDKs of MCP.")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("BUILD_DIR") or ROOT / "build").resolve())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100, help="in a block, of which each round has two for each server (100)")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    parser.add_argument("--write", action="store_true", help="write bench/servers/results.json and the table of docs/performance.md")
    return parser.parse_args(argv)


def main(argv=None):
    options = parsed(argv)
    every = [] if options.no_peers else list(sdk_peers.every())
    results = {"machine": machine.machine(), "commit": machine.commit(ROOT), "rounds": options.rounds, "requests": options.requests,
               "load_before": os.getloadavg()[0], "peers": {p.name: {"version": p.version, "missing": p.missing} for p in every}}
    results["rows"] = list(measured([p for p in every if not p.missing], options))
    results["load_after"] = os.getloadavg()[0]
    print(server_tables.text(results, FACTS))
    if options.write:
        server_tables.write(results, FACTS, ROOT)


if __name__ == "__main__":
    main()
