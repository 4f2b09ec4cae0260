"""The sample documents and what makes them. Every person, company and number in them is invented."""
