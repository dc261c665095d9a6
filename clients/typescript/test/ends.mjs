// A test that fails may leave a server or a child behind; that must not keep the others' results back.
import { after } from "node:test";

after(() => setTimeout(() => process.exit(), 3000).unref());
