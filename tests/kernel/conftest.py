"""What the tests of the kernel share."""

import pytest

from prunus.kernel.code import linking


@pytest.fixture
def optimised(monkeypatch, tmp_path):
    """The modules that LLVM has optimised since, as text; nothing is found on disk."""
    made = []

    def remembered(module, level):
        code = translated(module, level)
        made.append(str(module))
        return code

    translated = linking._translated
    monkeypatch.setattr(linking, "_translated", remembered)
    monkeypatch.setenv("PRUNUS_CACHE_DIR", str(tmp_path / "cache"))
    return made
