"""What to find where: tasks made from labelled webs."""
