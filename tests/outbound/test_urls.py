import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve import outbound
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.outbound.urls import MAX_URL_LENGTH, parse_url
from docsieve.settings import Settings

ANY_PORT = "1-65535"

# Notations of addresses that the C library would resolve, and hosts that parsers disagree about.
ODD = [
    "http://127.1", "http://127.0.1", "http://2130706433", "http://0x7f000001", "http://0x7F.0.0.1", "http://0x7f.1",
    "http://0177.0.0.1", "http://017700000001", "http://127.0.0.01", "http://127.0.0.1.1", "http://0", "http://0x",
    "http://127.0.0.256", "http://127.1.", "http://2130706433.", "http://a.0x7f", "http://1.2.3.4.5", "http://foo.127",
    "http://１２７.0.0.1", "http://①②⑦.⓪.⓪.①", "http://%31%32%37.0.0.1", "http://127.0.0.1%00.example.com",
    "http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[::1%25lo]", "http://fe80::1%eth0", "http://[::1",
    "http://::1", "http://[127.0.0.1]", "http://[::127.0.0.1%25]", "http://[v1.fe80]",
    "http://user@example.com", "http://user:password@example.com", "http://@example.com", "http://example.com@127.0.0.1",
    "http://example.com\\@127.0.0.1", "http://127.0.0.1\\@example.com", "http:\\\\example.com",
    "http://127.0.0.1\\.example.com", "http://exa mple.com", "http://example.com/a b",
    "http://example.com\t", "http://example.com\r\nHost: x", "http://example.com\n", "\thttp://example.com",
    "http://example.com/\x00", "http://example.com/\u200b", "http://example.com/\u202e",
    "http://a..b", "http://.example.com", "http://example.com..", "http://-a.example.com", "http://a-.example.com",
    "http://a_$.example.com", "http://" + "a" * 64 + ".com", "http://" + "a." * 130 + "com", "http://", "http:///path",
    "http:example.com", "//example.com", "example.com", "/path", "", "http://example.com:99999",
    "http://example.com:0", "http://example.com:-1", "http://example.com:80:80",
    "ftp://example.com", "file:///etc/passwd", "gopher://example.com", "unix:///run/docker.sock", "javascript:alert(1)",
    "httpx://example.com", "dict://example.com:11211", "ws://example.com",
]  # fmt: skip

REFUSED_LITERALS = [
    "http://127.0.0.1", "http://127.0.0.1.", "HTTP://127.0.0.1:8080/x", "http://[::1]", "http://[::]", "http://0.0.0.0",
    "http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]", "http://[::FFFF:7f00:1]", "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]", "http://169.254.169.254/latest/meta-data", "https://[fd00:ec2::254]", "http://10.0.0.1",
    "http://168.63.129.16", "http://100.100.100.200", "http://localhost", "http://LOCALHOST.", "http://x.localhost:9000",
    "http://127。0。0。1",
]  # fmt: skip


def settings(**given: str) -> Settings:
    return Settings.model_validate(given)


@pytest.mark.parametrize("url", ODD)
def test_an_odd_url_is_refused_without_resolving_anything(url: str) -> None:
    with pytest.raises(UrlInvalid):
        outbound.check_url(url, settings(outbound_allow="0.0.0.0/0,::/0", outbound_ports=ANY_PORT))


@pytest.mark.parametrize("url", REFUSED_LITERALS)
def test_a_url_with_an_address_that_is_not_public_is_refused_when_it_is_saved(url: str) -> None:
    with pytest.raises(AddressNotAllowed):
        outbound.check_url(url, settings())


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("https://example.com", "example.com", 443, b"/", "example.com"),
        ("HTTPS://Example.COM:443/A?b=C#d", "example.com", 443, b"/A?b=C", "example.com"),
        ("http://example.com.:8080/x y".replace(" ", "%20"), "example.com", 8080, b"/x%20y", "example.com:8080"),
        ("http://my_service:9000/", "my_service", 9000, b"/", "my_service:9000"),
        ("https://bücher.example/ü", "xn--bcher-kva.example", 443, b"/%C3%BC", "xn--bcher-kva.example"),
        ("https://8.8.8.8", "8.8.8.8", 443, b"/", "8.8.8.8"),
        ("https://[2606:4700:0:0::1111]:8443/", "2606:4700::1111", 8443, b"/", "[2606:4700::1111]:8443"),
        ("https://example.com#@127.0.0.1/", "example.com", 443, b"/", "example.com"),
        ("https://example.com?@127.0.0.1/", "example.com", 443, b"/?@127.0.0.1/", "example.com"),
        ("https://1a.example", "1a.example", 443, b"/", "1a.example"),
        ("https://0xa.example", "0xa.example", 443, b"/", "0xa.example"),
    ],
)
def test_a_plain_url_is_taken_apart(url: str, host: str, port: int, path: bytes, authority: str) -> None:
    target = outbound.check_url(url, settings())

    assert (target.host, target.port, target.path, target.authority) == (host, port, path, authority)


def test_a_url_has_a_maximum_length() -> None:
    longest = "https://example.com/".ljust(MAX_URL_LENGTH, "a")

    assert len(parse_url(longest).path) == MAX_URL_LENGTH - len("https://example.com")
    with pytest.raises(UrlInvalid, match="longer than"):
        parse_url(longest + "a")


@pytest.mark.parametrize("port", [1, 22, 25, 79, 81, 442, 444, 1023])
def test_a_port_below_1024_other_than_those_of_http_is_refused(port: int) -> None:
    with pytest.raises(AddressNotAllowed, match=f"Port {port} "):
        outbound.check_url(f"http://example.com:{port}", settings())


@pytest.mark.parametrize(("port", "allowed"), [(443, True), (8000, True), (8999, True), (9000, False), (80, False)])
def test_the_operator_chooses_the_ports(port: int, allowed: bool) -> None:
    chosen = settings(outbound_ports="443, 8000-8999")

    if allowed:
        assert outbound.check_url(f"http://example.com:{port}", chosen).port == port
    else:
        with pytest.raises(AddressNotAllowed):
            outbound.check_url(f"http://example.com:{port}", chosen)


def test_localhost_is_accepted_where_the_operator_allows_the_loopback() -> None:
    assert outbound.check_url("http://localhost:9000", settings(outbound_allow="127.0.0.0/8")).host == "localhost"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("outbound_allow", "10.0.0.1/8"), ("outbound_allow", "intranet"), ("outbound_allow", "10.0.0.0/33"),
        ("outbound_ports", "0"), ("outbound_ports", "80-70000"), ("outbound_ports", "http"),
        ("outbound_ports", "90-80"),
    ],
)  # fmt: skip
def test_a_setting_with_an_impossible_network_or_port_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        settings(**{name: value})


@given(
    st.one_of(
        st.text(),
        st.builds("http://{}/{}".format, st.text(), st.text()),
        st.builds(
            "https://{}".format, st.text(alphabet=" \t\n\\/@:?#%[].0123456789abcdefx-_~\u3002\uff11\ud800", max_size=40)
        ),
    )
)
def test_any_text_is_a_target_with_a_plain_host_or_an_invalid_url(text: str) -> None:
    try:
        target = parse_url(text)
    except UrlInvalid:
        return
    assert target.address is not None or re.fullmatch(r"[a-z0-9_.-]*[a-z_-][a-z0-9_-]*", target.host)
    assert target.path.startswith(b"/") and target.path.isascii() and not re.search(rb"[\x00-\x20\x7f]", target.path)
