"""Training of the local engine's judge and of the confidence of its values."""
