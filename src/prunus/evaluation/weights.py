"""Files of weights: a `.npy` file of integers, and beside it a JSON manifest with its checksum and
provenance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.errors import PrunusError
from prunus.core.game import WEIGHT_UNIT

FORMAT: Final = "prunus weights 1"


class WeightsError(PrunusError, ValueError):
    """Raised for a file of weights that is missing, damaged, or made for other features; the
    message is one line."""


def save_weights(
    path: Path | str, weights: np.ndarray, provenance: Mapping[str, object]
) -> tuple[Path, Path]:
    """Save weights (stages x features, in values) with their provenance: the manifest as `path`
    with `.json`, the array with `.npy`. Returns both paths. Weights are rounded to multiples of 1 /
    `WEIGHT_UNIT`, and stored in 16 bits if they fit, otherwise in 32."""
    manifest = Path(path).with_suffix(".json")
    whole = np.rint(np.asarray(weights) * WEIGHT_UNIT)
    kind = np.int16 if np.abs(whole).max(initial=0) < 1 << 15 else np.int32
    limits = np.iinfo(kind)
    array = manifest.with_suffix(".npy")
    np.save(array, np.clip(whole, limits.min, limits.max).astype(kind), allow_pickle=False)
    stages, features = whole.shape
    described = {
        "format": FORMAT,
        "array": array.name,
        "sha256": _checksum(array),
        "unit": WEIGHT_UNIT,
        "stages": stages,
        "features": features,
    }
    manifest.write_text(json.dumps({**described, **provenance}, indent=1) + "\n", encoding="utf-8")
    return manifest, array


def load_weights(path: Path | str, features: int, stages: int = 1) -> View:
    """The weights of a manifest, stage by stage, for a game with this many features and stages;
    zeros if the path is empty, so that a game can be searched before anything is fitted. Raises
    WeightsError."""
    if not str(path):
        return View(np.zeros(stages * features, np.int16))
    manifest = Path(path)
    try:
        said = json.loads(manifest.read_text(encoding="utf-8"))
        array = manifest.with_name(said["array"])
        if said["format"] != FORMAT or said["sha256"] != _checksum(array):
            raise WeightsError(
                f"{array}: this is not the file that {manifest.name} describes (its checksum "
                f"differs)"
            )
        weights: np.ndarray = np.load(array, allow_pickle=False)
    except OSError as error:
        raise WeightsError(f"{error.filename}: {error.strerror}") from None
    except (KeyError, TypeError, json.JSONDecodeError, UnicodeDecodeError):
        raise WeightsError(
            f"{manifest}: this is not a manifest of weights, which `prunus fit evaluation GAME "
            f"--out FILE.json` writes"
        ) from None
    if weights.shape != (stages, features):
        found = " x ".join(map(str, weights.shape))
        raise WeightsError(
            f"{manifest}: weights of {found} stages and features, but the game has {stages} x "
            f"{features}"
        )
    return View(weights.reshape(-1))


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
