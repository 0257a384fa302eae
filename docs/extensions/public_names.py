"""The directive that shows public names from their docstrings, and links from `ho.name` to where they stand.

```{public} heldout
read_table
Table
```
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PACKAGES = ("heldout", "heldout.metrics", "heldout.stats", "heldout.features", "heldout.datasets")
SPOKEN = re.compile(r"^(?:ho|heldout)\.([A-Za-z_.]+\w)(?:\(.*\))?$", flags=re.DOTALL)


class PublicNames(SphinxDirective):
    """Names of a package, one to a line, each with its signature, its docstring and what it offers."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """What autodoc says of the names; it speaks reStructuredText, although the page is Markdown."""
        package = self.arguments[0]
        lines = [line for name in self.content for line in shown_by_autodoc(package, name.strip())]
        fence = ["````{eval-rst}", *lines, "````"]
        holder = nodes.container()
        self.state.nested_parse(StringList(fence, source=package), 0, holder)
        return holder.children


def shown_by_autodoc(package: str, name: str) -> list[str]:
    """The directive of autodoc that suits a public name."""
    thing = getattr(import_module(package), name)
    if inspect.isclass(thing):
        kind = "autoexception" if issubclass(thing, Exception) else "autoclass"
        return [f".. {kind}:: {package}.{name}", "   :members:", "   :inherited-members:", ""]
    if not callable(thing):
        return [f".. py:data:: {package}.{name}", "", f"   Known by name: {_listed(thing)}.", ""]
    return [f".. autofunction:: {package}.{name}", ""]


def _listed(known: Mapping[str, Any]) -> str:
    return ", ".join(f"``{name}``" for name in known)


def is_left_out(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Whether a member is foreign, such as those of scikit-learn and of built-in exceptions."""
    written = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
    home = getattr(written, "__module__", None)
    if name.startswith("set_") and name.endswith("_request"):  # made by scikit-learn for every estimator
        return True
    return None if home is None or str(home).startswith("heldout") else True


def without_inner_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, None] | None:
    """A class whose docstring tells no parameter, such as Study, is not made by calling it."""
    if what != "class" or not signature:
        return None
    has_parameters = re.search(
        r"^(?:Parameters|Attributes)\n-", inspect.getdoc(obj) or "", flags=re.MULTILINE
    )
    return None if has_parameters else ("", None)


@cache
def homes() -> dict[str, str]:
    """Where each public name stands in the reference, by its own name and by the place that defines it."""
    found: dict[str, str] = {}
    for package in reversed(PACKAGES):  # what `heldout` itself offers is called by that name
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                found[name] = found[f"{thing.__module__}.{name}"] = f"{package}.{name}"
    return found


def spoken_target(code: str) -> str | None:
    """The full name behind inline code such as `ho.Task` or `ho.stats.adjust(p)`; None if it is none.

    >>> spoken_target("ho.stats.adjust(p)")
    'heldout.stats.adjust'
    """
    found = SPOKEN.match(code)
    if found is None:
        return None
    first, *others = found.group(1).split(".")
    if f"heldout.{first}" in PACKAGES:
        first, others = ".".join([first, *others[:1]]), others[1:]
    is_public = f"heldout.{first}" in homes().values()
    return ".".join(["heldout", first, *others]) if is_public else None


def link_inline_code(app: Sphinx, doctree: nodes.document) -> None:
    """Inline code that names something public leads to where it is described."""
    for literal in list(doctree.findall(nodes.literal)):
        if isinstance(literal.parent, (nodes.reference, addnodes.pending_xref)):
            continue
        target = spoken_target(literal.astext())
        if target is None:
            continue
        link = addnodes.pending_xref(
            "", refdomain="py", reftype="obj", reftarget=target, refwarn=True, refdoc=app.env.docname
        )
        literal.replace_self(link)
        link += literal


def resolved_name(app: Sphinx, env: Any, node: addnodes.pending_xref, content: Any) -> Any:
    """A type of a signature leads to where it is described; one that is not described stays plain text."""
    if node.get("refdomain") != "py":
        return None
    domain = env.get_domain("py")
    short = node["reftarget"].rpartition(".")[2]
    described = [name for name in domain.objects if name.rpartition(".")[2] == short and short[:1].isupper()]
    target = homes().get(node["reftarget"]) or homes().get(short) or "".join(described[:1])
    if not target or target == node["reftarget"]:
        return None
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, content)


def without_members(app: Sphinx, env: Any) -> None:
    """The contents of a page list its public names and leave out their methods, which are hundreds."""
    for docname, contents in env.tocs.items():
        if docname.startswith("reference/"):
            for entry in contents.findall(nodes.list_item):
                if _depth(entry) == 3:
                    del entry[1:]


def _depth(entry: Any) -> int:
    above = 0
    while entry is not None:
        above += isinstance(entry, nodes.list_item)
        entry = entry.parent
    return above


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("public", PublicNames)
    app.connect("autodoc-skip-member", is_left_out)
    app.connect("autodoc-process-signature", without_inner_signature)
    app.connect("doctree-read", link_inline_code)
    app.connect("missing-reference", resolved_name)
    app.connect("env-updated", without_members)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
