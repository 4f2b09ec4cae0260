"""Backups of a whole installation, and restoring them: the database, the stored files and the secret key."""
