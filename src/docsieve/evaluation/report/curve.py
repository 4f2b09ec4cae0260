"""The reliability curve as SVG: the share of correct values by confidence."""

from collections.abc import Sequence

from docsieve.evaluation.calibration import Bin

_SIDE, _MARGIN = 200, 30


def reliability_curve(bins: Sequence[Bin]) -> str:
    """Dots on the diagonal are well calibrated. Their size is the share of values."""
    most = max((each.values for each in bins), default=1)
    dots = [(each.confidence, each.right, 2 + 6 * (each.values / most) ** 0.5, each) for each in bins]
    line = " ".join(f"{_x(confidence):.1f},{_y(right):.1f}" for confidence, right, _, _ in dots)
    circles = "".join(
        f'<circle cx="{_x(confidence):.1f}" cy="{_y(right):.1f}" r="{size:.1f}" fill="#3366cc">'
        f"<title>{each.values} values, confidence {confidence:.2f}, right {right:.2f}</title></circle>"
        for confidence, right, size, each in dots
    )
    ticks = "".join(
        f'<text x="{_x(part) - 6:.0f}" y="{_y(0) + 14:.0f}">{part:g}</text>'
        f'<text x="4" y="{_y(part) + 3:.0f}">{part:g}</text>'
        for part in (0.0, 0.5, 1.0)
    )
    whole = _SIDE + 2 * _MARGIN
    return (
        f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" '
        f'font-size="9" font-family="sans-serif" fill="#888" '
        f'role="img" aria-label="share of right values by confidence">'
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>'
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#888" stroke-dasharray="4 3"/>'
        f'<polyline points="{line}" fill="none" stroke="#3366cc"/>{circles}{ticks}'
        f'<text x="{_MARGIN + 60}" y="{whole - 3}">confidence</text>'
        f'<text x="{_MARGIN}" y="{_MARGIN - 8}">share right</text></svg>'
    )


def _x(share: float) -> float:
    return _MARGIN + share * _SIDE


def _y(share: float) -> float:
    return _MARGIN + (1 - share) * _SIDE
