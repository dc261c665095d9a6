"""Retrieval over the same tools, as others do it: BM25, TF-IDF, an embedding, and all of them fused by reciprocal rank."""
import collections
import json
import math
import re
import subprocess

K1, B, RRF = 1.2, 0.75, 60


def words(text):
    """Lower-case words; camelCase and snake_case are split, plurals and the commonest endings cut."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return [stem(word) for word in re.findall(r"[^\W_]+", text.lower())]


def stem(word):
    for end, put in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(end) and len(word) - len(end) >= 3 and not word.endswith("ss"):
            return word[:-len(end)] + put
    return word


def question(step):
    """What is searched for: what was said, what is intended, and what holds."""
    facts = " ".join(fact["p"] + " " + " ".join(str(a) for a in fact["a"]) for fact in step["facts"])
    return f"{step['request']} {step['intent']} {facts}"


def document(name, tool):
    """What is searched of a tool: its name, description, arguments and what is said of them."""
    parts = [name.replace("/", " "), tool.get("description") or ""]
    for argument, schema in (tool.get("inputSchema") or {}).get("properties", {}).items():
        parts += [argument, str(schema.get("description", "")) if isinstance(schema, dict) else ""]
    return " ".join(parts)


class Lexical:
    def __init__(self, texts):
        self.names = list(texts)
        self.counts = {name: collections.Counter(words(text)) for name, text in texts.items()}
        self.lengths = {name: sum(counts.values()) for name, counts in self.counts.items()}
        self.mean = sum(self.lengths.values()) / max(1, len(self.lengths))
        self.holding = collections.Counter(word for counts in self.counts.values() for word in counts)

    def idf(self, word):
        n = self.holding[word]
        return math.log(1 + (len(self.names) - n + 0.5) / (n + 0.5))


class Bm25(Lexical):
    def rank(self, text):
        asked = set(words(text))

        def score(name):
            counts, total = self.counts[name], 0.0
            for word in asked & counts.keys():
                tf = counts[word]
                total += self.idf(word) * tf * (K1 + 1) / (tf + K1 * (1 - B + B * self.lengths[name] / self.mean))
            return total
        return by_score({name: score(name) for name in self.names})


class TfIdf(Lexical):
    def vector(self, counts):
        vector = {word: (1 + math.log(tf)) * self.idf(word) for word, tf in counts.items() if self.holding[word]}
        norm = math.sqrt(sum(x * x for x in vector.values())) or 1.0
        return {word: x / norm for word, x in vector.items()}

    def __init__(self, texts):
        super().__init__(texts)
        self.vectors = {name: self.vector(counts) for name, counts in self.counts.items()}

    def rank(self, text):
        asked = self.vector(collections.Counter(words(text)))
        return by_score({name: sum(x * vector.get(word, 0.0) for word, x in asked.items())
                         for name, vector in self.vectors.items()})


class Embedding:
    """all-MiniLM-L6-v2 in a process of its own (embed.py, which needs packages); cosine."""

    def __init__(self, texts, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.vectors = {name: self.embed(text[:1000]) for name, text in texts.items()}

    def embed(self, text):
        self.child.stdin.write(json.dumps(text) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def rank(self, text):
        asked = self.embed(text)
        return by_score({name: sum(a * b for a, b in zip(asked, vector)) for name, vector in self.vectors.items()})

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def by_score(scores):
    """Names, best first; of equal score in the order of the alphabet."""
    return sorted(scores, key=lambda name: (-scores[name], name))


def fuse(rankings):
    """By reciprocal rank."""
    scores = collections.Counter()
    for ranking in rankings:
        for place, name in enumerate(ranking, 1):
            scores[name] += 1 / (RRF + place)
    return by_score(scores)
