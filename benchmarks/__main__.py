"""Run one benchmark by name, or all."""

import importlib
import pkgutil
import sys

import benchmarks

NAMES = sorted(
    module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")
)


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    if wanted != "all" and wanted not in NAMES:
        print(f"no benchmark is called {wanted!r}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    for name in NAMES if wanted == "all" else [wanted]:
        print(f"# {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
