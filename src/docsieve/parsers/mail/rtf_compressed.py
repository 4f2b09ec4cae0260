"""Decompresses the RTF body of an Outlook message ([MS-OXRTFCP])."""

import struct

_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW = 4096
_MAX_BYTES = 64 * 1024**2


def decompress(data: bytes) -> bytes:
    """Return the RTF up to the first damage."""
    if len(data) < 16:
        return b""
    _, raw_size, kind, _ = struct.unpack_from("<IIII", data)
    if kind == _PLAIN:
        return data[16 : 16 + raw_size]
    return _expand(data, min(raw_size, _MAX_BYTES)) if kind == _COMPRESSED else b""


def _expand(data: bytes, raw_size: int) -> bytes:
    window = bytearray(_DICTIONARY) + bytearray(_WINDOW - len(_DICTIONARY))
    place, at = len(_DICTIONARY), 16
    out = bytearray()
    while at < len(data) and len(out) < raw_size:
        control = data[at]
        at += 1
        for bit in range(8):
            if not control >> bit & 1:
                if at >= len(data):
                    return bytes(out)
                copied = data[at : at + 1]
                at += 1
            else:
                if at + 1 >= len(data):
                    return bytes(out)
                reference = data[at] << 8 | data[at + 1]
                at += 2
                offset, length = reference >> 4, (reference & 0xF) + 2
                if offset == place:
                    return bytes(out)
                copied = b""
                for step in range(length):
                    copied += window[(offset + step) % _WINDOW : (offset + step) % _WINDOW + 1]
                    window[(place + step) % _WINDOW] = copied[-1]
                out += copied
                place = (place + length) % _WINDOW
                continue
            window[place] = copied[0]
            place = (place + 1) % _WINDOW
            out += copied
    return bytes(out)
