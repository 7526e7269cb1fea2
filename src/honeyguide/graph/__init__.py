"""Graph and matrix algorithms as pure functions on arrays; strategies and reports call them."""
