"""A till receipt as it comes out of a scanner: thermal print that has faded, on paper that lies a little askew."""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from samples.typefaces import MONO, MONO_BOLD, pixels

_PAPER = (620, 1240)
_DESK = (900, 1420)
_COLUMNS = 32

_ITEMS = (
    ("Sourdough loaf", "4.20"),
    ("Whole milk 1 l", "1.65"),
    ("Free range eggs x12", "3.90"),
    ("Cherry tomatoes", "2.75"),
    ("Virgin olive oil", "8.40"),
    ("Ground coffee 250 g", "5.95"),
)


def _pair(left: str, right: str) -> str:
    return left + right.rjust(_COLUMNS - len(left))


def _body() -> list[tuple[str, bool]]:
    """Each line, and whether it is bold."""
    total = sum(round(float(price) * 100) for _, price in _ITEMS)
    rule = "-" * _COLUMNS
    plain = [
        "14 Quay Street".center(_COLUMNS),
        "Galway, H91 X0P2".center(_COLUMNS),
        "Tel: +353 91 555 0182".center(_COLUMNS),
        "VAT No: IE6388047V".center(_COLUMNS),
        rule,
        _pair("Date: 07/05/2026", "Time: 17:42"),
        _pair("Receipt No: 004871", "Till 3"),
        "Cashier: Maeve",
        rule,
        *(_pair(*item) for item in _ITEMS),
        rule,
    ]
    paid = [
        _pair("VAT included", "2.17"),
        rule,
        _pair("Cash", "30.00"),
        _pair("Change", f"{(3000 - total) / 100:.2f}"),
        rule,
        "Thank you for shopping".center(_COLUMNS),
        "with your neighbours!".center(_COLUMNS),
    ]
    bold = [(_pair("TOTAL EUR", f"{total / 100:.2f}"), True)]
    return [(line, False) for line in plain] + bold + [(line, False) for line in paid]


def _print(noise: np.random.Generator) -> Image.Image:
    """The slip itself: grey letters, and paper that is not quite white."""
    paper = Image.new("L", _PAPER, 246)
    draw = ImageDraw.Draw(paper)
    shop = pixels(MONO_BOLD, 50)
    width = draw.textlength("HARBOUR MARKET", font=shop)
    draw.text(((_PAPER[0] - width) / 2, 60), "HARBOUR MARKET", font=shop, fill=52)
    y = 136
    for line, bold in _body():
        size = 33
        draw.text((46, y), line, font=pixels(MONO_BOLD if bold else MONO, size), fill=48 if bold else 62)
        y += 38
    _draw_barcode(draw, y + 22, noise)
    return paper


def _draw_barcode(draw: ImageDraw.ImageDraw, y: int, noise: np.random.Generator) -> None:
    x = 130
    while x < _PAPER[0] - 130:
        bar, gap = (int(each) for each in noise.integers(2, 7, size=2))
        draw.rectangle((x, y, x + bar, y + 74), fill=60)
        x += bar + gap


def make() -> bytes:
    noise = np.random.default_rng(4871)
    desk = Image.new("L", _DESK, 168)
    at = ((_DESK[0] - _PAPER[0]) // 2, (_DESK[1] - _PAPER[1]) // 2)
    shadow = Image.new("L", _DESK, 168)
    ImageDraw.Draw(shadow).rectangle((at[0] + 10, at[1] + 14, at[0] + _PAPER[0] + 10, at[1] + _PAPER[1] + 14), fill=110)
    desk.paste(shadow.filter(ImageFilter.GaussianBlur(14)))
    desk.paste(_print(noise), at)
    turned = desk.rotate(-1.3, resample=Image.Resampling.BICUBIC, fillcolor=168).filter(ImageFilter.GaussianBlur(0.6))
    light = np.linspace(1.03, 0.93, _DESK[1])[:, None] * np.linspace(0.97, 1.02, _DESK[0])[None, :]
    grey = np.asarray(turned, dtype=np.float64) * light + noise.normal(0, 3.0, (_DESK[1], _DESK[0]))
    warm = np.stack([grey, grey * 0.985, grey * 0.955], axis=-1)
    file = io.BytesIO()
    Image.fromarray(np.clip(warm, 0, 255).astype(np.uint8), "RGB").save(file, "JPEG", quality=84, dpi=(200, 200))
    return file.getvalue()
