"""Several portals asked at once: what they answer is hostile until it was looked at, and late until it is here."""
