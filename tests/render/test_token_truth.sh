# The true tokens of tests/render/texts/counts.txt are those of the tokenizer, and every piece counts as
# it says: needs node and the package gpt-tokenizer (npm), in NODE_PATH or in the folder
# TOKENIZER_FOLDER (its node_modules).
set -u
cat >"${TMPDIR:-/tmp}/token_truth.$$.cjs" <<'END'
const fs = require('fs');
const places = [process.env.TOKENIZER_FOLDER, ...(process.env.NODE_PATH || '').split(':')].filter(Boolean);
let encode;
try {
    encode = require(require.resolve('gpt-tokenizer/encoding/o200k_base', { paths: places })).encode;
} catch (e) {
    console.log('1..0 # SKIP the npm package gpt-tokenizer is not there');
    process.exit(0);
}
let number = 0;
for (const line of fs.readFileSync('tests/render/texts/counts.txt', 'utf8').split('\n')) {
    if (line === '' || line[0] === '#') continue;
    const [name, count] = line.split(' ');
    const text = fs.readFileSync(`tests/render/texts/${name}`, 'utf8');
    const truth = encode(text, { allowedSpecial: 'all' }).length;
    number++;
    console.log(`${truth === +count ? 'ok' : 'not ok'} ${number} - ${name} has ${truth} tokens`);
}
console.log(`1..${number}`);
END
trap 'rm -f "${TMPDIR:-/tmp}/token_truth.$$.cjs"' EXIT
if ! command -v node >/dev/null; then
    echo "1..0 # SKIP node is not there"
    exit 0
fi
node "${TMPDIR:-/tmp}/token_truth.$$.cjs"
