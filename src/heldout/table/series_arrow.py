"""A column of a frame as an Arrow array, or an error that says what no table holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

_TICKS_A_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def series_arrow(name: str, series: nw.Series[Any]) -> pa.ChunkedArray:
    """A chunked Arrow array of the values; a sparse one is filled, 128-bit integers must fit into 64.

    series: a column that narwhals has wrapped
    """
    import narwhals as nw
    import pyarrow as pa

    native = series.to_native()
    if type(getattr(native, "dtype", None)).__name__ == "SparseDtype":
        return pa.chunked_array([pa.array(np.asarray(native), from_pandas=True)])
    try:
        if series.dtype in (nw.Int128, nw.UInt128):
            series = series.cast(nw.Int64)
        array = series.to_arrow()
    except Exception as error:  # every library has its own
        raise DataError(
            f"column '{name}' is of a type that no kind stands for",
            where=f"dtype {getattr(native, 'dtype', series.dtype)}: {str(error).splitlines()[0][:100]}",
            fix="convert it to numbers, strings, booleans or dates, or drop it",
        ) from None
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def span_days(values: pa.ChunkedArray) -> NDArray[np.float64]:
    """A time of day or a duration as a number of days, NaN for null.

    values: a chunked Arrow array
    """
    import pyarrow as pa

    width = pa.int32() if pa.types.is_time32(values.type) else pa.int64()
    ticks = values.cast(width).cast(pa.float64(), safe=False).to_numpy()
    return np.asarray(ticks / (_TICKS_A_SECOND[values.type.unit] * 86_400))
