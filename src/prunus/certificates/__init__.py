"""Certificates: proofs of values that anyone can check from the rules of the game alone."""

from prunus.certificates.checking import CertificateError, check
from prunus.certificates.writing import Certificate, certify

__all__ = ["Certificate", "CertificateError", "certify", "check"]
