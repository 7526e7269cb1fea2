"""A port for a server that is started later, perhaps twice."""

import random
import socket


def free_port() -> int:
    """One that nobody listens at, and that the system gives to no connection meanwhile, as it does with those above."""
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(15_000, 32_000)
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
