"""Which IP addresses may be called.

IANA's special-purpose registries are written out here, because `ipaddress.is_global` differs between releases of
Python and lets 64:ff9b::/96, 2002::/16, site-local, multicast and Azure's 168.63.129.16 pass.
"""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NOT_PUBLIC_V4 = tuple(
    IPv4Network(each)
    for each in (
        "0.0.0.0/8",  # this network; 0.0.0.0 connects to the machine itself
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocols
        "192.0.2.0/24",  # documentation
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# All other IPv6 addresses are loopback, private, link-local, site-local, multicast, mapped, NAT64 or unassigned.
_GLOBAL_UNICAST_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    IPv6Network(each)
    for each in (
        "2001::/23",  # IETF protocols, with Teredo (2001::/32)
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
_METADATA = frozenset(
    {
        IPv4Address("100.100.100.200"),  # Alibaba
        IPv4Address("168.63.129.16"),  # Azure's host agent, although this is a public address
        IPv4Address("169.254.42.42"),  # Scaleway
        IPv4Address("169.254.169.254"),  # AWS, Azure, Google, Oracle and most others
        IPv4Address("169.254.170.2"),  # AWS, credentials of containers
        IPv4Address("169.254.170.23"),  # AWS, credentials of pods
        IPv4Address("192.0.0.192"),  # Oracle
        IPv6Address("fd00:42::42"),  # Scaleway
        IPv6Address("fd00:c1::a9fe:a9fe"),  # Oracle
        IPv6Address("fd00:ec2::23"),  # AWS, credentials of pods
        IPv6Address("fd00:ec2::254"),  # AWS
        IPv6Address("fd20:ce::254"),  # Google
    }
)

_TEREDO = IPv6Network("2001::/32")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_IPV4_IN_LAST_BITS = tuple(
    IPv6Network(each)
    for each in (
        "::/96",  # IPv4-compatible
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",  # NAT64 within a network, with a prefix of 96 bits
    )
)
_UNSPECIFIED_AND_LOOPBACK = IPv6Network("::/127")
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})
_LAST_32 = 0xFFFF_FFFF


class AddressPolicy:
    """Public addresses, and those that the operator lists.

    A metadata service hands out credentials, so that a wider network does not include it: it must be listed by its
    exact address. An IPv6 address that embeds an IPv4 address is allowed only if both are.
    """

    def __init__(self, allow: Sequence[Network] = ()) -> None:
        self._allow = tuple(allow)

    def allows(self, address: Address) -> bool:
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or IPv6Address(int(address))  # the same host; without a zone id
        if address in _METADATA:
            return any(network.num_addresses == 1 and address in network for network in self._allow)
        if not (_is_public(address) or any(address in network for network in self._allow)):
            return False
        return isinstance(address, IPv4Address) or all(self.allows(each) for each in _embedded(address))


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    return address in _GLOBAL_UNICAST_V6 and not any(address in network for network in _NOT_PUBLIC_V6)


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that a gateway or tunnel would forward to."""
    bits = int(address)
    if address in _UNSPECIFIED_AND_LOOPBACK:
        return
    if any(address in network for network in _IPV4_IN_LAST_BITS) or bits >> 32 & _LAST_32 in _ISATAP:
        yield IPv4Address(bits & _LAST_32)
    if address in _SIX_TO_FOUR:
        yield IPv4Address(bits >> 80 & _LAST_32)
    if address in _TEREDO:
        yield IPv4Address(bits >> 64 & _LAST_32)  # the server
        yield IPv4Address(~bits & _LAST_32)  # the client
