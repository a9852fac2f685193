"""Text tasks under the id ``satsweep-taskset`` of verifiers; ``satsweep.envs.verifiers`` has them."""

from satsweep.envs.verifiers import VerifiersEnv, VerifiersTaskset

__all__ = ["VerifiersEnv", "VerifiersTaskset"]
