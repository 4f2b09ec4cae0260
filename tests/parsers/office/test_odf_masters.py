"""What masters write upon the slides of OpenDocument presentations."""

from pathlib import Path

from tests.parsers.office.reading import lines_of
from tests.parsers.office.samples import write_odf


def box(text: str, kind: str = "") -> str:
    presentation = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {presentation}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


def test_a_master_writes_upon_its_slides_once_and_its_prompts_never(tmp_path: Path) -> None:
    slides = "".join(f'<draw:page draw:master-page-name="M">{box(text)}</draw:page>' for text in ("one", "two"))
    behind = (
        box("Click here", "title")
        + box("Example Ltd")
        + box("For all", "footer")
        + box("<text:page-number>7</text:page-number>")
    )
    names = ("office", "text", "draw", "style", "presentation")
    namespaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    styles = (
        f"<office:document-styles {namespaces}><office:master-styles>"
        f'<style:master-page style:name="M">{behind}</style:master-page>'
        "</office:master-styles></office:document-styles>"
    )

    source = write_odf(tmp_path / "p", "presentation", slides, parts={"styles.xml": styles})

    assert lines_of(source) == ["one", "Example Ltd", "For all", "two"]
