"""Formulas as MathML, which browsers draw by themselves: no script, and nothing from the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def drawn(node: Any, is_block: bool) -> str:
    """The MathML of a formula; one that cannot be drawn stops the build, as every warning does."""
    return str(tex2mathml(node.astext(), as_block=is_block))


def visit_inline(page: Any, node: Any) -> None:
    page.body.append(drawn(node, is_block=False))
    raise nodes.SkipNode


def visit_block(page: Any, node: Any) -> None:
    page.body.append(f'<div class="formula">{drawn(node, is_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
