from ipaddress import ip_address, ip_network

import pytest

from docsieve.outbound.addresses import AddressPolicy

PUBLIC = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "168.63.129.15", "169.253.255.255", "169.255.0.0", "192.0.1.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "2003::1", "::ffff:8.8.8.8",
]  # fmt: skip

NOT_PUBLIC = [
    # this network, loopback, private, link-local, carrier-grade NAT, multicast, reserved, documentation, benchmarks
    "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.0.1", "100.64.0.1", "100.127.255.255", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "192.0.0.1", "192.0.0.9", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255",
    "192.88.99.1", "192.52.193.1",
    "::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
    "100::1", "2001:db8::1", "3fff::1", "5f00::1", "4000::1", "2001:2::1", "2001:20::1",
    # metadata services
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::254%1", "fd00:ec2::23",
    "fd20:ce::254", "168.63.129.16", "100.100.100.200", "192.0.0.192",
    # IPv4 addresses inside IPv6 addresses, also public ones where a gateway of this network would forward them
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::808:808", "64:ff9b:1::7f00:1", "64:ff9b:1:fffe::a00:1",
    "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2001:0:7f00:1::", "2001::80ff:fffe",
    "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1",
]  # fmt: skip


def allows(address: str, *networks: str) -> bool:
    return AddressPolicy([ip_network(each) for each in networks]).allows(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert allows(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_not_allowed(address: str) -> None:
    assert not allows(address)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("127.0.0.1", "127.0.0.0/8"),
        ("::ffff:127.0.0.1", "127.0.0.0/8"),
        ("::1", "::1/128"),
        ("10.1.2.3", "10.1.0.0/16"),
        ("fd12::1", "fd00::/8"),
        ("100.100.100.201", "100.64.0.0/10"),
        ("64:ff9b::808:808", "64:ff9b::/96"),
        ("64:ff9b:1::808:808", "64:ff9b:1::/96"),
        ("2002:808:808::1", "2002::/16"),
    ],
)
def test_a_listed_network_is_allowed(address: str, network: str) -> None:
    assert not allows(address)
    assert allows(address, network)


def test_a_listed_network_allows_nothing_else() -> None:
    assert not allows("10.2.0.1", "10.1.0.0/16")
    assert not allows("::1", "127.0.0.0/8")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("169.254.169.254", "169.254.0.0/16"),
        ("169.254.169.254", "0.0.0.0/0"),
        ("168.63.129.16", "168.63.129.0/24"),
        ("100.100.100.200", "100.64.0.0/10"),
        ("169.254.42.42", "169.254.0.0/16"),
        ("169.254.170.2", "169.254.0.0/16"),
        ("169.254.170.23", "169.254.0.0/16"),
        ("192.0.0.192", "192.0.0.0/24"),
        ("fd00:42::42", "fd00::/8"),
        ("fd00:c1::a9fe:a9fe", "fd00::/8"),
        ("fd00:ec2::23", "fd00::/8"),
        ("fd00:ec2::254", "fd00::/8"),
        ("fd20:ce::254", "fd00::/8"),
        ("fd00:ec2::254%eth0", "fd00::/8"),
        ("::ffff:169.254.169.254", "::/0"),
    ],
)
def test_a_metadata_service_must_be_listed_by_its_exact_address(address: str, network: str) -> None:
    exact = address.removeprefix("::ffff:").removesuffix("%eth0")

    assert not allows(address, network)
    assert allows(address, network, f"{exact}/{128 if ':' in exact else 32}")


@pytest.mark.parametrize(
    "address",
    [
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:7f00:1::f7f7:f7f7",
        "2001:0:808:808::80ff:fffe", "::127.0.0.1", "::ffff:0:127.0.0.1",
    ],
)  # fmt: skip
def test_listing_a_gateway_or_tunnel_does_not_allow_the_private_addresses_behind_it(address: str) -> None:
    assert not allows(address, "::/0")
    assert allows(address, "::/0", "0.0.0.0/0", "169.254.169.254/32")
