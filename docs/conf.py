"""How Sphinx makes the site: `make docs`."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Heldout"
author = "The Heldout developers"
project_copyright = "The Heldout developers, BSD-3-Clause"
version = release = installed_version("heldout")
language = "en"
smartquotes = False  # quotes in docstrings and pages are often those of code

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "mathml",
    "outside_pages",
    "public_names",
    "reachable",
]
exclude_patterns = ["extensions/**"]

# Pages are Markdown as code hosts show it, with their anchors.
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
suppress_warnings: list[str] = []

# Names that are not ours have no page in this site: types of Python, NumPy, SciPy, scikit-learn, pyarrow.
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!heldout\.).*"), (r"py:.*", r"heldout\.\w+\..*")]

# Docstrings are in numpydoc form; what stands in single backticks is code.
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes that are properties, too, are described once
default_role = "code"

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
add_module_names = True
toc_object_entries_show_parents = "hide"

pygments_style = "default"
highlight_language = "text"
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "Heldout"
html_static_path = ["styles"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7db8e0", "color-brand-content": "#7db8e0"},
}


def setup(app: Sphinx) -> None:
    """Tables in a page are shown as they are: Pygments knows no CSV."""
    app.add_lexer("csv", TextLexer)
