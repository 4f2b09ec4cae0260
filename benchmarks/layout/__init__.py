"""Reading order and tables of pages whose truth is known, next to other libraries: `python -m benchmarks.layout`."""
