"""Tokens of o200k, counted by the tokenizer itself (npm gpt-tokenizer), each text once."""
import json
import pathlib
import subprocess


class Counter:
    def __init__(self, folder):
        script = pathlib.Path(__file__).resolve().parent / "count.cjs"
        self.child = subprocess.Popen(["node", str(script), str(folder)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        self.known = {}

    def __call__(self, text):
        if text not in self.known:
            self.child.stdin.write(json.dumps(text) + "\n")
            self.child.stdin.flush()
            answer = self.child.stdout.readline()
            if not answer:
                raise RuntimeError("the tokenizer has ended")
            self.known[text] = int(answer)
        return self.known[text]

    def close(self):
        self.child.stdin.close()
        self.child.wait()
