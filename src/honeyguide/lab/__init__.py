"""Experiments on recorded and made-up webs, where it is known which pages are on the topic."""
