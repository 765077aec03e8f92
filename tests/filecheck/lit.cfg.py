# Settings for the text tests: lit runs the RUN lines of each file, and FileCheck reads its CHECK
# lines. `fxcpp` and `FileCheck` are the built command and LLVM's tool. `# REQUIRES: torch` marks
# tests that require a build with libtorch, and `# REQUIRES: corpus` tests that read the model corpus
# (%corpus).
import os

import lit.formats
import lit.llvm  # noqa: F401  (present in every lit; fails early if lit is too old)

config.name = "fxcpp"  # noqa: F821  (lit defines config and lit_config)
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".fx", ".test"]  # noqa: F821
config.excludes = ["inputs"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = lit_config.params["scratch"]  # noqa: F821

config.substitutions.append((r"\bfxcpp\b(?=\s)", lit_config.params["fxcpp"]))  # noqa: F821
config.substitutions.append((r"\bFileCheck\b", lit_config.params["filecheck"]))  # noqa: F821
config.substitutions.append(("%plugins", lit_config.params["plugins"]))  # noqa: F821
if lit_config.params["torch"] == "1":  # noqa: F821
    config.available_features.add("torch")  # noqa: F821
corpus = os.environ.get("FXCPP_CORPUS", "")
if os.path.isdir(corpus):
    config.available_features.add("corpus")  # noqa: F821
    config.substitutions.append(("%corpus", os.path.abspath(corpus)))  # noqa: F821
config.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "")  # noqa: F821
