"""The two servers that take uploads, and the client that sends them, each a process of its own."""
