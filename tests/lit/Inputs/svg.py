"""Says what is drawn in an SVG of -ptx-live-ranges: svg.py FILE|-

It must be well-formed, and everything within its borders.
"""

import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def attribute(element, name):
    value = element.get(name)
    assert value is not None, (element.tag, name)
    return value


def title(element):
    child = element.find(SVG + "title")
    assert child is not None, element.tag
    return child.text


root = ElementTree.parse(sys.stdin if sys.argv[1] == "-" else sys.argv[1]).getroot()
assert root.tag == SVG + "svg", root.tag
width, height = float(attribute(root, "width")), float(attribute(root, "height"))
for drawing in root.findall(SVG + "g"):
    top = float(attribute(drawing, "transform").removeprefix("translate(0 ").removesuffix(")"))
    for rect in drawing.iter(SVG + "rect"):
        x, y, w, h = (float(attribute(rect, k)) for k in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width and 0 <= top + y <= top + y + h <= height, rect.attrib
    texts = drawing.findall(SVG + "text")
    print(next(t.text for t in texts if t.get("class") == "title"))
    for note in (t.text for t in texts if t.get("class") == "note"):
        print(" note:", note)
    for block in drawing.findall(SVG + "rect"):
        if block.get("class") in ("b0", "b1"):
            print(" block:", title(block))
    rows = [g for g in drawing.findall(SVG + "g") if g.get("class") == "r"]
    bars = [rect for row in rows for rect in row.findall(SVG + "rect")]
    colours = {row.get("fill") for row in rows}
    print(" registers %d, bars %d, colours %d" % (len(rows), len(bars), len(colours)))
    for bar in bars:
        print(" bar:", title(bar))
