"""Images in files: formats, sizes, colors, and everything that can be wrong with a file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from heldout import (
    DataError,
    InputTypeError,
    PatchFeatures,
    PixelFeatures,
    RequestError,
    ShapeFeatures,
    Table,
    TreeClassifier,
    read_table,
)
from heldout.features.images.image_files import read_image

RANDOM = np.random.default_rng(0)
GRAY = RANDOM.integers(0, 256, (5, 6, 4), dtype=np.uint8)
COLORED = RANDOM.integers(0, 256, (3, 6, 4, 3), dtype=np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the gray images g0.png … and the colored ones c0.png …"""
    for place, pixels in enumerate(GRAY):
        Image.fromarray(pixels).save(tmp_path / f"g{place}.png")
    for place, pixels in enumerate(COLORED):
        Image.fromarray(pixels).save(tmp_path / f"c{place}.png")
    return tmp_path


def table_of(names: list[str | None]) -> Table:
    """A table with a number, the file names and a further number."""
    n = len(names)
    columns = {"age": list(range(n)), "photo": names, "weight": [0.5] * n}
    return read_table(columns, kinds={"photo": "text", "age": "number", "weight": "number"})


def test_a_column_of_names_becomes_pixels_where_it_stood(folder: Path) -> None:
    """The features replace the names in place, as numbers, and the other columns stay."""
    names = [f"g{place}.png" for place in range(5)]
    pixels = PixelFeatures(folder=folder).fit(table_of(names))
    left = pixels.transform(table_of(names))
    assert isinstance(left, Table)
    assert left.names == tuple(pixels.get_feature_names_out())
    assert (left.names[0], left.names[1], left.names[-1]) == ("age", "row 1, column 1", "weight")
    assert set(left.kinds.values()) == {"number"}
    np.testing.assert_array_equal(np.asarray(left)[:, 1:-1], GRAY.reshape(5, 24))
    assert left["age"].values.tolist() == [0, 1, 2, 3, 4]


def test_files_give_what_arrays_give(folder: Path) -> None:
    """Pixels, patches and shapes of files are those of the same images in memory."""
    table = table_of([f"c{place}.png" for place in range(3)]).select(["photo"])
    for transformer in (PixelFeatures(), PatchFeatures(size=2, n=4), ShapeFeatures()):
        from_files = clone(transformer).set_params(folder=str(folder)).fit(table).transform(table)
        np.testing.assert_array_equal(np.asarray(from_files), transformer.fit(COLORED).transform(COLORED))


