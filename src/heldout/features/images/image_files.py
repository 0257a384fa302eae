"""Image files, read by Pillow: turned upright, on white where they are transparent, broken ones counted.

Numbers are 0 to 255. Gray files (modes 1, L, LA and 16 bits) are rows × columns, all others, of palettes
too, rows × columns × red, green and blue. 16 bits are brought to 0 to 255 by 1/257; gray of 32 bits stays as
it is. Of an animation or a file of pages the first picture is taken.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heldout.errors import DataError, RequestError
from heldout.features.images.images import Image, Images
from heldout.text.words import first_few, plural, shorten

_GRAY = ("1", "L", "LA", "La")
_WITH_ALPHA = ("LA", "La", "PA", "RGBA", "RGBa")


@dataclass(frozen=True, eq=False)
class FileImages(Images):
    """Images in files; each is read when its turn comes.

    names:  one per row, None for missing
    folder: where relative names are looked for; None is the current folder
    column: the name of the column
    """

    names: tuple[str | None, ...]
    folder: str | Path | None
    column: str

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Image]:
        """The images in order. A file that cannot be read is passed over, and refused after the last."""
        refuse_without_pillow(self.called(0))
        failures: list[tuple[int, str]] = []
        for index, name in enumerate(self.names):
            try:
                image = read_image(self._path(name))
            except _UnreadableError as failure:
                failures.append((index, str(failure)))
            else:
                if not failures:
                    yield image
        if failures:
            raise self._refusal(failures)

    def called(self, position: int) -> str:
        name = self.names[position]
        return f"row {position + 1:,}, {'no file name' if name is None else repr(shorten(name, 60))}"

    def _path(self, name: str | None) -> Path:
        if name is None or not name.strip():
            raise _UnreadableError("there is no file name")
        return Path(name) if self.folder is None else Path(self.folder) / name

    def _refusal(self, failures: list[tuple[int, str]]) -> DataError:
        index, reason = failures[0]
        rows = first_few([row + 1 for row, _ in failures], 10)
        others = f"; rows {rows}" if len(failures) > 1 else ""
        return DataError(
            f"{plural(len(failures), 'image file')} of {len(self):,} cannot be read: {reason}",
            where=f"column '{self.column}', first in {self.called(index)}{others}",
            fix=f"mend the files, leave those rows out, or say with folder=… where they are (now:"
            f" {'the current folder' if self.folder is None else repr(str(self.folder))})",
        )


class _UnreadableError(Exception):
    """Why a file gave no image."""


def refuse_without_pillow(where: str) -> None:
    """Raise the error that says how to install Pillow, if it is not there."""
    try:
        import PIL.Image  # noqa: F401  takes 0.05 s
    except ImportError as error:
        raise RequestError(
            "image files are read by Pillow, which is not installed",
            where=where,
            fix="pip install 'heldout[images]'",
        ) from error


def read_image(path: str | Path) -> Image:
    """The pixels of one file; raises `_UnreadableError` with the reason if there are none."""
    import PIL.Image
    import PIL.ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks on metadata, which no pixel depends on
            warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)
            with PIL.Image.open(path) as opened:
                pixels = _pixels(PIL.ImageOps.exif_transpose(opened), str(opened.format))
    except FileNotFoundError:
        raise _UnreadableError("there is no such file") from None
    except (PIL.Image.DecompressionBombError, PIL.Image.DecompressionBombWarning) as error:
        raise _UnreadableError(f"it is too large to be unpacked safely ({error})") from error
    except Exception as error:  # a broken file may raise anything inside a decoder
        raise _UnreadableError(f"{type(error).__name__}: {shorten(str(error), 120)}") from error
    if pixels.size == 0 or not np.isfinite(pixels).all():
        raise _UnreadableError("it has no pixels, or such as are no finite numbers")
    return pixels


def _pixels(image: Any, file_format: str) -> Image:
    import PIL.Image

    mode = image.mode
    if mode.startswith("I;16") or (mode == "I" and file_format == "PNG"):
        return np.asarray(np.asarray(image, dtype=np.float64) / 257.0)
    if mode in ("I", "F"):
        return np.asarray(image, dtype=np.float64)
    if mode in _WITH_ALPHA or "transparency" in image.info:
        upper = (image.convert("LA") if mode == "La" else image).convert("RGBA")
        image = PIL.Image.alpha_composite(PIL.Image.new("RGBA", upper.size, "white"), upper)
    return np.asarray(image.convert("L" if mode in _GRAY else "RGB"))
