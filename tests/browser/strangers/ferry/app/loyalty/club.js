import { Session } from "./session.js";
import { put } from "/lib/dom.js";

const session = await new Session().refresh();
const club = await fetch("/api/loyalty", { headers: session.headers() }).then((r) => (r.ok ? r.json() : null));
put("#points", String(club?.points ?? 0));
put("#level", `Level: ${club?.level ?? "Deckhand"}`);