def test_absolute_names_need_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An absolute name is taken as it is, a relative one is looked for in the current folder."""
    absolute = read_table(
        {"file": [str(folder / "g0.png"), str(folder / "g1.png")]}, kinds={"file": "identifier"}
    )
    expected = GRAY[:2].reshape(2, 24)
    np.testing.assert_array_equal(np.asarray(PixelFeatures().fit_transform(absolute)), expected)
    monkeypatch.chdir(folder)
    relative = read_table({"file": ["g0.png", "g1.png"]}, kinds={"file": "category"})
    np.testing.assert_array_equal(np.asarray(PixelFeatures().fit_transform(relative)), expected)


def test_frames_come_and_frames_leave(folder: Path) -> None:
    """A pandas frame leaves as a Table, or as a frame with its index where set_output asks for one."""
    frame = pd.DataFrame({"photo": ["g0.png", "g2.png"], "age": [1.0, 2.0]}, index=[7, 9])
    shapes = ShapeFeatures(folder=folder).fit(frame)
    assert isinstance(shapes.transform(frame), Table)
    out = shapes.set_output(transform="pandas").transform(frame)
    assert out.columns.tolist() == shapes.get_feature_names_out().tolist()
    assert out.index.tolist() == [7, 9]
    assert out["age"].tolist() == [1.0, 2.0]


def test_one_row_is_transformed_as_the_table_is(folder: Path) -> None:
    """Whatever kind of words a small table is read as, a row is what it was in the whole."""
    names = [f"g{place}.png" for place in range(5)]
    pixels = PixelFeatures(folder=folder).fit(read_table({"photo": names}))
    whole = np.asarray(pixels.transform(read_table({"photo": names})))
    for place, name in enumerate(names):
        for kind in ("text", "identifier", "category"):
            row = pixels.transform(read_table({"photo": [name]}, kinds={"photo": kind}))
            np.testing.assert_array_equal(np.asarray(row)[0], whole[place])


def test_a_pipeline_learns_from_files(folder: Path) -> None:
    """File names go through the transformer into a tree, which answers for each row."""
    table = table_of([f"g{place}.png" for place in range(5)])
    pipeline = make_pipeline(ShapeFeatures(folder=folder), TreeClassifier(min_leaf=1))
    assert len(pipeline.fit(table, [0, 1, 0, 1, 0]).predict(table)) == 5


def test_gray_files_among_colored_ones_become_colored(folder: Path) -> None:
    """With one colored file all are red, green and blue; later gray files are too."""
    pixels = PixelFeatures(folder=folder).fit(read_table({"file": ["g0.png", "c0.png"]}))
    assert pixels.image_shape_ == (6, 4, 3)
    gray = np.asarray(pixels.transform(read_table({"file": ["g1.png", "g2.png"]})))
    np.testing.assert_array_equal(gray, np.repeat(GRAY[1:3].reshape(2, 24), 3, axis=1))


def test_colored_files_after_gray_ones_are_refused(folder: Path) -> None:
    """A fit on gray files knows no colors: the error says how to get along."""
    pixels = PixelFeatures(folder=folder).fit(read_table({"file": ["g0.png", "g1.png"]}))
    with pytest.raises(
        DataError, match="6 × 4 pixels in 3 channels came, and of 6 × 4 pixels at fit"
    ) as caught:
        pixels.transform(read_table({"file": ["g1.png", "c0.png"]}))
    assert "1 of 2 images" in caught.value.where
    assert "row 2, 'c0.png'" in caught.value.where
    assert "gray=True" in caught.value.fix


def test_files_of_different_sizes(tmp_path: Path) -> None:
    """Pixels want a size, and are refused with the file that differs; shapes take any."""
    for place, edge in enumerate((5, 5, 8)):
        pixels = np.zeros((edge, edge), dtype=np.uint8)
        pixels[2:4, 2:4] = 255
        Image.fromarray(pixels).save(tmp_path / f"{place}.png")
    table = read_table({"file": ["0.png", "1.png", "2.png"]}, kinds={"file": "text"})
    with pytest.raises(DataError, match="differ in shape: 5 × 5 pixels and 8 × 8 pixels") as caught:
        PixelFeatures(folder=tmp_path).fit(table)
    assert "1 of 3 images" in caught.value.where
    assert "row 3, '2.png'" in caught.value.where
    assert PixelFeatures(folder=tmp_path, size=4).fit_transform(table).shape == (3, 16)
    assert PatchFeatures(size=2, n=3, folder=tmp_path, image_size=(5, 5)).fit(table).image_shape_ == (5, 5)
    shares = ShapeFeatures(folder=tmp_path).fit_transform(table)["area share"].values
    assert shares.tolist() == [4 / 25, 4 / 25, 4 / 64]


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    """Alpha is laid on white, of colors, of gray and of palettes."""
    pixels = np.zeros((1, 3, 4), dtype=np.uint8)
    pixels[0, :, :3], pixels[0, :, 3] = (255, 0, 0), (255, 0, 51)
    image = Image.fromarray(pixels)
    expected = [[255, 0, 0], [255, 255, 255], [255, 204, 204]]
    image.save(tmp_path / "color.png")
    assert read_image(tmp_path / "color.png")[0].tolist() == expected
    gray = np.array([[[0, 255], [0, 0], [100, 51]]], dtype=np.uint8)
    Image.fromarray(gray).save(tmp_path / "gray.png")
    assert read_image(tmp_path / "gray.png").tolist() == [[0, 255, 224]]
    palette = Image.new("P", (2, 1))
    palette.putpalette([10, 20, 30, 200, 100, 0])
    palette.putdata([0, 1])
    palette.save(tmp_path / "palette.png", transparency=1)
    assert read_image(tmp_path / "palette.png")[0].tolist() == [[10, 20, 30], [255, 255, 255]]


def test_modes_become_numbers_from_0_to_255(tmp_path: Path) -> None:
    """One bit, palettes, CMYK and 16 bits; gray of 32 bits stays as it is."""
    Image.fromarray(np.array([[True, False]])).save(tmp_path / "bit.png")
    assert read_image(tmp_path / "bit.png").tolist() == [[255, 0]]
    palette = Image.new("P", (2, 1))
    palette.putpalette([10, 20, 30, 200, 100, 0])
    palette.putdata([0, 1])
    palette.save(tmp_path / "palette.gif")
    assert read_image(tmp_path / "palette.gif")[0].tolist() == [[10, 20, 30], [200, 100, 0]]
    deep = np.array([[0, 257, 65535, 25700]], dtype=np.uint16)
    for name in ("deep.png", "deep.tif"):
        Image.fromarray(deep).save(tmp_path / name)
        assert read_image(tmp_path / name).tolist() == [[0.0, 1.0, 255.0, 100.0]]
    Image.fromarray(np.array([[0.5, -2.0]], dtype=np.float32)).save(tmp_path / "float.tif")
    assert read_image(tmp_path / "float.tif").tolist() == [[0.5, -2.0]]
    Image.new("CMYK", (1, 1), (0, 255, 255, 0)).save(tmp_path / "print.tif")
    assert read_image(tmp_path / "print.tif")[0].tolist() == [[255, 0, 0]]


def test_the_orientation_of_a_camera_is_obeyed(tmp_path: Path) -> None:
    """An image that EXIF says lies on its side is turned upright."""
    pixels = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
    exif = Image.Exif()
    exif[0x0112] = 6  # the first row is the right side
    Image.fromarray(pixels).save(tmp_path / "side.png", exif=exif)
    np.testing.assert_array_equal(read_image(tmp_path / "side.png"), np.rot90(pixels, -1))


def test_every_bad_file_is_counted_and_the_first_named(folder: Path) -> None:
    """Missing, broken, truncated and unnamed files are refused together."""
    (folder / "broken.png").write_bytes(b"no image at all")
    whole = (folder / "g0.png").read_bytes()
    (folder / "short.png").write_bytes(whole[: len(whole) // 2])
    (folder / "empty.png").write_bytes(b"")
    (folder / "deep").mkdir()
    names = ["g0.png", "gone.png", "broken.png", "short.png", None, "g1.png", "empty.png", "deep"]
    for transformer in (PixelFeatures(folder=folder), PatchFeatures(size=2, folder=folder)):
        with pytest.raises(
            DataError, match="6 image files of 8 cannot be read: there is no such file"
        ) as caught:
            transformer.fit(table_of(names))
        assert "column 'photo', first in row 2, 'gone.png'; rows 2, 3, 4, 5, 7, 8" in caught.value.where
        assert str(folder) in caught.value.fix
    with pytest.raises(DataError, match="6 image files of 8"):
        ShapeFeatures(folder=folder).fit(table_of(names)).transform(table_of(names))


def test_a_file_that_unpacks_to_too_much_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow's limit of pixels is an error, both where it would only warn and beyond."""
    for limit in (20, 5):  # the images have 24 pixels: below twice the limit Pillow warns, above it raises
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
        with pytest.raises(DataError, match="too large to be unpacked safely"):
            PixelFeatures(folder=folder).fit(table_of(["g0.png"]))


