"""Runs all tests and prints a line of JSON for each: name, ok, skipped, text. For people: python3 -m unittest discover."""

import json
import os
import sys
import unittest


class Lines(unittest.TestResult):
    def _say(self, test, ok, text="", skipped=False):
        print(json.dumps({"name": test.id(), "ok": ok, "skipped": skipped, "text": text}), flush=True)

    def addSuccess(self, test):
        self._say(test, True)

    def addSkip(self, test, reason):
        self._say(test, True, reason, skipped=True)

    def addFailure(self, test, err):
        self._say(test, False, self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._say(subtest, False, self._exc_info_to_string(err, test))

    def addUnexpectedSuccess(self, test):
        self._say(test, False, "an unexpected success")


here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "src")]
unittest.defaultTestLoader.discover(here).run(Lines())
