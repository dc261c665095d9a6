// All that is said of HTTP holds where Node's fetch is not used, because it takes no certificates.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { rootCertificates } from "node:tls";

const folder = mkdtempSync(join(tmpdir(), "manglecp-ca-"));
process.env.MANGLECP_TEST_CA = join(folder, "ca.pem");
writeFileSync(process.env.MANGLECP_TEST_CA, rootCertificates[0]);
after(() => rmSync(folder, { recursive: true, force: true }));
await import("./http.test.mjs");
