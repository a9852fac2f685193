"""Text tasks under the id ``satsweep-taskset`` of verifiers; ``satsweep.learn.envs.verifiers`` has them."""

from satsweep.learn.envs.verifiers import VerifiersEnv, VerifiersTaskset

__all__ = ["VerifiersEnv", "VerifiersTaskset"]
