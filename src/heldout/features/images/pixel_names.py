"""What pixels and channels are called."""

from __future__ import annotations

_CHANNELS = {3: ("red", "green", "blue"), 4: ("red", "green", "blue", "alpha")}


def pixel_names(shape: tuple[int, ...]) -> list[str]:
    """Names in the order of memory, rows and columns counted from 1.

    >>> pixel_names((1, 2))
    ['row 1, column 1', 'row 1, column 2']
    >>> pixel_names((1, 1, 3))
    ['row 1, column 1, red', 'row 1, column 1, green', 'row 1, column 1, blue']
    """
    n_rows, n_columns, *channels = shape
    ends = [f", {name}" for name in channel_names(channels[0])] if channels else [""]
    return [
        f"row {row}, column {column}{end}"
        for row in range(1, n_rows + 1)
        for column in range(1, n_columns + 1)
        for end in ends
    ]


def channel_names(n_channels: int) -> tuple[str, ...]:
    """Three are red, green and blue, a fourth is alpha; other numbers of channels are counted.

    >>> channel_names(2)
    ('channel 1', 'channel 2')
    """
    counted = tuple(f"channel {channel}" for channel in range(1, n_channels + 1))
    return _CHANNELS.get(n_channels, counted)
