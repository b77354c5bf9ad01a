"""A wheel for every Python: ctypes loads the engine as a shared library, so one wheel serves all versions."""

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Binary(Distribution):
    """A distribution with compiled code, for one platform."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """A wheel for any Python 3."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
