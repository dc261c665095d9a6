// Tokens of o200k: reads a JSON string a line, answers with how many tokens it has. count.cjs FOLDER (of node_modules)
const { encode } = require(require.resolve('gpt-tokenizer/encoding/o200k_base', { paths: [process.argv[2]] }));
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => console.log(encode(JSON.parse(line), { allowedSpecial: 'all' }).length));
