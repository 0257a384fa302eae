"""The pictures of confusion matrices and of reliability."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from heldout.charts.confusion_picture import (
    MOST_LABELS,
    OTHERS,
    PictureMatrix,
    confusion_svg,
    frequent_labels,
)
from heldout.charts.reliability_picture import PictureBin, reliability_svg
from heldout.metrics.confusion import confusion


def titles(svg: str) -> list[str]:
    """What the parts of the picture say."""
    root = ElementTree.fromstring(svg)
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}title")]


def test_every_cell_says_what_it_is():
    """Counts and shares by row stand in the titles, and the diagonal is framed."""
    svg = confusion(["a", "a", "b"], ["a", "b", "b"]).to_svg()
    assert "of 2 that are a, 1 were said to be b (50.0%)" in titles(svg)
    assert "of 1 that are b, 1 were said to be b (100.0%)" in titles(svg)
    assert ">100%<" in svg
    assert svg.count('stroke-width="2"') == 2


def test_labels_are_escaped():
    """A label may hold anything."""
    svg = confusion(["<b>", "&"], ["<b>", "\x00"]).to_svg()
    assert "of 1 that are <b>, 1 were said to be <b> (100.0%)" in titles(svg)


def test_a_label_without_rows_has_no_shares():
    """Rows of zeros are drawn without a division."""
    svg = confusion([0, 0], [0, 1]).to_svg()
    assert "of 0 that are 1, 0 were said to be 1" in titles(svg)


def test_weights_are_shown():
    """Weighted counts are drawn as numbers with digits."""
    svg = confusion([0, 1], [0, 1], weights=[0.25, 1.5]).to_svg()
    assert ">0.25<" in svg
    assert ">1.5<" in svg


def test_many_labels_are_taken_together():
    """The rarest labels become one, and no row is lost."""
    counts = np.diag(np.arange(1, 51)) + 1
    labels, merged = frequent_labels(tuple(map(str, range(50))), counts)
    assert (len(labels), labels[-1]) == (MOST_LABELS, OTHERS)
    assert labels[:-1] == tuple(map(str, range(31, 50)))
    assert merged.sum() == counts.sum()
    picture = PictureMatrix("title", "caption", "description", tuple(map(str, range(50))), counts)
    ElementTree.fromstring(confusion_svg(picture))


def test_reliability_at_the_corners():
    """Points at 0 and 1 stay inside the plane."""
    bins = [PictureBin(0.0, 0.0, 0.0, 0.3, 4.0, "first"), PictureBin(1.0, 1.0, 0.7, 1.0, 2.0, "last")]
    svg = reliability_svg(bins, "title", "a caption", "description")
    assert {"first", "last"} <= set(titles(svg))
    assert "-" not in "".join(part.split('"')[0] for part in svg.split(' x="')[1:])


def test_labels_taken_together_are_not_framed_as_right():
    """The rare labels of one cell may be mixed up with each other, so only the others have the frame."""
    few, many = (confusion_svg(_matrix(n)) for n in (MOST_LABELS, MOST_LABELS + 40))
    assert few.count('stroke-width="2"') == MOST_LABELS
    assert many.count('stroke-width="2"') == MOST_LABELS - 1


def test_every_cell_has_a_number():
    """A count too long for its cell is written in thousands or millions, and in full in the title."""
    n = MOST_LABELS
    counts = np.full((n, n), 7)
    counts[0, :4] = 12_345, 1_234_567, 999_700, 123_456
    picture = confusion_svg(PictureMatrix("t", "c", "d", tuple(map(str, range(n))), counts))
    for shown in ("12k", "1.2M", "123k"):
        assert f">{shown}</text>" in picture
    assert picture.count(">7</text>") >= n * n - 4
    assert "1,234,567 were said" in picture


def _matrix(n_labels: int) -> PictureMatrix:
    counts = np.ones((n_labels, n_labels), dtype=np.int64)
    return PictureMatrix("t", "c", "d", tuple(map(str, range(n_labels))), counts)


def test_names_that_do_not_fit_are_turned():
    """Above narrow columns names stand upright and whole, so that what differs at their ends can be read."""
    labels = tuple(f"class {number:02d}" for number in range(15))
    root = ElementTree.fromstring(confusion_svg(PictureMatrix("m", "", "", labels, np.eye(15, dtype=int))))
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if "…" in text] == []
    assert all(sum(label in text for text in texts) == 2 for label in labels)
    turned = [each for each in root.iter() if "rotate(-90" in each.get("transform", "")]
    assert len(turned) == 15 + 1
