"""Images as shapes: the numbers of a contour and of the area inside, without any color."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.arrays import Mask
from heldout.charts.axes import MARGIN, framed
from heldout.charts.svg import SvgWriter, at, short_number
from heldout.charts.theme import CARD, LINE, MUTED, class_colour, fill, stroke
from heldout.errors import DataError
from heldout.features.images.image_arrays import gray_levels, one_image
from heldout.features.images.image_files import refuse_without_pillow
from heldout.features.images.image_transformer import ImageTransformer
from heldout.features.images.images import ArrayImages, Images, shape_words
from heldout.features.images.shape_measures import MEASURES, shape_measures
from heldout.features.images.shapes import convex_hull, foreground_mask, largest_shape, outer_contour
from heldout.features.transformer_outputs import WIDTH
from heldout.learners.parameters import Parameter, check_parameters
from heldout.text.words import plural


class ShapeFeatures(ImageTransformer):
    """Images as 24 numbers that describe the largest shape in each.

    Pixels on one side of a threshold are the foreground. Its largest part is the shape, where pixels are
    connected that touch by an edge or a corner; of equally large ones it is the first, row by row. The
    contour is the polygon through the middles of the edges around it, the bounding polygon is the convex hull
    of the contour. Images may differ in size if they come as files or as a list of arrays.

    Parameters
    ----------
    threshold
        "otsu" (of each image the threshold whose two sides differ most), or a number: pixels above it are
        light
    foreground
        "light", "dark", or "auto": the side with fewer pixels on the border of the image, of equal ones
        that with fewer pixels, of equal ones the light one
    column
        of a table, the name of the column of file names; None for its only column of words
    folder
        where relative file names are looked for; None for the current folder

    Notes
    -----
    .. list-table::
       :header-rows: 1

       * - feature
         -
       * - area share
         - pixels of the shape, by all pixels of the image
       * - perimeter, hull area, hull perimeter
         - of the outer contour and its hull, in pixels
       * - convexity, solidity
         - hull perimeter / perimeter; (area - ½) / hull area. Both are 1 if it is convex
       * - box height, box width, aspect
         - of the smallest box around the shape, in pixels; width / height
       * - extent
         - area / area of the box
       * - circularity
         - 4π (area - ½) / perimeter², at most 1; the contour cuts half a pixel off
       * - center row, center column
         - of the center of mass, by the height and width of the image
       * - orientation
         - of the long axis: degrees from -90 to 90, counterclockwise; 0 if none is longest
       * - eccentricity
         - of the ellipse with the same second moments, from 0 (circle) to 1 (line)
       * - Hu moment 1 … 7
         - invariant to place, angle and size, as `± log10(1 + 10¹² |moment|)`
       * - components
         - how many parts the foreground has
       * - holes
         - of the shape

    Without a foreground area share and components are 0, and the others missing (NaN): an image of one
    color has none.

    Nothing is learned. After fit: `image_shape_` (None if the images may differ in size), `n_rows_`.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.zeros((1, 8, 8))
    >>> image[0, 2:5, 1:7] = 1
    >>> shapes = ShapeFeatures().fit(image)
    >>> measured = dict(zip(shapes.get_feature_names_out(), shapes.transform(image)[0].tolist()))
    >>> measured["area share"], measured["aspect"], measured["solidity"], measured["holes"]
    (0.28125, 2.0, 1.0, 0.0)
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("threshold", choices=("otsu",), number="number"),
        Parameter("foreground", choices=("auto", "light", "dark")),
    )

    def __init__(
        self,
        *,
        threshold: str | float = "otsu",
        foreground: str = "auto",
        column: str | None = None,
        folder: str | Path | None = None,
    ) -> None:
        self.threshold = threshold
        self.foreground = foreground
        self.column = column
        self.folder = folder

    def to_text(self) -> str:
        """What is measured, and how the foreground is found."""
        self._check_is_fitted()
        shape = "any size" if self.image_shape_ is None else shape_words(self.image_shape_)
        light = "above Otsu's threshold" if self.threshold == "otsu" else f"above {self.threshold:g}"
        side = {
            "auto": f"the pixels {light}, or the others, whichever touch the border less",
            "light": f"the pixels {light}",
            "dark": f"the pixels that are not {light}",
        }[self.foreground]
        first = f"{len(MEASURES)} measures of the largest shape in images of {shape}"
        names = textwrap.wrap(", ".join(self._feature_names()), WIDTH)
        return "\n".join([first, f"foreground: {side}", *names])

    def contour(self, image: ArrayLike) -> NDArray[np.float64]:
        """The outer contour of one image's shape: points × (row, column), clockwise.

        The upper left corner of the image is (0, 0), the middle of its first pixel (0.5, 0.5). Without a
        foreground there are no points.

        Parameters
        ----------
        image
            rows × columns, or rows × columns × 3
        """
        return self._outlines(self._foreground_of(image))[0]

    def polygon(self, image: ArrayLike) -> NDArray[np.float64]:
        """The bounding polygon of one image's shape, the convex hull of its contour, in the same form.

        Parameters
        ----------
        image
            rows × columns, or rows × columns × 3
        """
        return self._outlines(self._foreground_of(image))[1]

    def to_svg(self, image: ArrayLike) -> str:
        """One image's shape as a picture: the foreground filled, contour and bounding polygon as lines.

        Parameters
        ----------
        image
            rows × columns, or rows × columns × 3
        """
        foreground = self._foreground_of(image)
        return shape_svg(foreground, *self._outlines(foreground))

    def _learn(self, images: Images) -> None:
        is_stack = isinstance(images, ArrayImages) and isinstance(images.arrays, np.ndarray)
        self.image_shape_ = images.arrays.shape[1:] if is_stack else None  # type: ignore[attr-defined]
        if isinstance(images, ArrayImages):
            gray_levels(images.arrays[0], images.called(0))  # refuses channels that make no gray
        else:
            refuse_without_pillow(images.called(0))

    def _features(self, images: Images) -> NDArray[np.float64]:
        rows = np.empty((len(images), len(MEASURES)))
        for index, image in enumerate(images):
            self._refuse_shape(images, index, image.shape)
            rows[index] = shape_measures(self._foreground(gray_levels(image, images.called(index))))
        return rows

    def _feature_names(self) -> list[str]:
        return list(MEASURES)

    def _refuse_shape(self, images: Images, index: int, shape: tuple[int, ...]) -> None:
        if self.image_shape_ not in (None, shape):
            assert self.image_shape_ is not None
            raise DataError(
                f"images of {shape_words(shape)} came, and of {shape_words(self.image_shape_)} at fit",
                where=f"{plural(len(images), 'image')}, first {images.called(index)}",
                fix="hand over images of one size, or fit on a list of arrays, which may differ",
            )

    def _foreground(self, levels: NDArray[np.float64]) -> Mask:
        return foreground_mask(levels, self.threshold, self.foreground)

    def _foreground_of(self, image: ArrayLike) -> Mask:
        check_parameters(self, self._parameters)
        return self._foreground(gray_levels(one_image(image, type(self).__name__), "the image"))

    def _outlines(self, foreground: Mask) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Contour and hull, in the coordinates of the image."""
        shape = largest_shape(foreground)
        if shape is None:
            return np.empty((0, 2)), np.empty((0, 2))
        doubled = outer_contour(shape.mask).doubled
        corner = np.array([shape.row, shape.column])
        return doubled / 2 + corner, np.array(convex_hull(doubled)) / 2 + corner


_LONGEST = 320.0


def shape_svg(foreground: Mask, contour: NDArray[np.float64], polygon: NDArray[np.float64]) -> str:
    """The pixels of the foreground filled, with their holes and smaller parts; contour and polygon as lines.

    contour, polygon: points × (row, column), in pixels; none if there is no foreground
    """
    scale = _LONGEST / max(foreground.shape)
    height, width = (scale * edge for edge in foreground.shape)
    writer = SvgWriter()
    frame = {"x": MARGIN, "y": MARGIN, "width": width, "height": height}
    writer.leaf("rect", **frame, **fill(CARD))
    description = "There is no foreground."
    if len(contour):
        writer.leaf("path", d=_pixels(foreground, scale), **fill(LINE))
        writer.leaf("path", d=_outline(contour, scale), stroke_width=2, **stroke(class_colour(0)))
        writer.leaf(
            "path",
            d=_outline(polygon, scale),
            stroke_width=2,
            stroke_dasharray="6 4",
            **stroke(class_colour(1)),
        )
        description = f"A contour of {len(contour)} points inside a polygon of {len(polygon)} corners."
    else:
        middle = {"x": MARGIN + width / 2, "y": MARGIN + height / 2, "text_anchor": "middle"}
        writer.leaf("text", "no foreground", font_size=13, **middle, **fill(MUTED))
    writer.leaf("rect", **frame, **stroke(LINE))
    return framed(writer.text, width + 2 * MARGIN, height + 2 * MARGIN, "The shape of an image", description)


def _pixels(foreground: Mask, scale: float) -> str:
    """A box for every run of pixels in a row."""
    edges = np.diff(np.pad(foreground.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    _, ends = np.nonzero(edges == -1)
    high = short_number(scale)
    return "".join(
        f"M{_point(row, start, scale)}h{short_number(scale * (end - start))}v{high}H"
        f"{short_number(MARGIN + scale * start)}Z"
        for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
    )


def _outline(points: NDArray[np.float64], scale: float) -> str:
    return f"M{'L'.join(_point(row, column, scale) for row, column in points.tolist())}Z"


def _point(row: float, column: float, scale: float) -> str:
    return at(MARGIN + scale * column, MARGIN + scale * row)
