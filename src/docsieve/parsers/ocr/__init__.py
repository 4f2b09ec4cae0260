"""Reading text off images; `page.read_image` is the door."""
