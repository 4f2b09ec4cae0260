"""What the reading benchmarks are made of: documents, the raw libraries in processes of their own, the service."""
