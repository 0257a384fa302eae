"""The colours: contrast by WCAG, and distance for readers who do not see all colours."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from heldout.charts import theme

# Machado, Oliveira and Fernandes (2009), severity 1.
SEEN_BY = {
    "all": [1, 0, 0, 0, 1, 0, 0, 0, 1],
    "no red": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    "no green": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    "no blue": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
SRGB_TO_XYZ = [
    0.4124564,
    0.3575761,
    0.1804375,
    0.2126729,
    0.7151522,
    0.072175,
    0.0193339,
    0.119192,
    0.9503041,
]
MODES = ("light", "dark")


def linear(colour: str) -> np.ndarray:
    """A hex colour as linear light."""
    channels = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2."""
    lights = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in (first, second))
    return lights[1] / lights[0]


def lab(light: np.ndarray) -> np.ndarray:
    """Linear light as CIE L*a*b*, white at D65."""
    ratios = np.reshape(SRGB_TO_XYZ, (3, 3)) @ np.clip(light, 0, 1) / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(ratios > 216 / 24389, np.cbrt(ratios), (24389 / 27 * ratios + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ground", [theme.PAPER, theme.CARD])
def test_text_stands_out_from_what_is_behind_it(mode, ground):
    """Both text colours have the contrast of 4.5 that WCAG AA asks for."""
    for ink in (theme.INK, theme.MUTED):
        assert contrast(getattr(ink, mode), getattr(ground, mode)) >= 4.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ground", [theme.PAPER, theme.CARD])
def test_class_colours_stand_out_from_what_is_behind_them(mode, ground):
    """Every class colour has the contrast of 3 that WCAG asks of graphics."""
    for colour in (*theme.CLASS_COLOURS, theme.OTHER_COLOUR):
        assert contrast(getattr(colour, mode), getattr(ground, mode)) >= 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("matrix", SEEN_BY.values(), ids=SEEN_BY)
def test_class_colours_can_be_told_apart(mode, matrix):
    """Any two class colours keep a distance, the first two a large one, for every kind of sight."""
    sight = np.reshape(matrix, (3, 3))
    seen = [lab(sight @ linear(getattr(colour, mode))) for colour in theme.CLASS_COLOURS]
    pairs = itertools.combinations(range(8), 2)
    distances = {(a, b): float(np.linalg.norm(seen[a] - seen[b])) for a, b in pairs}
    assert min(distances.values()) >= 20
    assert distances[0, 1] >= 90


@pytest.mark.parametrize("mode", MODES)
def test_shades_grow_lighter(mode):
    """A higher shade is lighter, so that they keep their order in grey."""
    lightness = [float(lab(linear(getattr(shade, mode)))[0]) for shade in theme.SHADES]
    assert lightness == sorted(lightness)
    assert min(np.diff(lightness)) >= 4


def test_the_sheet_has_light_and_dark():
    """Dark is set for readers who prefer it, and a notebook's own theme overrules them."""
    sheet = theme.style_sheet("picture", '<rect class="f-ink"/>')
    assert f"@media screen and (prefers-color-scheme:dark){{#picture{{--ink:{theme.INK.dark}}}}}" in sheet
    assert '[data-jp-theme-light="true"] #picture' in sheet
    assert sheet.index("prefers-color-scheme") < sheet.index("data-jp-theme-light")


def test_the_sheet_names_only_what_the_picture_has():
    """Every rule is below the picture's id, and colours that do not occur are left out."""
    sheet = theme.style_sheet("picture", '<rect class="f-ink"/>')
    assert "--card" not in sheet
    assert all("#picture" in line for line in sheet.splitlines())
