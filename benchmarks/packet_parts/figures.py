"""Precision, recall and calibration of cuts."""

from collections.abc import Sequence

from rich.table import Table

from benchmarks.packet_parts.gaps import JudgedGap
from docsieve.domain.packets import SURE

LIKELY = 0.5
"""A cut that is more likely than not counts as found; below SURE it is flagged for review."""

Judged = Sequence[tuple[JudgedGap, float]]


def figures(judged: Judged) -> dict[str, float]:
    """Precision, recall and F1 of likely cuts, precision and share of the sure ones, errors, calibration error."""
    found = [(gap, sure) for gap, sure in judged if sure >= LIKELY]
    made = [gap for gap, sure in judged if sure >= SURE]
    right, true = sum(gap.is_cut for gap, _ in found), sum(gap.is_cut for gap, _ in judged)
    precision, recall = right / max(len(found), 1), right / max(true, 1)
    wrong = [(gap, sure) for gap, sure in judged if (sure >= LIKELY) != gap.is_cut]
    flagged = [gap for gap, sure in wrong if 1 - SURE < sure < SURE]
    return {
        "gaps": len(judged),
        "cuts": true,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(precision + recall, 1e-9),
        "sure_precision": sum(gap.is_cut for gap in made) / max(len(made), 1),
        "sure_share": len(made) / max(len(found), 1),
        "errors": len(wrong),
        "errors_flagged": len(flagged),
        "calibration_error": calibration_error(judged),
    }


def calibration_error(judged: Judged, bins: int = 10) -> float:
    """The mean distance between confidence and the share of cuts, by tenths of confidence."""
    total = 0.0
    for number in range(bins):
        inside = [(gap, sure) for gap, sure in judged if number <= min(sure * bins, bins - 0.001) < number + 1]
        if inside:
            mean = sum(sure for _, sure in inside) / len(inside)
            total += abs(mean - sum(gap.is_cut for gap, _ in inside) / len(inside)) * len(inside)
    return total / max(len(judged), 1)


def table(title: str, judged: Judged) -> Table:
    shown = Table(
        "by",
        "gaps",
        "cuts",
        "precision",
        "recall",
        "F1",
        "sure: precision",
        "sure: share",
        "errors",
        "flagged",
        "cal. error",
        title=title,
    )
    groups: dict[str, list[tuple[JudgedGap, float]]] = {}
    for gap, sure in judged:
        for name in ("all", f"trait: {gap.trait}", f"kind: {gap.kind}"):
            groups.setdefault(name, []).append((gap, sure))
    for name in sorted(groups, key=lambda name: (name != "all", not name.startswith("trait"), name)):
        found = figures(groups[name])
        shares = [f"{found[key]:.3f}" for key in ("precision", "recall", "f1", "sure_precision", "sure_share")]
        errors = [str(found["errors"]), str(found["errors_flagged"]), f"{found['calibration_error']:.3f}"]
        shown.add_row(name, str(found["gaps"]), str(found["cuts"]), *shares, *errors)
    return shown


def calibration_table(judged: Judged) -> Table:
    shown = Table("confidence", "gaps", "mean confidence", "share of cuts", title="calibration")
    for low in range(10):
        inside = [(gap, sure) for gap, sure in judged if low <= min(sure * 10, 9.999) < low + 1]
        if inside:
            mean, share = (
                sum(sure for _, sure in inside) / len(inside),
                sum(gap.is_cut for gap, _ in inside) / len(inside),
            )
            shown.add_row(f"{low / 10:.1f}–{low / 10 + 0.1:.1f}", str(len(inside)), f"{mean:.3f}", f"{share:.3f}")
    return shown
