"""The bare server that requests are measured against, and the client that sends them."""
