"""Object stores on loopback: S3 (moto), Azure Blob Storage (Azurite) and Google Cloud Storage (a server of ours)."""
