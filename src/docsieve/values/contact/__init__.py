"""How to reach someone: postal, e-mail and web addresses, phone numbers."""
