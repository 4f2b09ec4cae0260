"""What masters write upon the slides of OpenDocument presentations."""

from pathlib import Path

from tests.parsers.office.reading import lines_of, pages_of
from tests.parsers.office.samples import write_odf


def box(text: str, kind: str = "") -> str:
    presentation = f'presentation:class="{kind}"' if kind else ""
    return f"<draw:frame {presentation}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


def test_texts_of_a_master_are_read_once_and_prompts_never(tmp_path: Path) -> None:
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


def test_slides_have_the_size_of_their_masters_pages(tmp_path: Path) -> None:
    names = ("office", "style")
    namespaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    layout = '<style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm"/>'
    styles = (
        f'<office:document-styles {namespaces} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0">'
        f'<office:automatic-styles><style:page-layout style:name="wide">{layout}</style:page-layout>'
        "</office:automatic-styles><office:master-styles>"
        '<style:master-page style:name="M" style:page-layout-name="wide"/>'
        "</office:master-styles></office:document-styles>"
    )
    slides = f'<draw:page draw:master-page-name="M">{box("one")}</draw:page><draw:page>{box("two")}</draw:page>'

    pages = pages_of(write_odf(tmp_path / "p", "presentation", slides, parts={"styles.xml": styles}))

    assert [(page.width, page.height) for page in pages] == [(793.7, 446.46), (720, 540)]
