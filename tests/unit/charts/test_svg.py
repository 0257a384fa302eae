"""The writer of SVG: whatever is written comes back from an XML parser."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.svg import SvgWriter, escaped, short_number

XML_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(XML_TEXT, XML_TEXT)
def test_texts_and_attributes_come_back_as_they_were(text, attribute):
    """Nothing in a text or an attribute can end it, or begin an element."""
    writer = SvgWriter()
    writer.leaf("text", text, id=attribute)
    element = ElementTree.fromstring(writer.text)
    assert (element.text or "") == text
    assert element.get("id") == attribute
    assert len(element) == 0


@given(st.text())
def test_any_string_gives_well_formed_xml(text):
    """Control characters and lone surrogates, which XML cannot hold, are replaced."""
    writer = SvgWriter()
    writer.leaf("text", text, id=text)
    element = ElementTree.fromstring(writer.text.encode("utf-8"))
    assert (element.tag, list(element.attrib), len(element)) == ("text", ["id"], 0)


def test_line_breaks_survive_in_attributes():
    """A parser turns a plain line break of an attribute into a blank, so it is written as a reference."""
    writer = SvgWriter()
    writer.leaf("g", id="a\nb\tc")
    assert ElementTree.fromstring(writer.text).get("id") == "a\nb\tc"


def test_elements_close_in_order():
    """What was opened last is closed first."""
    writer = SvgWriter()
    writer.open("svg")
    writer.open("g", aria_hidden="true")
    writer.close()
    writer.close()
    assert writer.text == '<svg><g aria-hidden="true"></g></svg>'


def test_escaping_is_complete():
    """The five characters of XML are escaped everywhere."""
    assert escaped("""<&>"'""") == "&lt;&amp;&gt;&quot;&#39;"


def test_numbers_are_short():
    """No exponent, no long tail, no minus zero."""
    shown = [short_number(number) for number in (1e6, 1 / 3, -1e-9, 100.0)]
    assert shown == ["1000000", "0.33", "0", "100"]


@given(XML_TEXT)
def test_texts_are_escaped_as_the_library_does(text):
    """The table of escapes gives what xml.sax.saxutils gives, which is too slow to import."""
    others = {'"': "&quot;", "'": "&#39;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    assert escaped(text) == escape(text, others)
