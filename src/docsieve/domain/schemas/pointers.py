"""JSON pointers into a schema, which say where a problem is."""


def pointed(pointer: str, *steps: str | int) -> str:
    """`pointer` extended by property names and list positions."""
    return pointer + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
