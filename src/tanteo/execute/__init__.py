"""Run sequences safely: zygote, explorers, the log between them and the driver, and the guard."""
