// The package as registries and bundlers see it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function reachable(entry, seen = new Map()) {
  if (seen.has(entry)) return seen;
  const text = readFileSync(entry, "utf8");
  const names = [
    ...text.matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|import\("([^"]+)"\)/gms),
  ].map((m) => m[1] ?? m[2] ?? m[3]);
  seen.set(entry, names);
  for (const name of names) if (name.startsWith(".")) reachable(resolve(dirname(entry), name), seen);
  return seen;
}

test("nothing of Node is reachable from the browsers' entry, and only Node from Node's", () => {
  const browser = [...reachable(join(root, "dist/index.js")).values()].flat();
  assert.ok(browser.length > 20);
  assert.deepEqual(
    browser.filter((name) => !name.startsWith(".")),
    [],
  );
  for (const file of reachable(join(root, "dist/index.js")).keys())
    assert.doesNotMatch(readFileSync(file, "utf8"), /\b(require|process|Buffer)\b[.(]/, file);
  const node = [...reachable(join(root, "dist/node.js")).values()].flat().filter((name) => !name.startsWith("."));
  assert.deepEqual([...new Set(node)].sort(), ["node:child_process", "node:fs", "node:http", "node:https", "node:tls"]);
});

test("there is no dependency, one tool to build with, and no address of a registry", () => {
  assert.equal(pkg.dependencies, undefined);
  assert.deepEqual(Object.keys(pkg.devDependencies), ["typescript"]);
  assert.match(pkg.devDependencies.typescript, /^\d+\.\d+\.\d+$/);
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  assert.doesNotMatch(lock, /"resolved"|https?:/);
  assert.equal(JSON.parse(lock).packages["node_modules/typescript"].version, pkg.devDependencies.typescript);
});

test(
  "what is published is what is built, its README and its licence, and nothing else",
  { skip: spawnSync("npm", ["--version"]).status === 0 ? false : "npm is not installed" },
  () => {
    const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
    const [pack] = JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    const files = pack.files.map((f) => f.path);
    for (const path of ["package.json", "README.md", "dist/node.js", "dist/node.d.ts", "dist/index.js", "dist/index.d.ts", "actions.mjs", "actions.d.mts"])
      assert.ok(files.includes(path), `${path} is not published`);
    assert.deepEqual(
      files.filter((f) => !/^(dist\/.+\.(js|d\.ts)|actions\.(mjs|d\.mts)|README\.md|LICENSE|package\.json)$/.test(f)),
      [],
    );
    assert.match(pkg.scripts.prepack, /cp \.\.\/\.\.\/LICENSE LICENSE/); // npm takes it in by its name
  },
);

test("every entry of the package exists, and sources that decide do no I/O", () => {
  const paths = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(paths));
  for (const path of [...paths(pkg.exports), pkg.main, pkg.types, pkg.browser])
    assert.ok(existsSync(join(root, path)), path);
  for (const file of readdirSync(join(root, "src/core"))) {
    const text = readFileSync(join(root, "src/core", file), "utf8");
    assert.doesNotMatch(text, /from "\.\.\/(links|client|connect)|\bfetch\(|new WebSocket|"node:|Date\.now/, file);
    assert.ok(text.split("\n").length < 600, file);
  }
});

test(
  "what uses the package compiles, in Node and for bundlers",
  { skip: existsSync(join(root, "node_modules/typescript")) ? false : "the compiler is not here" },
  () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    for (const [module, resolution] of [
      ["NodeNext", "NodeNext"],
      ["ESNext", "Bundler"],
    ]) {
      const words = [
        tsc,
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--target",
        "ES2022",
        "--lib",
        "ES2022,DOM",
        "--module",
        module,
        "--moduleResolution",
        resolution,
      ];
      if (resolution === "Bundler") words.push("--customConditions", "node");
      execFileSync(process.execPath, [...words, join(root, "test/consumer.ts")], {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit"],
      });
    }
  },
);
