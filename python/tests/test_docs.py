"""Every example: of the docstrings, and the blocks of README.md, one after the other as a reader would run them."""

import doctest
import importlib
import importlib.util
import pathlib
import pkgutil
import unittest

import rgm

README = pathlib.Path(__file__).parent.parent / "README.md"


class Examples(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for module in pkgutil.walk_packages(rgm.__path__, "rgm."):
            result = doctest.testmod(importlib.import_module(module.name))
            self.assertEqual(result.failed, 0, module.name)
            tried += result.attempted
        self.assertGreater(tried, 15)
        self.assertEqual(doctest.testmod(rgm).failed, 0)

    def test_readme(self):
        missing = [name for name in ("scipy", "networkx", "pandas", "matplotlib") if importlib.util.find_spec(name) is None]
        if missing:
            self.skipTest(f"not installed: {', '.join(missing)}")
        import matplotlib

        matplotlib.use("Agg")
        text = "\n".join("" if line.startswith("```") else line for line in README.read_text(encoding="utf-8").split("\n"))
        test = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
        self.assertGreater(len(test.examples), 20)
        result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        self.assertEqual(result.failed, 0)


if __name__ == "__main__":
    unittest.main()
