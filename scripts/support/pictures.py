"""The colours and the frame of the pictures in Documentation/Pictures, each of which has a light and a dark version."""
import html
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ROOT / "Documentation" / "Pictures"
THEMES = {
    "light": {
        "ground": "#ffffff", "text": "#1f2328", "soft": "#59636e", "grid": "#d1d9e0", "good": "#0969da", "bad": "#cf222e", "second": "#8250df",
    },
    "dark": {
        "ground": "#0d1117", "text": "#f0f6fc", "soft": "#9198a1", "grid": "#3d444d", "good": "#4493f8", "bad": "#f85149", "second": "#ab7df8",
    },
}


def framed(size, theme, title, style, content, description=None):
    """The lines of a picture: its head with title and description for screen readers, its ground, and what is on it."""
    width, height = size
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">'
    yield f"<title>{html.escape(title)}</title>"
    if description:
        yield f"<desc>{html.escape(description)}</desc>"
    yield f"<style>{style}</style>"
    yield f'<rect width="{width}" height="{height}" fill="{theme["ground"]}"/>'
    yield from content
    yield "</svg>"


def words(x, y, text, kind, anchor=None):
    """A line of text. `kind` is its class in the style of the picture."""
    side = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x}" y="{y}" class="{kind}"{side}>{html.escape(text)}</text>'
