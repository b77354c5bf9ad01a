"""A wheel for every Python: the engine is a library of C that ctypes opens, so that one serves all versions."""

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Binary(Distribution):
    """For this machine's kind."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """For any Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
