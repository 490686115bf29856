"""The contract: laws proved, checked and watched."""