def test_without_pillow_the_error_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every transformer refuses files at fit, and arrays go on working."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    for transformer in (PixelFeatures(), PatchFeatures(size=2, n=2), ShapeFeatures()):
        with pytest.raises(RequestError, match="Pillow, which is not installed") as caught:
            transformer.fit(table_of(["g0.png"]))
        assert caught.value.fix == "pip install 'heldout[images]'"
        assert transformer.fit(GRAY).transform(GRAY).shape[0] == 5


def test_the_column_of_names_is_found_or_asked_for(folder: Path) -> None:
    """The only column of words is taken; of several one must be named, and a wrong name gets a suggestion."""
    table = read_table(
        {"photo": ["g0.png", "g1.png"], "city": ["Rom", "Bern"], "age": [1, 2]},
        kinds={"photo": "text", "city": "category"},
    )
    with pytest.raises(RequestError, match="2 columns may be the file names") as caught:
        PixelFeatures(folder=folder).fit(table)
    assert "'photo', 'city'" in caught.value.where
    assert "column='photo'" in caught.value.fix
    left = PixelFeatures(folder=folder, column="photo").fit_transform(table)
    assert left.kinds["city"] == "category"
    with pytest.raises(RequestError, match="there is no column 'foto'") as caught:
        PixelFeatures(column="foto").fit(table)
    assert "did you mean 'photo'" in caught.value.fix
    with pytest.raises(DataError, match="column 'age' is number"):
        PixelFeatures(column="age").fit(table)
    with pytest.raises(DataError, match="no column of file names"):
        PixelFeatures().fit(table.select(["age"]))
    with pytest.raises(InputTypeError, match="column must be None or a name"):
        PixelFeatures(column=1).fit(table)
    with pytest.raises(InputTypeError, match="folder must be None or a path"):
        PixelFeatures(folder=1).fit(table)


def test_names_that_are_taken_get_the_name_of_the_column(folder: Path) -> None:
    """Where another column has the name of a feature, all features are called after the file column."""
    table = read_table({"photo": ["g0.png", "g1.png"], "holes": [1, 2]}, kinds={"photo": "text"})
    shapes = ShapeFeatures(folder=folder).fit(table)
    left = shapes.transform(table)
    assert left.names[0] == "photo: area share"
    assert left.names[-2:] == ("photo: holes", "holes")
    assert left.names == tuple(shapes.get_feature_names_out())


def test_form_and_columns_are_those_of_fit(folder: Path) -> None:
    """An array after a table, a table after an array, and other columns are refused."""
    table = table_of(["g0.png", "g1.png"])
    fitted = PixelFeatures(folder=folder).fit(table)
    with pytest.raises(DataError, match="an array came, and a table at fit"):
        fitted.transform(GRAY)
    with pytest.raises(DataError, match="a table came, and an array of images at fit"):
        PixelFeatures().fit(GRAY).transform(table)
    with pytest.raises(DataError, match="feature names"):
        fitted.transform(table.select(["photo", "age", "weight"]))
    with pytest.raises(DataError, match=r"0 sample\(s\)"):
        fitted.transform(table[[]])
