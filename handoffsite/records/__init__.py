"""The values that every other part exchanges, each beside its text form; nothing here touches the machine."""
